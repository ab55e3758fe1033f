"""`marchwarden rooms`: what an operator does with the store of a server."""

import asyncio
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from rich.console import Console
from rich.table import Table

from server.config import Config
from server.replay.record import Record, write
from server.replay.room import record_of
from server.rooms.close import NotClosed, close_room
from server.rooms.image import Differs
from server.store.errors import NoSuchRoom, StoreError
from server.store.records import Line
from server.store.store import Store

PAGE: Final = 1000


@click.group("rooms")
def command() -> None:
    """List, export and close the rooms in a server's store.

    list and export only read, also while a server runs on the store.
    """


def _store(work: Callable[..., None]) -> Callable[..., None]:
    """Gives a command the options of `serve` that name the store."""
    data = click.option(
        "--data",
        type=click.Path(file_okay=False, path_type=Path),
        default=Config.data,
        envvar="MARCHWARDEN_DATA",
        show_default=True,
        help="Directory of the database, as of serve.",
    )
    store = click.option(
        "--store",
        default=Config.store,
        envvar="MARCHWARDEN_STORE",
        metavar="URL",
        help="Another database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE.",
    )
    return data(store(work))


@command.command("list")
@_store
@click.option("--phase", type=click.Choice(["lobby", "playing", "over"]), help="Only rooms in this phase.")
@click.option("--json", "as_json", is_flag=True, help="Write a line of JSON for every room.")
def list_rooms(data: Path, store: str, *, phase: str | None, as_json: bool) -> None:
    """List all rooms, private ones too, those made last first."""
    lines = _run(_lines(Config(data=data, store=store).store_url, phase))
    if as_json:
        for line in lines:
            click.echo(msgspec.json.encode(line))
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("Room", "Phase", "Round", "Players", "Free", "Private", "Last input (UTC)"):
        table.add_column(heading)
    for line in lines:
        at = datetime.fromtimestamp(line.touched / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        private = "yes" if line.private else ""
        table.add_row(line.room, line.phase, str(line.round), str(line.players), ", ".join(line.free), private, at)
    Console().print(table)


@command.command("export")
@click.argument("room")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@_store
@click.option("--unfinished", is_flag=True, help="Export a game that is not over: its file holds every secret of it.")
def export(room: str, file: Path, data: Path, store: str, *, unfinished: bool) -> None:
    """Write the game of ROOM to FILE, for `marchwarden replay`.

    The whole log of the room is verified: that it is what was written, and that it gives the game that it gave.
    """
    record = _run(_record(Config(data=data, store=store).store_url, room))
    over = bool(record.checkpoints) and "result" in record.checkpoints[-1].document
    if not over and not unfinished:
        raise click.ClickException(
            "this game is not over, and its file would hold every secret of it: orders, bids, cards, the seed of what is to"
            " come. With --unfinished it is written all the same; keep it from the players"
        )
    try:
        write(record, file)
    except OSError as error:
        raise click.ClickException(f"cannot write {file}: {error.strerror}") from None
    state = "a whole game" if over else "an unfinished game"
    click.echo(f"{file}: {state} of {record.players} players, {len(record.inputs)} inputs")


@command.command("close")
@click.argument("room")
@_store
def close(room: str, data: Path, store: str) -> None:
    """Close ROOM: nobody can play on in it, what was played stays readable.

    With SQLite the server must be stopped first. While it runs, the room's host can do this with the host token. With
    PostgreSQL the server may be running: it loses the room to this command, and finds it closed.
    """
    _run(close_room(Config(data=data, store=store).store_url, room, secrets.token_bytes, time.time))
    click.echo(f"room {room} is closed")


async def _lines(url: str, phase: str | None) -> list[Line]:
    found: list[Line] = []
    async with Store.look(url) as store:
        while page := await store.rooms(phase, offset=len(found), limit=PAGE):
            found += page
    return found


async def _record(url: str, room: str) -> Record:
    async with Store.look(url) as store:
        stored = await store.whole(room)
    return record_of(room, stored.created, [entry.body for entry in stored.entries])


def _run(work: Any) -> Any:
    """What the work gives. What is wrong with the store or the room is told in one line."""
    try:
        return asyncio.run(work)
    except NoSuchRoom as error:
        raise click.ClickException(f"there is no room {error}; `marchwarden rooms list` shows all") from None
    except (StoreError, Differs, NotClosed) as error:
        raise click.ClickException(str(error)) from None
