"""`marchwarden replay`."""

from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from server.demo.screen import COLOURS, Screen
from server.game.board import HOUSES
from server.game.game import Event, Game
from server.game.refused import Refused
from server.replay.record import Differs, Input, Record, read, replay

ALL = "all"
UNFINISHED = "This game is not over, and its file holds every secret of it. If you may see them, say --unfinished."


@click.command("replay")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--quiet", is_flag=True, help="Only verify; write one line.")
@click.option(
    "--as",
    "viewer",
    type=click.Choice([*HOUSES, ALL]),
    help="Show what that house saw, with its own secret answers; or what all did. Without it, what spectators saw.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Write a line of JSON for every input: its events and the document."
)
@click.option("--unfinished", is_flag=True, help="Show secrets of a game that is not over.")
def command(file: Path, *, quiet: bool, viewer: str | None, as_json: bool, unfinished: bool) -> None:
    """Verify a recorded game in FILE and print it, every event with the rules behind it.

    The game is played again from its seed and its answers, and compared with its checkpoints. Exit status 1 if it differs:
    then the place of the first difference is told. server/replay/FORMAT.md tells what is in the file.
    """
    try:
        record = read(file)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    game = _verify(file, record)
    if viewer not in (None, ALL, *game.houses):
        raise click.BadParameter(f"here play {', '.join(game.houses)}", param_hint="--as")
    if viewer and not (game.over or unfinished):
        raise click.ClickException(UNFINISHED)
    if as_json:
        _print_json(record, viewer)
    elif not quiet:
        _print(record, viewer)
    checked = len(record.checkpoints)
    told = f"{file.name}: {len(record.inputs)} inputs, {checked} checkpoints, all the same as recorded"
    click.echo(told, err=as_json)


def _verify(file: Path, record: Record) -> Game:
    """The game at the end of the record, every checkpoint compared."""
    end, played = Game.new(record.players, bytes.fromhex(record.seed), tides=record.tides), 0
    try:
        for _, _, game in replay(record):
            end = game
            played += 1
    except Differs as differs:
        raise click.ClickException(f"{file}: {differs}") from None
    except Refused as refused:
        raise click.ClickException(
            f"{file}: input {played + 1} is refused now: {refused.message} {refused.rules}"
        ) from None
    return end


def _print(record: Record, viewer: str | None) -> None:
    console = Console(highlight=False)
    screen = Screen(console)
    for given, events, game in replay(record):
        if viewer and given.house and viewer in (ALL, given.house):
            console.print(_secretly(given), soft_wrap=True)
        screen.show(events, game.public())


def _secretly(given: Input) -> Text:
    """What a house sent, word for word: until the reveal only that house saw it."""
    what = "takes its answer back" if given.answer is None else msgspec.json.encode(given.answer).decode()
    return Text(f"  > {HOUSES[given.house].name} {what}", style=COLOURS[given.house])


def _print_json(record: Record, viewer: str | None) -> None:
    game = Game.new(record.players, bytes.fromhex(record.seed), tides=record.tides)
    click.echo(_line(0, [], game, viewer))
    for n, (_, events, game) in enumerate(replay(record), 1):
        click.echo(_line(n, events, game, viewer))


def _line(n: int, events: list[Event], game: Game, viewer: str | None) -> str:
    document: dict[str, Any] = dict(game.public())
    if viewer == ALL:
        document["seats"] = {house: game.you(house) for house in game.houses}
    elif viewer:
        document["you"] = game.you(viewer)
    return msgspec.json.encode({"input": n, "events": events, "view": document}).decode()
