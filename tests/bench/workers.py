"""`serve` with one and with two workers on one PostgreSQL and one NATS: answers a second, and the CPU of all its processes.

Players connect to the one address and so to either worker, wherever their room is, and every table is made by a host of its
own; rooms go to the worker with the least to do, as they do by default. Load, database and NATS have no cores of their own
here: on a machine with two cores, two workers have what those leave them.
"""

import asyncio
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.bench import Bench
from tests.bench.cluster import database, reachable
from tests.bench.games import Drawing
from tests.bench.process import NO_LIMIT, cpu_of
from tests.bench.spread import Figure, Spread, alone
from tests.bench.table import Seat, sit
from tests.cluster.process import NatsServer, Node

SEATS = 3
COUNTS = (1, 2)


class Sizes(NamedTuple):
    rooms: int
    answers: int
    """In each room."""
    runs: int


SIZES = {"full": Sizes(24, 80, 7), "quick": Sizes(12, 60, 3), "tiny": Sizes(2, 4, 1)}


class Speed(NamedTuple):
    a_second: float
    cpu_us: float


def measure(bench: Bench) -> list[Figure]:
    if not reachable(bench, "workers"):
        return []
    return asyncio.run(_measure(bench, SIZES[bench.size]))


async def _measure(bench: Bench, size: Sizes) -> list[Figure]:
    found: dict[int, list[Speed]] = {count: [] for count in COUNTS}
    with TemporaryDirectory() as folder:
        nats = NatsServer(Path(folder))
        nats.start()
        try:
            async with database() as store:
                for run in range(size.runs):
                    for count in COUNTS:
                        bench.say(f"workers: {count}, run {run + 1} of {size.runs}")
                        more = ("--workers", str(count), "--drain-seconds", "0", *NO_LIMIT)
                        found[count].append(await _speed(Node("n", Path(folder), store, nats.url, *more), run, size))
        finally:
            nats.kill()
    return _figures(found)


async def _speed(server: Node, seed: int, size: Sizes) -> Speed:
    """Of some games on a server that is started for them."""
    await asyncio.to_thread(server.start)
    try:
        halls = [await sit(server.port, 1, SEATS) for _ in range(size.rooms)]
        tables = [table for host, sockets in halls for table in await host.tables(sockets, _nobody)]
        drawing = Drawing(seed, size.answers)
        cpu, start = _cpu(server), time.perf_counter()
        await drawing.play(tables)
        cpu, given = _cpu(server) - cpu, len(drawing.sizes)
        for socket in (socket for host, (group,) in halls for socket in (host.socket, *group)):
            socket.close()
        return Speed(given / (drawing.ended - start), cpu / given * 1e6)
    finally:
        await asyncio.to_thread(server.stop)


def _cpu(server: Node) -> float:
    """Of the process and its workers."""
    workers = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return sum(cpu_of(pid) for pid in (server.pid, *map(int, workers)))


def _figures(found: dict[int, list[Speed]]) -> list[Figure]:
    """Each as a ratio to one worker, run for run."""
    figures = list[Figure]()
    for count, speeds in found.items():
        text = f"serve --workers {count}: answers a second (ratio: to one)"
        ratio = Spread.of(mine.a_second / one.a_second for mine, one in zip(speeds, found[1], strict=True))
        of = Spread.of(each.a_second for each in speeds)
        figures.append(Figure(f"answers_a_second_{count}_workers", text, of, None, ratio))
        cpu = (each.cpu_us for each in speeds)
        figures.append(alone(f"cpu_us_per_answer_{count}_workers", "   CPU of all its processes an answer, us", *cpu))
    return figures


def _nobody(seat: Seat) -> None:
    """Not yet."""
