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


SIZES = {"full": Sizes(400, 30, 10_000), "quick": Sizes(400, 10, 2_000), "tiny": Sizes(5, 5, 20)}
SETTLE_SECONDS = 1.0


def measure(bench: Bench) -> list[Figure]:
    return bench.run(_measure(bench))


async def _measure(bench: Bench) -> list[Figure]:
    size = SIZES[bench.size]
    with TemporaryDirectory() as folder:
        where = Path(folder)
        bench.say(f"memory: {size.rooms} rooms")
        with bare_relay(where) as limit, our_server(where, durable=True) as ours:
            empty = ours.rss_mb, limit.rss_mb
            idle, live = await _rooms(ours, size)
            relay = Relayed(limit)
            await relay.open(size.rooms, SEATS, SEATS, 240, 940)
            sat = limit.rss_mb
            await relay.close()
        bench.say(f"memory: {size.idle} idle connections")
        with bare_relay(where) as limit, our_server(where, durable=True) as ours:
            crowd = await _idle(ours, size.idle, [sent(Hello(1, "bench"))])
            bare = await _idle(limit, size.idle, [])
    seats = size.rooms * SEATS
    return [
        compared("rss_mb_empty", "memory: RSS of a server without anybody, MB", [empty[0]], [empty[1]]),
        compared(
            f"rss_mb_{size.rooms}_rooms",
            f"   {size.rooms} rooms, {seats:,} connections, just begun, MB",
            [idle],
            [sat],
            "under 100 MB" if size.rooms == 400 else "",
        ),
        alone(f"rss_mb_{size.rooms}_rooms_live", f"   the same after {size.answers} answers each, MB", live),
        alone("kb_a_room", "   KB a room with its six connections", (live - empty[0]) / size.rooms * 1000),
        compared(
            "rss_mb_10k_idle" if size.idle == 10_000 else f"rss_mb_{size.idle}_idle",
            f"   {size.idle:,} idle connections, MB",
            [crowd],
            [bare],
            "under 250 MB" if size.idle == 10_000 else "",
        ),
        compared(
            "kb_a_connection",
            "   KB a connection",
            [(crowd - empty[0]) / size.idle * 1000],
            [(bare - empty[1]) / size.idle * 1000],
        ),
    ]


async def _rooms(ours: Process, size: Sizes) -> tuple[float, float]:
    """MB when all sit, and when they have played a while."""
    host, sockets = await sit(ours.port, size.rooms, SEATS)
    tables = await host.tables(sockets, _nobody)
    await asyncio.sleep(SETTLE_SECONDS)
    idle = ours.rss_mb
    await Drawing(1, size.answers).play(tables)
    await asyncio.sleep(SETTLE_SECONDS)
    live = ours.rss_mb
    _close([host.socket, *(socket for group in sockets for socket in group)])
    return idle, live


async def _idle(process: Process, count: int, said: Sequence[bytes]) -> float:
    """MB with so many connections that have said so much."""
    sockets = await connect(process.port, count)
    for socket in sockets:
        for frame in said:
            socket.write(frame)
    await asyncio.sleep(SETTLE_SECONDS)
    found = process.rss_mb
    _close(sockets)
    return found


def _close(sockets: Sequence[Socket]) -> None:
    for socket in sockets:
        socket.close()


def _nobody(seat: Seat) -> None:
    """Not yet."""
