"""axe-core looks at every kind of page and finds no serious fault, by day and by night."""

import asyncio
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe

from protocol.client import connect, play
from server.bots.drawing import drawing_player
from tests.sockets.house import serving
from tests.web.browser import PHONE, needs_browser, window
from tests.web.tables import sit
from tests.web.test_host import hosted
from tests.web.test_replay import LAST_ROUND
from tests.web.test_table import FIGHT

pytestmark = needs_browser

SERIOUS = {"serious", "critical"}


async def faults(page: Any) -> list[str]:
    """The serious faults of a page, a line each."""
    results = await Axe().run(page, options={"resultTypes": ["violations"]})
    return [
        f"{found['id']}: {node['html'][:120]} {node['failureSummary']}"
        for found in results.response["violations"]
        if found["impact"] in SERIOUS
        for node in found["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_serious_fault_in_lobby_and_at_the_table(scheme: str) -> None:
    async with serving(FIGHT) as (url, _), window(url, color_scheme=scheme) as seen, connect(url) as client:
        page, _ = await hosted(seen, client, seated=2)
        assert await faults(page) == []
        place = await sit(seen, url, 3, "stark")
        page = place.page
        await page.locator("form.f-march").wait_for()
        assert await faults(page) == []
        table = await client.enter(place.room, place.others[0].token)
        await table.say("well met")
        for tab in ("Houses", "Westeros", "Talk"):
            await page.get_by_role("tab", name=tab).click()
            assert await faults(page) == []
        await page.locator("[data-target=moat-cailin]").click()
        await page.get_by_role("button", name="March", exact=True).click()
        await page.get_by_role("heading", name="Play a house card").wait_for()
        assert await faults(page) == []
        await page.goto(seen.origin)
        await page.get_by_text("Stark (Arya)").wait_for()
        assert await faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_serious_fault_while_planning_on_a_phone(scheme: str) -> None:
    async with serving() as (url, _), window(url, viewport=PHONE, color_scheme=scheme) as seen:
        page = (await sit(seen, url, 6, "stark")).page
        await page.locator("form.f-place_orders").wait_for()
        await page.locator('[data-order="march-0"]').click()
        await page.get_by_role("button", name="Plan for").first.click()
        assert await faults(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_no_serious_fault_in_a_replay(scheme: str, tmp_path: Any) -> None:
    async with (
        serving(LAST_ROUND, kept=tmp_path) as (url, _),
        window(url, color_scheme=scheme) as seen,
        connect(url) as client,
    ):
        made = await client.create_room(3)
        seats = [await client.take_seat(made.room, f"bot {h}", invite=i) for h, i in made.invites.items()]
        await asyncio.gather(*(play(url, made.room, s.token, drawing_player(s.house)) for s in seats))
        page = await seen.open(f"/#/replay/{made.room}/all/5")
        await page.locator(".replay[data-seq='5']").wait_for()
        assert await faults(page) == []
        await page.keyboard.press("End")
        await page.get_by_role("tab", name="Secrets").click()
        await page.get_by_role("heading", name="wins").wait_for()
        assert await faults(page) == []
