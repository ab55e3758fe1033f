"""Tables filled with bots, each on a socket of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from protocol.answers import AnyAnswer
from protocol.client import connect, play
from protocol.prompts import AnyPrompt
from server.bots.kinds import BUDGET, SEARCHING, player
from server.bots.player import View

Seated: TypeAlias = Callable[[AnyPrompt, View], Awaitable[AnyAnswer]]
"""A player at a table."""

NAMES = ("Arya", "Bran", "Cat", "Davos", "Edric", "Gilly")


@dataclass(frozen=True)
class BotTable:
    """A room whose seats bots play: where it is and the work of the bots, one a house."""

    room: str
    bots: dict[str, asyncio.Task[dict[str, Any]]]

    async def finish(self) -> None:
        """Waits until all bots have played to the end; raises what stopped one of them."""
        await asyncio.gather(*self.bots.values())

    def stop(self) -> None:
        """Sends the bots home."""
        for bot in self.bots.values():
            bot.cancel()


def at_pace(kind: str, seed: str, seconds: float = 0.0, *, budget: float = BUDGET) -> Seated:
    """A player of a kind that waits so long before every answer that people can follow.

    One that searches thinks in a thread of its own, so that the others at the table go on.
    Raises `KeyError` for a kind that does not exist.
    """
    choose = player(kind, seed, budget=budget)

    async def answer(prompt: AnyPrompt, view: View) -> AnyAnswer:
        if seconds:
            await asyncio.sleep(seconds)
        if kind in SEARCHING:
            return await asyncio.to_thread(choose, prompt, view)
        return choose(prompt, view)

    return answer


async def seat_bots(
    url: str,
    players: int,
    *,
    seed: str,
    kinds: Sequence[str] = ("steward",),
    pace: float = 0,
    tides: bool = False,
    budget: float = BUDGET,
) -> BotTable:
    """Makes a public room at the server `url` (ws://.../ws), seats bots of the kinds in turn, and lets them play."""
    async with connect(url, name="marchwarden-bots") as host:
        made = await host.create_room(players, tides=tides)
        seats = [
            await host.take_seat(made.room, name, invite=invite)
            for name, invite in zip(NAMES, made.invites.values(), strict=False)
        ]
    bots = {
        seat.house: asyncio.create_task(
            play(
                url,
                made.room,
                seat.token,
                at_pace(kinds[n % len(kinds)], f"{seed}:{seat.house}", pace, budget=budget),
            )
        )
        for n, seat in enumerate(seats)
    }
    return BotTable(made.room, bots)


async def keep_a_table(url: str, *, players: int = 6, pace: float = 1.0, pause: float = 30.0) -> None:
    """One table of bots after another at a watchable pace, until cancelled."""
    game = 0
    while True:
        table = await seat_bots(url, players, seed=f"demo-{game}", pace=pace)
        try:
            await table.finish()
        finally:
            table.stop()
        game += 1
        await asyncio.sleep(pause)
