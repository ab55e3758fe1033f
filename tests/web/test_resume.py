"""A page that is loaded again, loses its connection or is open twice shows what is so."""

from random import Random

from protocol import legal
from protocol.answers import Choose, PlaceOrders
from protocol.client import connect
from tests.sockets.house import serving
from tests.web.browser import needs_browser, window
from tests.web.hand import Hand
from tests.web.tables import sit, token
from tests.web.test_table import FIGHT

pytestmark = needs_browser

BREAKABLE = """
const Real = WebSocket;
window.sockets = [];
window.cut = false;
window.WebSocket = class extends Real {
  constructor(...how) {
    if (window.cut) return { close() {} };
    super(...how);
    window.sockets.push(this);
  }
};
"""
"""A network that can be cut: new sockets then never open."""


async def test_half_laid_orders_survive_a_reload() -> None:
    async with serving() as (url, _), window(url) as seen:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        await page.locator('[data-area-row="winterfell"]').click()
        await page.locator('[data-order="march-plus-1"]').click()
        await page.reload()
        await page.get_by_text("1 of 3 orders, 1 of").wait_for()
        assert "March +1" in await page.locator('[data-area-row="winterfell"]').inner_text()


async def test_a_reload_in_mid_combat_goes_on_where_it_was() -> None:
    async with serving(FIGHT) as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        page = place.page
        lannister = next(seat for seat in place.others if seat.house == "lannister")
        table = await client.enter(place.room, lannister.token)
        await page.locator("[data-target=moat-cailin]").click()
        await page.get_by_role("button", name="March", exact=True).click()
        combat = page.get_by_role("region", name="Combat")
        await page.get_by_role("heading", name="Play a house card").wait_for()
        before, told = await combat.inner_text(), await page.locator(".log li").count()
        await page.reload()
        await page.get_by_role("heading", name="Play a house card").wait_for()
        assert await combat.inner_text() == before
        assert await page.locator(".log li").count() == told
        await page.locator('label[data-option="eddard-stark"]').click()
        await page.get_by_role("button", name="Play it").click()
        await page.locator(".sealed").wait_for()
        await page.reload()
        await page.locator(".sealed").get_by_text("Eddard Stark").wait_for()
        async for prompt in table.prompts():
            if prompt.kind == "house_card":
                await table.answer(prompt, Choose("the-hound"))
                break
        await combat.get_by_role("heading", name="Stark won in Moat Cailin").wait_for()
        after = await combat.inner_text()
        await page.reload()
        await combat.get_by_role("heading", name="Stark won in Moat Cailin").wait_for()
        assert await combat.inner_text() == after, "the last combat is still to be read"


async def test_two_tabs_agree_and_an_answer_can_be_changed() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        place = await sit(seen, url, 3, "stark")
        table = await client.enter(place.room, await token(place))
        prompt = await anext(table.prompts())
        twin = await seen.open(f"/#/table/{place.room}/stark")
        await twin.locator("form.f-place_orders").wait_for()
        orders = {"winterfell": "support", "white-harbor": "march-0", "the-shivering-sea": "defense-plus-1"}
        await place.page.bring_to_front()  # a browser lets pages behind others draw once a second
        await Hand(place.page).answer(prompt, PlaceOrders(orders))
        for page in (place.page, twin):
            await page.bring_to_front()
            await page.get_by_text("Sent, and secret until all have answered.").wait_for()
        assert await twin.locator("form.f-place_orders").count() == 0
        before = await twin.locator(".sealed ul").inner_text()
        assert before == await place.page.locator(".sealed ul").inner_text()

        await twin.get_by_role("button", name="Change it").click()
        await twin.get_by_text("3 of 3 orders").wait_for()
        await twin.get_by_role("button", name="Take the order away from Winterfell").click()
        await twin.locator('[data-order="raid"]').click()
        await twin.get_by_role("button", name="Send the orders").click()
        for page in (place.page, twin):
            await page.bring_to_front()
            await page.locator(".sealed").get_by_text("Winterfell: Raid").wait_for()

        await place.page.bring_to_front()
        await place.page.get_by_role("button", name="Take it back").click()
        for page in (place.page, twin):
            await page.bring_to_front()
            await page.locator("form.f-place_orders").wait_for()


async def test_a_lost_connection_is_told_and_made_good() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        await seen.context.add_init_script(BREAKABLE)
        place = await sit(seen, url, 3, "stark")
        page = place.page
        table = await client.enter(place.room, place.others[0].token)
        await page.evaluate("window.cut = true; window.sockets.at(-1).close()")
        await page.get_by_text("The page is coming back by itself").or_(page.get_by_text("Connecting")).wait_for()
        await table.say("you are missed")
        prompt = await anext(table.prompts())
        await table.answer(prompt, legal.draw(prompt, Random(1)))
        await page.evaluate("window.cut = false")
        # A hanging attempt is given up when its time is over; until then the clock of the page is hurried.
        await page.locator(".banner").wait_for(state="hidden", timeout=30_000)
        await page.get_by_role("button", name="Your turn").wait_for()
        assert await page.locator(".waiting .house").count() == 1
        assert await page.evaluate("window.sockets.length") == 2


async def test_a_request_that_was_not_answered_is_sent_again() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        await seen.context.add_init_script(BREAKABLE)
        place = await sit(seen, url, 3, "stark")
        page = place.page
        table = await client.enter(place.room, await token(place))
        prompt = await anext(table.prompts())
        # The connection ends right after the orders are sent, before the page hears the answer.
        await page.evaluate(
            """() => {
              const socket = window.sockets.at(-1);
              const { send } = socket;
              socket.send = (text) => {
                send.call(socket, text);
                if (text.includes("place_orders")) { socket.onmessage = null; socket.close(); }
              };
            }"""
        )
        await Hand(page).answer(prompt, legal.draw(prompt, Random(3)))
        await page.get_by_text("Sent, and secret until all have answered.").wait_for()
        assert await page.locator(".refusal:not(:empty)").count() == 0
