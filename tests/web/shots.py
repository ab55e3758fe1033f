"""Pictures of the page for people to look at: `make shots` writes them to server/web/shots/, or to the folder that is named."""

import asyncio
import base64
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import server.web
from protocol import legal
from protocol.answers import Choose
from protocol.client import Client, connect, play
from server.bots.drawing import drawing_player
from server.log import configure
from tests.sockets.house import serving
from tests.web.browser import PHONE, Window, until, window
from tests.web.tables import Place, bots, sit
from tests.web.test_replay import LAST_ROUND
from tests.web.test_table import FIGHT

OUT = Path(server.web.__file__).parent / "shots"
QUALITY = 72


class Studio:
    """Takes pictures of pages into a folder."""

    def __init__(self, out: Path) -> None:
        out.mkdir(exist_ok=True, parents=True)
        self.out = out

    @asynccontextmanager
    async def set(self, setup: dict[str, Any] | None = None, **settings: Any) -> AsyncIterator[tuple[str, Window]]:
        """A server, and a window on it."""
        async with AsyncExitStack() as stack:
            kept = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            url, _ = await stack.enter_async_context(serving(setup, seed=2, kept=kept))
            yield url, await stack.enter_async_context(window(url, **settings))

    async def shoot(self, page: Any, name: str) -> None:
        """A picture of what is in sight."""
        await page.wait_for_timeout(400)  # arrows and scrolling come to rest
        camera = await page.context.new_cdp_session(page)
        taken = await camera.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
        path = self.out / f"{name}.webp"
        path.write_bytes(base64.b64decode(taken["data"]))
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} KB")


async def whole_game(client: Client, url: str, players: int) -> str:
    """A room with a game that bots have played."""
    made = await client.create_room(players)
    seats = [await client.take_seat(made.room, f"bot {h}", invite=i) for h, i in made.invites.items()]
    await asyncio.gather(*(play(url, made.room, s.token, drawing_player(s.house)) for s in seats))
    return made.room


async def lobby(studio: Studio, **settings: Any) -> None:
    async with studio.set(LAST_ROUND, **settings) as (url, seen), connect(url) as client:
        await whole_game(client, url, 3)
        for players, seated in ((6, 2), (4, 3), (3, 3)):
            made = await client.create_room(players)
            for house, invite in list(made.invites.items())[:seated]:
                await client.take_seat(made.room, house.title(), invite=invite)
        place = await sit(seen, url, 3, "stark", name="Arya")
        await place.page.goto(seen.origin)
        await place.page.get_by_text("replay", exact=True).wait_for()
        await studio.shoot(place.page, "lobby")


async def lay(page: Any, **orders: str) -> None:
    """Lay orders as a player does; areas are written with underscores."""
    for area, order in orders.items():
        await page.locator(f'[data-area-row="{area.replace("_", "-")}"]').click()
        await page.locator(f'[data-order="{order}"]').click()


async def planning(studio: Studio, name: str = "planning", **settings: Any) -> None:
    async with studio.set(**settings) as (url, seen):
        place = await sit(seen, url, 6, "lannister", name="Tyrion")
        page = place.page
        await page.locator("form.f-place_orders").wait_for()
        await lay(page, lannisport="march-plus-1", stoney_sept="march-0")
        for area, target in (("Lannisport", "riverrun"), ("Stoney Sept", "harrenhal")):
            await page.get_by_role("button", name=f"Plan for {area}").click()
            await page.get_by_label("Where to").select_option(target)
            await page.get_by_role("button", name="Plan this march").click()
            await page.get_by_role("button", name=f"Plan for {area}").click()
        if "is_mobile" in settings:
            await page.evaluate("scrollTo(0, 0)")
        else:
            await page.locator(".panels").evaluate("(panels) => panels.scrollTo(0, 0)")
        await page.mouse.move(5, 5)
        await studio.shoot(page, name)


async def fight(url: str, place: Place) -> None:
    """Stark attacks Lannister, and both play their cards."""
    page = place.page
    async with connect(url) as client:
        table = await client.enter(place.room, next(s for s in place.others if s.house == "lannister").token)
        await page.locator("[data-target=moat-cailin]").click()
        await page.get_by_role("button", name="March", exact=True).click()
        await page.locator('label[data-option="eddard-stark"]').click()
        await page.get_by_role("button", name="Play it").click()
        async for prompt in table.prompts():
            if prompt.kind == "house_card":
                await table.answer(prompt, Choose("tywin-lannister"))
                break
        await page.locator("[data-event=combat_decided]").wait_for()


async def combat(studio: Studio, name: str = "combat", **settings: Any) -> None:
    async with studio.set(FIGHT, **settings) as (url, seen):
        place = await sit(seen, url, 3, "stark")
        await fight(url, place)
        await place.page.get_by_role("button", name="Farther").click()
        await studio.shoot(place.page, name)


async def log(studio: Studio, **settings: Any) -> None:
    async with studio.set(**settings) as (url, seen):
        place = await sit(seen, url, 6, "stark")
        async with bots(url, place), connect(url) as client:
            page = await seen.open(f"/#/table/{place.room}")
            table = await client.enter(place.room, await _token(place))
            rng = Random(7)
            async for prompt in table.prompts():
                await table.answer(prompt, legal.draw(prompt, rng))
                if table.view["round"] > 2:
                    break
            await until(page, "document.querySelector('.state').textContent.includes('Round 3')")
            await page.get_by_role("button", name="The whole board").click()
            await page.get_by_role("button", name="Nearer").click()
            await studio.shoot(page, "log")


async def replay(studio: Studio, **settings: Any) -> None:
    async with studio.set(**settings) as (url, seen), connect(url) as client:
        room = await whole_game(client, url, 6)
        page = await seen.open(f"/#/replay/{room}/all/0")
        await until(page, "document.querySelector('.replay')?.dataset.seq === '0'")
        reel = (await client.replay(room, "all", count=500)).updates
        laid = next(m.seq for m in reel[80:] if any(e["type"] == "orders_revealed" for e in m.events)) - 1
        await page.get_by_label("Moment", exact=True).fill(str(laid))
        await page.get_by_role("button", name="Nearer").click()
        await studio.shoot(page, "replay")


async def _token(place: Place) -> str:
    from tests.web.tables import token

    return await token(place)


async def main(out: Path) -> None:
    studio = Studio(out)
    await lobby(studio)
    await planning(studio)
    await planning(studio, "phone", viewport=PHONE, is_mobile=True, has_touch=True)
    await combat(studio)
    await combat(studio, "dark", color_scheme="dark")
    await log(studio)
    await replay(studio)


if __name__ == "__main__":
    configure("warning")
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else OUT))
