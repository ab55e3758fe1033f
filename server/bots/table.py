"""Tables filled with bots, each on a socket of its own."""

import asyncio
from dataclasses import dataclass
from typing import Any

from protocol.answers import AnyAnswer
from protocol.client import connect, play
from protocol.prompts import AnyPrompt
from server.bots.drawing import Choose, drawing_player

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


def at_pace(choose: Choose, seconds: float) -> Any:
    """The same player, thinking this long before every answer so that people can follow."""
    if not seconds:
        return choose

    async def slowly(prompt: AnyPrompt, view: dict[str, Any]) -> AnyAnswer:
        await asyncio.sleep(seconds)
        return choose(prompt, view)

    return slowly


async def seat_bots(url: str, players: int, *, seed: str, pace: float = 0, tides: bool = False) -> BotTable:
    """Makes a public room at the server `url` (ws://.../ws), seats a drawing bot in every seat, and lets them play."""
    async with connect(url, name="marchwarden-bots") as host:
        made = await host.create_room(players, tides=tides)
        seats = [
            await host.take_seat(made.room, name, invite=invite)
            for name, invite in zip(NAMES, made.invites.values(), strict=False)
        ]
    bots = {
        seat.house: asyncio.create_task(
            play(url, made.room, seat.token, at_pace(drawing_player(f"{seed}:{seat.house}"), pace))
        )
        for seat in seats
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
