"""Watching a room over a socket, as a spectator, on the terminal."""

from rich.console import Console

from protocol.client import connect
from protocol.messages import Update
from server.demo.screen import Screen


async def watch(url: str, room: str, console: Console, *, rounds: int = 10) -> bool:
    """Shows a room until its game is over (gives True) or so many rounds are done (gives False)."""
    screen = Screen(console)
    async with connect(url, name="marchwarden-watch") as client:
        table = await client.enter(room)
        screen.opening(table.view)
        async for news in table.updates():
            if not isinstance(news, Update):
                continue
            screen.show(news.events, table.view)
            if any(e["type"] == "round_ended" and e["round"] >= rounds for e in news.events) and not table.over:
                return False
    return True
