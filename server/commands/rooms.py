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
    """List, export, close and move the rooms in a server's store.

    list and export only read, also while a server runs on the store. move is for several nodes.
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
    """List all rooms, private ones too, those made last first.

    Where there are several nodes it tells which of them has a room in memory; a room that none has is brought back by the
    first who asks for it.
    """
    lines, holders = _run(_lines(Config(data=data, store=store).store_url, phase))
    if as_json:
        for line in lines:
            node = {"node": holders[line.room]} if line.room in holders else {}
            click.echo(msgspec.json.encode(msgspec.to_builtins(line) | node))
        return
    table = Table(box=None, pad_edge=False)
    for heading in (
        "Room",
        "Phase",
        "Round",
        "Players",
        "Free",
        "Private",
        "Last input (UTC)",
        *(["Node"] if holders else []),
    ):
        table.add_column(heading)
    for line in lines:
        at = datetime.fromtimestamp(line.touched / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
        private = "yes" if line.private else ""
        row = (line.room, line.phase, str(line.round), str(line.players), ", ".join(line.free), private, at)
        table.add_row(*row, *([_name(holders.get(line.room, ""))] if holders else []))
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


@command.command("move")
@click.argument("room")
@click.argument("node")
@_store
@click.option("--nats", envvar="MARCHWARDEN_NATS", metavar="URL", help="NATS server of the nodes, as of serve.")
def move(room: str, node: str, data: Path, store: str, nats: str | None) -> None:
    """Move ROOM to NODE, another of several nodes that are running.

    Players notice nothing but a moment's delay. NODE is its name as of serve --node; `rooms list` shows where a room is.
    """
    if not nats or not store.startswith("postgres"):
        raise click.UsageError(
            "only several nodes have rooms to move: give their --store postgresql://USER:PASSWORD@HOST/DATABASE and their"
            " --nats nats://HOST:4222"
        )
    there = _run(_move(store, nats, room, node))
    click.echo(f"room {room} is on {_name(there)}")


async def _move(url: str, nats: str, room: str, node: str) -> str:
    try:
        from server.cluster import operator  # noqa: PLC0415 - only who has several nodes needs what it imports
    except ModuleNotFoundError:
        raise click.ClickException("several nodes need nats-py; install marchwarden[cluster]") from None
    async with Store.look(url) as store:
        holder = await store.holder(room)
    if not holder:
        raise click.ClickException(f"no node has room {room} in memory; the first who asks for it decides where it is")
    try:
        return await operator.move(nats, room, holder, node)
    except operator.NotMoved as error:
        raise click.ClickException(str(error)) from None


def _name(node: str) -> str:
    """A node as people call it: without what tells one process from the next."""
    return node.rpartition("-")[0]


async def _lines(url: str, phase: str | None) -> tuple[list[Line], dict[str, str]]:
    """Rooms, and the nodes that have some of them."""
    found: list[Line] = []
    async with Store.look(url) as store:
        while page := await store.rooms(phase, offset=len(found), limit=PAGE):
            found += page
        return found, await store.holders()


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
