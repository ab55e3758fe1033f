"""Tables for the tests of the page: one seat for a browser, bots or nobody in the others."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from protocol.client import connect, play
from protocol.messages import Seated
from server.bots.drawing import drawing_player
from tests.web.browser import Window


@dataclass
class Place:
    """A seat in a browser, and what the others at the table hold."""

    room: str
    house: str
    page: Any
    others: list[Seated]
    invite: str


async def sit(window: Window, url: str, players: int, house: str, *, name: str = "Arya", tides: bool = False) -> Place:
    """A new table where the others have sat down and a browser takes the last seat by its link."""
    async with connect(url) as client:
        made = await client.create_room(players, tides=tides)
        others = [
            await client.take_seat(made.room, f"bot {h}", invite=i) for h, i in made.invites.items() if h != house
        ]
    invite = made.invites[house]
    page = await window.open(f"/#/seat/{made.room}/{house}/{invite}")
    await page.get_by_label("Your name").fill(name)
    await page.get_by_role("button", name="Sit down").click()
    await page.locator(".sheet").wait_for()
    return Place(made.room, house, page, others, invite)


async def token(place: Place) -> str:
    """The token that the browser keeps for its seat."""
    kept: list[dict[str, str]] = await place.page.evaluate("JSON.parse(localStorage.getItem('marchwarden.seats'))")
    return next(seat["token"] for seat in kept if seat["room"] == place.room and seat["house"] == place.house)


@asynccontextmanager
async def bots(url: str, place: Place) -> AsyncIterator[None]:
    """The others play, drawing their answers."""
    players = [asyncio.create_task(play(url, s.room, s.token, drawing_player(f"bot:{s.house}"))) for s in place.others]
    try:
        yield
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
