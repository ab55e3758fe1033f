"""(b) Whole random games of six over sockets, and (d) what comes over the wire in them.

All rooms play side by side, every seat answers at once with a legal answer drawn at random, from the first planning to the
end. Counted is all that the server's process worked meanwhile, over all answers. The relay gets one message and sends
one to six, of the sizes that ours had on average.
"""

import asyncio
import time
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import NamedTuple

from protocol.legal import draw
from protocol.messages import Enter
from tests.bench.bench import Bench
from tests.bench.process import Process, bare_relay, our_server
from tests.bench.relayed import Relayed
from tests.bench.spread import Figure, alone, compared
from tests.bench.table import Seat, Table, sent, sit

SEATS = 6


class Sizes(NamedTuple):
    rooms: int
    runs: int
    answers: int | None = None
    """So many in a room; None for whole games."""
    relayed: int = 1000
    """Messages that the relay gets in a room."""


SIZES = {"full": Sizes(10, 5), "quick": Sizes(6, 3), "tiny": Sizes(1, 1, 20, 20)}


class Played(NamedTuple):
    """Some games."""

    answers: int
    cpu: float
    bytes: float
    """That a client gets for an answer of anybody."""
    answer_bytes: float
    frame_bytes: float
    """Of a message that comes, on average."""
    snapshot: float
    """How large the document is at the end."""

    @property
    def cpu_us(self) -> float:
        return self.cpu / self.answers * 1e6


class Drawing:
    """Everybody answers at random, until so many answers were given in each room, or the games are over."""

    def __init__(self, seed: int, answers: int | None) -> None:
        self.sizes: list[int] = []
        """How large each answer was."""
        self.ended = 0.0
        """When it was over."""
        self._rng = Random(seed)
        self._most = answers
        self._given: dict[Table, int] = {}
        self._finished: set[Table] = set()
        self._done = asyncio.Event()
        self._rooms = 0

    def news(self, seat: Seat) -> None:
        table = seat.table
        if table.over or self._given.get(table, 0) == self._most:
            self._finished.add(table)
            if len(self._finished) == self._rooms:
                self.ended = time.perf_counter()
                self._done.set()
        elif prompt := seat.prompt:
            frame = seat.answer(prompt, draw(prompt, self._rng))
            self.sizes.append(len(frame))
            self._given[table] = self._given.get(table, 0) + 1
            seat.socket.write(frame)

    async def play(self, tables: list[Table]) -> None:
        """Until all have finished."""
        self._rooms = len(tables)
        for table in tables:
            table.news = self.news
            for seat in table.seats:
                self.news(seat)
        await asyncio.wait_for(self._done.wait(), 120)
        await asyncio.sleep(0.1)  # what is still on its way


async def play(process: Process, rooms: int, seed: int, answers: int | None, players: int = SEATS) -> Played:
    """Games from their beginning."""
    host, sockets = await sit(process.port, rooms, players)
    tables = await host.tables(sockets, _nobody)
    drawing = Drawing(seed, answers)
    cpu = process.cpu
    await drawing.play(tables)
    cpu = process.cpu - cpu
    frames = [size for table in tables for seat in table.seats for size in seat.frames]
    snapshots = []
    for table in tables:
        seat = table.seats[0]
        seat.inside = asyncio.get_running_loop().create_future()
        seat.socket.write(sent(Enter("again", table.room)))
        await seat.inside
        snapshots.append(seat.snapshot)
    host.socket.close()
    for socket in (socket for group in sockets for socket in group):
        socket.close()
    given = len(drawing.sizes)
    return Played(given, cpu, sum(frames) / given / players, fmean(drawing.sizes), fmean(frames), fmean(snapshots))


def measure(bench: Bench) -> list[Figure]:
    return bench.run(_measure(bench))


async def _measure(bench: Bench) -> list[Figure]:
    size = SIZES[bench.size]
    found: dict[str, list[Played]] = {"memory": [], "durable": []}
    relay_us = []
    with TemporaryDirectory() as folder:
        where = Path(folder)
        with (
            bare_relay(where) as limit,
            our_server(where, durable=False) as memory,
            our_server(where, durable=True) as durable,
        ):
            for n in range(size.runs):
                bench.say(f"whole games: run {n + 1} of {size.runs}")
                for name, process in (("memory", memory), ("durable", durable)):
                    found[name].append(await play(process, size.rooms, n, size.answers))
                seen = found["durable"][-1]
                relay_us.append(await _relay(limit, size, round(seen.answer_bytes), round(seen.frame_bytes)))
    kept, quick = found["durable"], found["memory"]
    return [
        compared(
            "cpu_us_per_answer",
            "random games, log on: server CPU an answer, us",
            [each.cpu_us for each in kept],
            relay_us,
            "at most 100 us",
        ),
        compared("cpu_us_per_answer_memory", "   the same, log off", [each.cpu_us for each in quick], relay_us),
        alone("answers_per_game", "   answers a game", *(each.answers / size.rooms for each in kept)),
        compared(
            "bytes_per_answer",
            "   bytes a client and answer",
            [each.bytes for each in kept],
            [each.frame_bytes for each in kept],
            "at most 300",
        ),
        alone("snapshot_bytes", "   bytes of a snapshot at the end", *(e.snapshot for e in kept), mark="at most 6,000"),
    ]


async def _relay(limit: Process, size: Sizes, answer: int, update: int) -> float:
    """Microseconds of CPU for a message to six."""
    relay = Relayed(limit)
    await relay.open(size.rooms, SEATS, 1, answer, update)
    cpu = limit.cpu
    await relay.talk(size.relayed)
    cpu = limit.cpu - cpu
    await relay.close()
    return cpu / size.rooms / size.relayed * 1e6


def _nobody(seat: Seat) -> None:
    """Not yet."""
