"""`make remote`, or `python -m tests.remote --games 100`: exit status 1 if a single drawn answer was refused."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.kill.process import Server
from tests.remote.play import play_games


@click.command()
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many games to play.")
@click.option("--at-once", type=click.IntRange(1), default=4, show_default=True, help="How many at the same time.")
def main(games: int, at_once: int) -> None:
    """Play games between bots on sockets that draw any legal answer, against a server of its own."""
    columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Progress(*columns, console=Console(stderr=True)) as progress:
        server = Server(Path(folder) / "data", "--address-rooms=100000", "--address-handshake-rate=10000")
        server.start()
        task = progress.add_task("games", total=games)
        try:
            score = asyncio.run(play_games(server.url, games, at_once=at_once, on_game=lambda: progress.advance(task)))
        finally:
            server.stop()
    seconds = time.monotonic() - began
    rate = score.answers / seconds
    click.echo(f"{score.games} games, {score.answers} answers in {seconds:.0f} s ({rate:.0f} a second)")
    click.echo(f"refused: {dict(score.refused) or 'none'}")
    sys.exit(1 if score.refused else 0)


if __name__ == "__main__":
    main()
