"""What the host does in the page: free seats, move the clocks, close the table, ask for bots."""

import re
from typing import Any

from protocol.client import Client, connect
from protocol.messages import ClockOptions, RoomCreated
from tests.sockets.house import serving
from tests.web.browser import Window, needs_browser, until, window

pytestmark = needs_browser


async def hosted(
    seen: Window, client: Client, *, seated: int = 3, token: str = "", **options: Any
) -> tuple[Any, RoomCreated]:
    """The page of the host of a table of three at which some have sat down."""
    made = await client.create_room(3, **options)
    for house, invite in list(made.invites.items())[:seated]:
        await client.take_seat(made.room, f"Player of {house}", invite=invite)
    page = await seen.open()
    kept = [{"room": made.room, "host": token or made.host, "invites": made.invites}]
    await page.evaluate("(kept) => localStorage.setItem('marchwarden.hosted', JSON.stringify(kept))", kept)
    page = await seen.open(f"/#/table/{made.room}")
    await page.locator(".sheet").wait_for()
    return page, made


async def sure(page: Any, name: str) -> None:
    """Press a button that wants to be pressed twice."""
    press = page.get_by_role("button", name=name)
    await press.click()
    await press.get_by_text("Press again to do it").wait_for()
    await press.click()


async def test_a_seat_is_freed_in_the_lobby_and_its_new_link_is_shown() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        page, made = await hosted(seen, client, seated=2)
        await page.get_by_text("Seat by seat").click()
        await page.locator(".seat-list").get_by_text("Player of stark").wait_for()
        await sure(page, "Free the seat of Stark")
        link = page.get_by_label("Link for Stark", exact=True)
        await link.wait_for()
        invite = (await link.input_value()).rsplit("/", 1)[-1]
        assert invite != made.invites["stark"]
        assert (await client.take_seat(made.room, "Robb", invite=invite)).house == "stark"
        await page.locator(".seat-list").get_by_text("Robb").wait_for()


async def test_during_the_game_seats_are_freed_and_the_clocks_moved() -> None:
    clock = ClockOptions("live", bank=600, increment=60)
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        page, made = await hosted(seen, client, clock=clock)
        await page.get_by_role("tab", name="Houses").click()
        host = page.get_by_role("region", name="Host")
        await host.get_by_role("button", name="Pause the clocks").click()
        await page.locator(".state").get_by_text("paused").wait_for()
        await host.get_by_role("button", name="Let the clocks go on").click()
        await host.get_by_role("button", name="Pause the clocks").wait_for()
        await host.get_by_label("Minutes").fill("15")
        await host.get_by_role("button", name="Give more time").click()
        await until(page, "document.querySelector('[data-event=clocks_extended]')?.textContent.includes('15')")
        await host.get_by_text("Seat by seat").click()
        await sure(page, "Free the seat of Lannister")
        invite = (await host.get_by_label("Link for Lannister", exact=True).input_value()).rsplit("/", 1)[-1]
        assert (await client.take_seat(made.room, "Tyrion", invite=invite)).house == "lannister"
        await host.get_by_text("Tyrion").wait_for()


async def test_a_table_is_closed_for_good() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        page, _ = await hosted(seen, client)
        await page.get_by_role("tab", name="Houses").click()
        await sure(page, "Close the table for good")
        await page.get_by_role("heading", name="The table was closed").wait_for()
        assert await page.get_by_role("region", name="Host").count() == 0


async def test_a_table_that_waits_for_its_host_is_started() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        page, _ = await hosted(seen, client, autostart=False)
        await page.get_by_role("button", name="Start the game").click()
        await page.get_by_role("tab", name="Log").wait_for()


async def test_empty_seats_are_filled_with_bots_and_the_game_begins() -> None:
    async with serving(bots=True) as (url, _), window(url) as seen, connect(url) as client:
        page, _ = await hosted(seen, client, seated=1)
        host = page.get_by_role("region", name="Host")
        await host.get_by_label("Kind of bot").select_option("random")
        await host.get_by_text("Seat by seat").click()
        await host.get_by_role("button", name="Give Lannister to a bot").click()
        await page.locator(".seat-list").get_by_text("a bot (random)").wait_for()
        await host.get_by_role("button", name="Fill empty seats with bots").click()
        await page.locator("[data-event=game_started]").wait_for()
        await page.get_by_role("tab", name="Houses").click()
        assert await page.locator(".houses").get_by_text("a bot (random)").count() == 2
        await sure(page, "Free the seat of Baratheon")
        await host.get_by_label("Link for Baratheon", exact=True).wait_for()


async def test_a_table_is_made_with_bots_and_played_against_them() -> None:
    async with serving(bots=True) as (url, _), window(url) as seen:
        page = await seen.open()
        await page.get_by_label("Players").select_option("3")
        await page.locator("[name=bots]").select_option("2")
        await page.locator("[name=kind]").select_option("random")
        await page.get_by_role("button", name="Make the table").click()
        stark = page.locator(".seat-list li").filter(has_text="Stark")
        await page.get_by_label(re.compile("^Link for")).first.wait_for()
        assert await page.get_by_label(re.compile("^Link for")).count() == 1
        await stark.get_by_text("Sit here").click()
        await stark.get_by_label("Your name").fill("Ned")
        await stark.get_by_role("button", name="Sit down").click()
        await page.locator("form.f-place_orders").wait_for()
        for order in ("defense-plus-1", "support", "consolidate-power"):
            await page.locator(f'[data-order="{order}"]').click()
        await page.get_by_role("button", name="Send the orders").click()
        await page.locator("[data-event=orders_revealed]").wait_for()


async def test_a_server_without_bots_says_so() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        page, _ = await hosted(seen, client, seated=1)
        host = page.get_by_role("region", name="Host")
        await host.get_by_role("button", name="Fill empty seats with bots").click()
        await host.get_by_role("alert").filter(has_text="bots").wait_for()


async def test_a_refusal_of_the_server_is_shown() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        page, _ = await hosted(seen, client, seated=0, token="not the token")
        await sure(page, "Close the table for good")
        await page.get_by_role("region", name="Host").get_by_role("alert").filter(has_text="token").wait_for()


async def test_who_does_not_host_sees_nothing_of_it() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        made = await client.create_room(3)
        page = await seen.open(f"/#/table/{made.room}")
        await page.locator(".seat-list").wait_for()
        assert await page.get_by_role("region", name="Host").count() == 0
