"""`marchwarden replay`."""

from pathlib import Path

import click
from rich.console import Console

from server.demo.screen import Screen
from server.game.refused import Refused
from server.replay.record import Differs, read, replay


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--quiet", is_flag=True, help="Only verify; write one line.")
def command(file: Path, *, quiet: bool) -> None:
    """Verify a recorded game in FILE and print it, every event with the rules behind it.

    The game is played again from its seed and its answers, and compared with its checkpoints. Exit status 1 if it differs:
    then the place of the first difference is told.
    """
    try:
        record = read(file)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    screen = None if quiet else Screen(Console(highlight=False))
    played = 0
    try:
        for _, events, game in replay(record):
            played += 1
            if screen:
                screen.show(events, game.public())
    except Differs as differs:
        raise click.ClickException(f"{file}: {differs}") from None
    except Refused as refused:
        raise click.ClickException(
            f"{file}: input {played + 1} is refused now: {refused.message} {refused.rules}"
        ) from None
    checked = len(record.checkpoints)
    click.echo(f"{file.name}: {len(record.inputs)} inputs, {checked} checkpoints, all the same as recorded")
