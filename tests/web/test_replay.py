"""A game that is over is looked at again: step by step, as anybody, from any moment on."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

from protocol.client import connect, play
from protocol.messages import RoomCreated
from protocol.patch import apply
from server.bots.drawing import drawing_player
from tests.sockets.house import serving
from tests.web.browser import PHONE, needs_browser, until, window
from tests.web.test_phone import fits

pytestmark = needs_browser

LAST_ROUND = {
    "round": 10,
    "step": "planning",
    "areas": {
        "winterfell": {"units": {"stark": {"footman": 2, "knight": 1}}},
        "moat-cailin": {"units": {"lannister": {"footman": 2}}},
        "dragonstone": {"units": {"baratheon": {"knight": 1}}},
    },
    "tokens": {"raven": "used"},
}


@asynccontextmanager
async def over(kept: Any, **settings: Any):
    """A window, and a game of one round that is over, with its documents as all seats saw them."""
    async with serving(LAST_ROUND, kept=kept) as (url, _), window(url, **settings) as seen, connect(url) as client:
        made = await client.create_room(3)
        seats = [await client.take_seat(made.room, f"bot {h}", invite=i) for h, i in made.invites.items()]
        async with asyncio.timeout(30):
            await asyncio.gather(*(play(url, made.room, s.token, drawing_player(s.house)) for s in seats))
        views, view = [], {}
        for moment in (await client.replay(made.room, "all", count=500)).updates:
            view = apply(view, moment.patch)
            views.append((view, moment.events))
        yield seen, made, views


async def at(page: Any, seq: int) -> None:
    """The page shows this moment, the whole of it, and its address says so."""
    shown = f"document.querySelector('.replay')?.dataset.seq === '{seq}'"
    await until(page, f"{shown} && !document.querySelector('.sheet[aria-busy]')")
    assert page.url.endswith(f"/{seq}")


def planned(views: list) -> int:
    """The last moment at which somebody's orders are still secret."""
    return max(n for n, (view, _) in enumerate(views) if any("orders" in you for you in view["seats"].values()))


async def test_from_the_end_of_a_game_to_any_of_its_moments(tmp_path):
    async with over(tmp_path) as (seen, made, views):
        end = len(views) - 1
        page = await seen.open(f"/#/table/{made.room}")
        await page.get_by_role("link", name="See the game again, step by step").click()
        await at(page, 0)
        await page.get_by_role("button", name="To the next round").click()
        await at(page, next(n for n, (view, _) in enumerate(views) if view.get("round") == 10))
        await page.keyboard.press("End")
        await at(page, end)
        await page.get_by_role("heading", name="wins").wait_for()
        shown = await page.locator(".log li:visible").count()
        assert shown == sum(len(events) for _, events in views)
        await page.keyboard.press("ArrowLeft")
        await at(page, end - 1)
        assert await page.get_by_role("heading", name="wins").count() == 0
        later = len(views[-1][1])
        assert await page.locator(".log li:visible").count() == shown - later
        await page.get_by_label("Moment", exact=True).fill("2")
        await at(page, 2)
        await page.keyboard.press("ArrowRight")
        await at(page, 3)
        await page.keyboard.press("Home")
        await at(page, 0)
        assert await page.locator(".log li:visible").count() == 0
        await page.get_by_label("Moment", exact=True).fill(str(end - 1))
        await page.locator(".log .moment:visible").last.click()
        first = next(n for n, (_, events) in enumerate(views) if events)
        await at(page, first)


async def test_a_link_leads_to_the_moment_and_eyes_can_be_changed(tmp_path):
    async with over(tmp_path) as (seen, made, views):
        seq = planned(views)
        view, _ = views[seq]
        page = await seen.open(f"/#/replay/{made.room}/all/{seq}")
        await at(page, seq)
        laid = {area for you in view["seats"].values() for area in you.get("orders", ())}
        assert await page.locator(".pieces .order:not(.back)").count() == len(laid)
        await page.get_by_role("tab", name="Secrets").click()
        assert await page.locator(".screen").count() == 3
        await page.get_by_label("As seen by").select_option("watch")
        await until(page, "document.querySelectorAll('.pieces .order.back').length > 0")
        await at(page, seq)
        assert await page.locator(".pieces .order:not(.back)").count() == 0
        assert "/watch/" in page.url
        house = next(house for house, you in view["seats"].items() if "orders" in you)
        await page.get_by_label("As seen by").select_option(house)
        await until(
            page,
            f"document.querySelectorAll('.pieces .order:not(.back)').length === {len(view['seats'][house]['orders'])}",
        )
        await page.reload()
        await at(page, seq)


async def test_it_plays_by_itself_and_stops(tmp_path):
    async with over(tmp_path) as (seen, made, views):
        page = await seen.open(f"/#/replay/{made.room}/all/{len(views) - 4}")
        await at(page, len(views) - 4)
        await page.get_by_label("Speed").select_option("8")
        await page.get_by_role("button", name="Play").click()
        await page.get_by_role("button", name="Pause").wait_for()
        await at(page, len(views) - 1)
        await page.get_by_role("button", name="Play").wait_for()
        await page.locator("body").press("Home")
        await at(page, 0)
        await page.keyboard.press(" ")
        await until(page, "Number(document.querySelector('.replay').dataset.seq) > 1")
        await page.keyboard.press(" ")
        await page.get_by_role("button", name="Play").wait_for()


async def test_finished_games_are_listed(tmp_path):
    async with over(tmp_path) as (seen, made, _):
        page = await seen.open()
        await page.get_by_role("region", name="Finished games").get_by_role("link", name=made.room).click()
        await at(page, 0)


async def test_a_replay_fits_on_a_phone(tmp_path):
    async with over(tmp_path, viewport=PHONE, has_touch=True, is_mobile=True) as (seen, made, _):
        page = await seen.open(f"/#/replay/{made.room}/all/3")
        await at(page, 3)
        await fits(page)
        for press in await page.locator(".bar button, .bar select").all():
            box = await press.bounding_box()
            assert box and min(box["width"], box["height"]) >= 40
            assert box["y"] + box["height"] <= PHONE["height"], "it is in sight without scrolling"
        await page.get_by_role("button", name="A step forward").tap()
        await at(page, 4)


async def test_a_game_that_is_not_over_leads_to_its_table(tmp_path):
    async with serving(kept=tmp_path) as (url, _), window(url) as seen, connect(url) as client:
        made: RoomCreated = await client.create_room(3)
        page = await seen.open(f"/#/replay/{made.room}/all/0")
        await page.get_by_role("alert").get_by_text("This game is not over.").wait_for()
        await page.get_by_role("link", name="Watch it").click()
        await page.locator(".seat-list").wait_for()


async def test_a_table_that_was_closed_shows_a_seat_its_own_secrets_alone(tmp_path):
    async with serving(kept=tmp_path) as (url, _), window(url) as seen, connect(url) as client:
        made = await client.create_room(3)
        seats = {h: await client.take_seat(made.room, h, invite=i) for h, i in made.invites.items()}
        await client.host(made.room, made.host, "close")
        page = await seen.open()
        kept = [{"room": made.room, "house": "stark", "token": seats["stark"].token, "name": "Ned"}]
        await page.evaluate("(kept) => localStorage.setItem('marchwarden.seats', JSON.stringify(kept))", kept)
        page = await seen.open(f"/#/replay/{made.room}/stark/1")
        await at(page, 1)
        page = await seen.open(f"/#/replay/{made.room}/all/1")
        await page.get_by_role("alert").get_by_text("secrets stay secret").wait_for()
