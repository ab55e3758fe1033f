"""Making a table, giving seats away, finding tables and coming back to them."""

import re

from protocol.client import connect
from tests.sockets.house import serving
from tests.web.browser import needs_browser, window

pytestmark = needs_browser


async def test_a_table_is_made_and_its_links_seat_the_players() -> None:
    async with serving() as (url, _), window(url) as host, window(url) as guest:
        page = await host.open()
        await page.get_by_label("Players").select_option("3")
        await page.get_by_role("button", name="Make the table").click()
        links = page.get_by_label(re.compile("^Link for"))
        await links.first.wait_for()
        assert await links.count() == 3
        link = await page.get_by_label("Link for Baratheon", exact=True).input_value()
        secret = link.rsplit("/", 1)[-1]
        assert link.startswith(host.origin + "/#/seat/") and len(secret) > 16

        other = await guest.open(link.removeprefix(guest.origin))
        assert await other.get_by_text("House Baratheon").count() == 1
        await other.get_by_label("Your name").fill("Davos")
        await other.get_by_role("button", name="Sit down").click()
        await other.locator(".sheet").wait_for()
        await page.locator(".seat-list").get_by_text("Davos").wait_for()
        assert secret not in other.url

        stark = page.locator(".seat-list li").filter(has_text="Stark")
        await stark.get_by_text("Sit here").click()
        await stark.get_by_label("Your name").fill("Ned")
        await stark.get_by_role("button", name="Sit down").click()
        await other.locator(".seat-list").get_by_text("Ned").wait_for()
        await page.wait_for_url("**/stark")

        await page.get_by_role("link", name="All tables").first.click()
        mine = page.locator("section", has=page.get_by_role("heading", name="My tables"))
        await mine.get_by_text("Stark (Ned)").wait_for()
        assert await page.get_by_text("None at the moment").count() == 1, "a private table is on no list"
        for seen in (host, guest):
            assert not [address for address in seen.asked if secret in address]
        await mine.get_by_role("button", name="Forget").click()
        await mine.get_by_text("None yet.").wait_for()


async def test_public_tables_are_listed_to_join_or_to_watch() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        made = await client.create_room(3)
        await client.take_seat(made.room, "Ned", invite=made.invites["stark"])
        page = await seen.open()
        line = page.get_by_role("link", name=made.room)
        assert "free: Lannister, Baratheon" in await line.inner_text()
        await line.click()
        seat = page.locator(".seat-list li").filter(has_text="Lannister")
        await seat.get_by_text("Sit here").click()
        await seat.get_by_label("Your name").fill("Tyrion")
        await seat.get_by_role("button", name="Sit down").click()
        await page.locator(".seat-list").get_by_text("Tyrion").wait_for()

        watcher = await seen.open(f"/#/table/{made.room}")
        await watcher.get_by_text("watching").wait_for()
        await watcher.get_by_role("region", name="Seats").get_by_text("Tyrion").wait_for()


async def test_links_that_lead_nowhere_say_so() -> None:
    async with serving() as (url, _), window(url) as seen, connect(url) as client:
        page = await seen.open("/#/table/nowhere")
        await page.get_by_text("There is no such room.").wait_for()
        made = await client.create_room(3)
        page = await seen.open(f"/#/table/{made.room}/stark")
        await page.get_by_text("This browser does not hold that seat.").wait_for()
        page = await seen.open(f"/#/seat/{made.room}/stark/no-such-invite")
        await page.get_by_label("Your name").fill("Ned")
        await page.get_by_role("button", name="Sit down").click()
        await page.get_by_role("alert").filter(has_text="invite").wait_for()
