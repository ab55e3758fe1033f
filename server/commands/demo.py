"""`marchwarden demo`."""

import asyncio
import secrets
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import click
from rich.console import Console

from server.bots.kinds import KINDS
from server.bots.table import seat_bots
from server.commands.kinds import named_kinds
from server.config import Config
from server.demo.watch import watch
from server.gateway.server import Gateway
from server.log import configure
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall


@click.command("demo", context_settings={"show_default": True})
@click.option("--players", type=click.IntRange(3, 6), default=6, help="Houses at the table.")
@click.option("--rounds", type=click.IntRange(1, 10), default=10, help="Stop after so many rounds.")
@click.option("--seed", type=int, default=None, help="The same number plays the same game again.  [default: random]")
@click.option(
    "--kinds",
    default="steward",
    callback=named_kinds,
    metavar="A,B,...",
    help=f"How the bots play, dealt out over the seats: {', '.join(KINDS)}.",
)
@click.option("--fast", is_flag=True, help="Do not wait between decisions.")
@click.option("--tides", is_flag=True, help="Play with the Tides of Battle cards.")
@click.option("--width", type=click.IntRange(60), default=None, help="Columns to write.  [default: the terminal's]")
def command(
    players: int, rounds: int, seed: int | None, kinds: list[str], *, fast: bool, tides: bool, width: int | None
) -> None:
    """Play a whole game of bots on the terminal.

    Starts a server on a free port, seats a bot on a socket of its own in every seat, and shows what a spectator is sent:
    every reveal, march, neutral force, garrison and combat, with the strengths that decided it and the rules behind it.
    """
    configure("warning")
    console = Console(width=width or (None if sys.stdout.isatty() else 120), highlight=False)
    number = secrets.randbelow(2**32) if seed is None else seed
    asyncio.run(_play(console, players, rounds, number, kinds, 0 if fast else 0.6, tides=tides))


async def _play(
    console: Console, players: int, rounds: int, seed: int, kinds: list[str], pace: float, *, tides: bool
) -> None:
    entropy: Callable[[int], bytes] = Random(seed).randbytes  # noqa: S311 - a demo is played to be repeated
    desk = Desk(Hall(BaseGame(), entropy, time.time, max_rooms=1))
    async with Gateway(Config(port=0, data=Path()), desk) as gateway:
        url = gateway.url.replace("http", "ws", 1) + "/ws"
        console.print(f"Serving at {gateway.url} while the game lasts; seed {seed}.")
        table = await seat_bots(url, players, seed=str(seed), kinds=kinds, pace=pace, tides=tides)
        watching = asyncio.create_task(watch(url, table.room, console, rounds=rounds))
        try:
            await asyncio.wait([watching, *table.bots.values()], return_when=asyncio.FIRST_EXCEPTION)
            for task in (watching, *table.bots.values()):
                if task.done():
                    task.result()
            if not await watching:
                console.print(f"Stopped after round {rounds}.")
        finally:
            table.stop()
