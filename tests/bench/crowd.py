"""(f) Spectators: a room of six that is played while 1, 100 and 5,000 look on."""

import asyncio
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from protocol.legal import draw
from protocol.messages import Enter, Hello
from tests.bench.bench import Bench
from tests.bench.link import connect
from tests.bench.process import Process, bare_relay, our_server
from tests.bench.relayed import Relayed
from tests.bench.spread import Figure, compared
from tests.bench.table import Seat, sent, sit

SEATS = 6


class Sizes(NamedTuple):
    answers: dict[int, int]
    """How many spectators, and how many answers they are shown in a run."""
    runs: int


SIZES = {"full": Sizes({1: 30, 100: 30, 5000: 12}, 5), "quick": Sizes({1: 30, 100: 20}, 3), "tiny": Sizes({3: 5}, 1)}


class Watched:
    """A room with spectators; an answer is given when everybody has seen the one before."""

    def __init__(self, process: Process, spectators: int) -> None:
        self.process = process
        self.spectators = spectators
        self.update = 0.0
        """Bytes of an update, on average."""
        self._rng = Random(spectators)
        self._seen = 0
        self._due = 0
        self._bytes = 0
        self._all = asyncio.Event()
        self._snapshots = 0
        self._inside = asyncio.Event()

    async def open(self) -> None:
        self._host, self._sockets = await sit(self.process.port, 1, SEATS)
        (self._table,) = await self._host.tables(self._sockets, _nobody)
        self._watchers = await connect(self.process.port, self.spectators)
        for socket in self._watchers:
            socket.heard = self._hear
            socket.write(sent(Hello(1, "bench")) + sent(Enter("e", self._table.room)))
        await self._inside.wait()

    def _hear(self, body: bytes) -> None:
        """A spectator is told something: only the kind of it is looked at."""
        head = body[:16]
        if b"\xa8snapshot" in head:
            self._snapshots += 1
            if self._snapshots == self.spectators:
                self._inside.set()
        elif b"\xa6update" in head:
            self._seen += 1
            self._bytes += len(body)
            if self._seen == self._due:
                self._all.set()

    async def play(self, answers: int) -> float:
        """CPU us for an answer that everybody sees."""
        self._seen, self._due, self._bytes = 0, 0, 0
        cpu = self.process.cpu
        for _ in range(answers):
            seat = next(seat for seat in self._table.seats if seat.prompt)
            prompt = seat.prompt
            assert prompt
            self._all.clear()
            self._due += self.spectators
            seat.socket.write(seat.answer(prompt, draw(prompt, self._rng)))
            await asyncio.wait_for(self._all.wait(), 60)
            await asyncio.sleep(0.002)  # the seats hear of it as well
        cpu = self.process.cpu - cpu
        self.update = self._bytes / max(1, self._seen)
        return cpu / answers * 1e6

    def close(self) -> None:
        for socket in [self._host.socket, *self._sockets[0], *self._watchers]:
            socket.close()


def measure(bench: Bench) -> list[Figure]:
    return bench.run(_measure(bench))


async def _measure(bench: Bench) -> list[Figure]:
    size, found = SIZES[bench.size], list[Figure]()
    for spectators, answers in size.answers.items():
        bench.say(f"spectators: {spectators}")
        with TemporaryDirectory() as folder:
            where = Path(folder)
            with bare_relay(where) as limit, our_server(where, durable=True) as ours:
                watched, relay = Watched(ours, spectators), Relayed(limit)
                await watched.open()
                await watched.play(2)
                await relay.open(1, SEATS + spectators, 1, 200, round(watched.update))
                mine, its = [], []
                for _ in range(size.runs):
                    mine.append(await watched.play(answers))
                    its.append(await _relayed(relay, answers))
                watched.close()
                await relay.close()
        text = f"{spectators:,} spectators: server CPU an answer, us"
        found.append(compared(f"cpu_us_per_answer_{spectators}_spectators", text, mine, its))
    return found


async def _relayed(relay: Relayed, messages: int) -> float:
    cpu = relay.process.cpu
    await relay.talk(messages)
    return (relay.process.cpu - cpu) / messages * 1e6


def _nobody(seat: Seat) -> None:
    """Seats answer when everybody has seen the last answer."""
