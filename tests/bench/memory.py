"""(e) What they take up: 400 rooms with 2,400 connections, just begun and after a while; 10,000 idle connections."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from protocol.messages import Hello
from tests.bench.bench import Bench
from tests.bench.games import Drawing
from tests.bench.link import Socket, connect
from tests.bench.process import Process, bare_relay, our_server
from tests.bench.relayed import Relayed
from tests.bench.spread import Figure, alone, compared
from tests.bench.table import Seat, sent, sit

SEATS = 6


class Sizes(NamedTuple):
    rooms: int
    answers: int
    """Of each room, until it is called live."""
    idle: int
    settle: float
    """Seconds until all is at rest."""


SIZES = {"full": Sizes(400, 30, 10_000, 1), "quick": Sizes(400, 10, 2_000, 1), "tiny": Sizes(5, 5, 20, 0.1)}


def measure(bench: Bench) -> list[Figure]:
    return bench.run(_measure(bench))


class Sides(NamedTuple):
    """RSS in MB, of ours and of the relay."""

    ours: float
    relay: float


async def _measure(bench: Bench) -> list[Figure]:
    size = SIZES[bench.size]
    with TemporaryDirectory() as folder:
        where = Path(folder)
        bench.say(f"memory: {size.rooms} rooms")
        with bare_relay(where) as limit, our_server(where, durable=True) as ours:
            empty = Sides(ours.rss_mb, limit.rss_mb)
            begun, live = await _rooms(ours, size)
            relay = Relayed(limit)
            await relay.open(size.rooms, SEATS, SEATS, 240, 940)
            seated = Sides(begun, limit.rss_mb)
            await relay.close()
        bench.say(f"memory: {size.idle} idle connections")
        with bare_relay(where) as limit, our_server(where, durable=True) as ours:
            idle = Sides(await _idle(ours, size, [sent(Hello(1, "bench"))]), await _idle(limit, size, []))
    return figures(size, empty, seated, live, idle)


def figures(size: Sizes, empty: Sides, seated: Sides, live: float, idle: Sides) -> list[Figure]:
    """From what was measured without anybody, with rooms just begun, with those rooms live (ours alone), and with a crowd."""
    marked = size == SIZES["full"]
    rooms, crowd = (
        f"rss_mb_{size.rooms}_rooms",
        "rss_mb_10k_idle" if size.idle == 10_000 else f"rss_mb_{size.idle}_idle",
    )
    each_idle = [(idle.ours - empty.ours) / size.idle * 1000], [(idle.relay - empty.relay) / size.idle * 1000]
    text = f"   {size.rooms} rooms, {size.rooms * SEATS:,} connections, just begun, MB"
    return [
        compared("rss_mb_empty", "memory: RSS of a server without anybody, MB", *([mb] for mb in empty)),
        compared(rooms, text, *([mb] for mb in seated), mark="under 100 MB" if marked else ""),
        alone(f"{rooms}_live", f"   the same after {size.answers} answers each, MB", live),
        alone("kb_a_room", "   KB a room with its six connections, live", (live - empty.ours) / size.rooms * 1000),
        compared(
            crowd,
            f"   {size.idle:,} idle connections, MB",
            *([mb] for mb in idle),
            mark="under 250 MB" if marked else "",
        ),
        compared("kb_a_connection", "   KB an idle connection", *each_idle),
    ]


async def _rooms(ours: Process, size: Sizes) -> tuple[float, float]:
    """MB when all sit, and when they have played a while."""
    host, sockets = await sit(ours.port, size.rooms, SEATS)
    tables = await host.tables(sockets, _nobody)
    await asyncio.sleep(size.settle)
    idle = ours.rss_mb
    await Drawing(1, size.answers).play(tables)
    await asyncio.sleep(size.settle)
    live = ours.rss_mb
    _close([host.socket, *(socket for group in sockets for socket in group)])
    return idle, live


async def _idle(process: Process, size: Sizes, said: Sequence[bytes]) -> float:
    """MB with so many connections that have said so much."""
    sockets = await connect(process.port, size.idle)
    for socket in sockets:
        for frame in said:
            socket.write(frame)
    await asyncio.sleep(size.settle)
    found = process.rss_mb
    _close(sockets)
    return found


def _close(sockets: Sequence[Socket]) -> None:
    for socket in sockets:
        socket.close()


def _nobody(seat: Seat) -> None:
    """Not yet."""
