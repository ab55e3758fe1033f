"""Six players, each with a page: the first round, with a neutral force that only falls to the support of two houses."""

from typing import Any

from protocol.client import connect
from tests.sockets.house import serving
from tests.web.browser import needs_browser, until, window

pytestmark = needs_browser

SETUP = {
    "step": "planning",
    "round": 1,
    "areas": {
        "kingswood": {"units": {"baratheon": {"knight": 1, "footman": 1}}},
        "blackwater": {"units": {"lannister": {"footman": 1}}},
        "crackclaw-point": {"units": {"tyrell": {"footman": 1}}},
        "winterfell": {"units": {"stark": {"footman": 1}}},
        "pyke": {"units": {"greyjoy": {"footman": 1}}},
        "sunspear": {"units": {"martell": {"footman": 1}}},
    },
    "tokens": {"raven": "used"},
}
ORDERS = {
    "baratheon": "march-0",
    "lannister": "support",
    "tyrell": "support",
    "stark": "defense-plus-1",
    "greyjoy": "defense-plus-1",
    "martell": "raid",
}


async def send(page: Any, option: str) -> None:
    """Choose an option of the open form and send it."""
    await page.locator(f'label[data-option="{option}"]').click()
    await page.locator("form.form button.main").click()


async def test_six_pages_play_round_one_with_joint_support_against_a_neutral_force() -> None:
    async with serving(SETUP) as (url, _), window(url) as seen, connect(url) as client:
        made = await client.create_room(6)
        pages = {}
        for house, invite in made.invites.items():
            pages[house] = await seen.open(f"/#/seat/{made.room}/{house}/{invite}")
            await pages[house].get_by_label("Your name").fill(f"Player of {house}")
            await pages[house].get_by_role("button", name="Sit down").click()
        for house, order in ORDERS.items():
            await pages[house].bring_to_front()  # a browser lets pages behind others draw once a second
            await pages[house].locator(f'[data-order="{order}"]').click()
            await pages[house].get_by_role("button", name="Send the orders").click()
        baratheon = pages["baratheon"]
        await baratheon.bring_to_front()
        goal = baratheon.locator("[data-target=kings-landing]")
        text = await goal.inner_text()
        assert "3 against 5" in text
        assert "others could add" in text and "Lannister 1" in text and "Tyrell 1" in text
        await goal.click()
        await baratheon.get_by_role("button", name="March", exact=True).click()

        for house in ("lannister", "tyrell"):  # in turn order
            await pages[house].bring_to_front()
            await pages[house].get_by_role("heading", name="Whom do you support in King's Landing?").wait_for()
            await send(pages[house], "attacker")
        for page in pages.values():
            await page.bring_to_front()
            line = page.locator("[data-event=neutral_destroyed]")
            await line.wait_for()
            told = await line.inner_text()
            assert "Baratheon brings 5 against the neutral force of 5 in King's Landing" in told
            assert "support Lannister +1, support Tyrell +1" in told
            await page.locator("[data-area=kings-landing][aria-label*='Baratheon: ']").wait_for()
        for page in pages.values():
            await page.bring_to_front()
            await until(page, "document.querySelector('[data-event=round_began]')?.textContent.includes('Round 2')")
            assert await page.locator(".pieces .neutral").count() == 1, "the Eyrie still holds out"
