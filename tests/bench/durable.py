"""What durability costs: the same games with the log on a disk and without; and how long rooms take to come back."""

import asyncio
import gc
import tempfile
import time
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from protocol.legal import draw
from protocol.messages import AnswerPrompt, CreateRoom, Enter, RoomCreated, TakeSeat
from protocol.wire import Frame, decode_server
from server.config import Config
from server.gateway.node import MEMORY, Tasks, open_node
from server.rooms.desk import Desk
from server.store.records import Birth, Line
from server.store.store import Store
from tests.bench.bench import Bench
from tests.bench.spread import Figure, alone


@dataclass(eq=False)
class Seat:
    """A connection without a socket that can wait for its reply."""

    format = "msgpack"

    def __post_init__(self) -> None:
        self.waiting: asyncio.Future[Frame] | None = None
        self.fresh = asyncio.Event()

    def reply(self, frame: Frame) -> None:
        if self.waiting and not self.waiting.done():
            self.waiting.set_result(frame)

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        if fresh:
            self.fresh.set()

    async def ask(self, desk: Desk, message: object) -> object:
        self.waiting = asyncio.get_running_loop().create_future()
        desk.handle(self, message)
        return decode_server(await self.waiting, "msgpack")


class Figures(NamedTuple):
    """Of some rooms played side by side."""

    durable_per_second: float
    memory_per_second: float
    cpu_ratio: float
    """CPU an answer with the log, over CPU without."""
    latency_ms: float
    """From an answer to its reply, with the log, one room alone."""
    load_ms: float
    """To bring a sleeping room back."""
    resume_ring_ms: float
    resume_log_ms: float
    resume_snapshot_ms: float
    recovery_s: float
    """From the start of a node until rooms in play (1,000 in a full run) are in memory again."""
    sleeping_bytes: float
    """Memory for each of many rooms with a deadline that sleep."""


async def play_room(desk: Desk, number: int, answers: int) -> str:
    """Three seats in one room; so many answers, one after the other."""
    rng = Random(number)
    host = Seat()
    made = await host.ask(desk, CreateRoom(f"make{number}", 3))
    assert isinstance(made, RoomCreated)
    seats = {}
    for house, invite in made.invites.items():
        seats[house] = Seat()
        await seats[house].ask(desk, TakeSeat("sit", made.room, house, invite=invite))
    living = desk.hall.living(made.room)
    assert living and living.room.play
    for seat, house in ((s, h) for h, s in seats.items()):
        living.room.audience.enter(seat, house)
        desk._visits[seat].rooms.add(made.room)
    for n in range(answers):
        play = living.room.play
        if play.over:
            break
        house = rng.choice(list(play.owing))
        prompt = play.prompt(house)
        await seats[house].ask(desk, AnswerPrompt(f"a{n}", made.room, prompt.id, draw(prompt, rng)))
    return made.room


async def timed(config: Config, rooms: int, answers: int) -> tuple[float, float]:
    """Answers a second, and CPU seconds an answer."""
    tasks = Tasks()
    async with open_node(config, tasks) as (desk, _, _):
        start, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(play_room(desk, n, answers) for n in range(rooms)))
        wall, spent = time.perf_counter() - start, time.process_time() - cpu
        await tasks.stop()
    return rooms * answers / wall, spent / (rooms * answers)


async def comeback(config: Config, rooms: int) -> tuple[float, float, float, float]:
    """Milliseconds to bring a room back, and to resume in it from the ring, the log and a snapshot."""
    tasks = Tasks()
    async with open_node(config, tasks) as (desk, _, _):
        names = [await play_room(desk, n, 120) for n in range(rooms)]
        await tasks.stop()
    loads, ring, log, whole = [], [], [], []
    tasks = Tasks()
    async with open_node(config, tasks) as (desk, _, _):
        for name in names:
            for since, times in ((0, loads), (0, whole), (-2, ring), (5, log)):
                seat = Seat()
                living = desk.hall.living(name)
                seq = since if since >= 0 or not living else living.room.seq + since
                start = time.perf_counter()
                await seat.ask(desk, Enter("e", name, since=seq))
                times.append((time.perf_counter() - start) * 1000)
        await tasks.stop()
    return median(loads), median(ring), median(log), median(whole)


async def recovery(config: Config, rooms: int) -> float:
    """Seconds until so many rooms, each with a dozen answers, are in memory after a start."""
    tasks = Tasks()
    async with open_node(config, tasks) as (desk, _, _):
        names = await asyncio.gather(*(play_room(desk, n, 12) for n in range(rooms)))
        await tasks.stop()
    start = time.perf_counter()
    tasks = Tasks()
    async with open_node(config, tasks) as (desk, _, _):
        await asyncio.gather(*(Seat().ask(desk, Enter("e", name)) for name in names))
        assert len(desk.hall) == rooms
        spent = time.perf_counter() - start
        await tasks.stop()
    return spent


async def sleeping(config: Config, rooms: int) -> float:
    """Bytes of memory a room that sleeps until its deadline."""
    async with await Store.open(config.store_url) as store:
        far = int(time.time() * 1000) + 86_400_000
        births = [Birth(Line(f"S{n:09}", 3, False, "playing", 1, [], 0, far), b"") for n in range(rooms)]
        await store.commit(births)
        del births
    tasks = Tasks()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    async with open_node(config, tasks) as (desk, _, _):
        gc.collect()
        assert not len(desk.hall)
        spent = tracemalloc.get_traced_memory()[0] - before
        await tasks.stop()
    tracemalloc.stop()
    return spent / rooms


SIZES = {"full": (50, 60, 1000, 10_000), "quick": (20, 30, 200, 2000), "tiny": (2, 4, 5, 20)}
"""Rooms that play side by side, answers in each, rooms that come back after a start, rooms that sleep."""


def measure(bench: Bench) -> list[Figure]:
    """All of it, in a temporary directory on this disk."""
    bench.say("what it costs to lose nothing")
    found = asyncio.run(_measure(*SIZES[bench.size]))
    return [
        alone(f"kept_{name}", f"the log: {name.replace('_', ' ')}", figure) for name, figure in found._asdict().items()
    ]


async def _measure(rooms: int, answers: int, back: int, asleep: int) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        kept, memory = Config(data=Path(folder)), Config(store=MEMORY)
        pairs = [(await timed(memory, rooms, answers), await timed(kept, rooms, answers)) for _ in range(3)]
        single, _ = await timed(kept, 1, 120)
        load, ring, log, whole = await comeback(kept, 20)
        came_back = await recovery(kept, back)
    with tempfile.TemporaryDirectory() as folder:
        slept = await sleeping(Config(data=Path(folder)), asleep)
    return Figures(
        durable_per_second=median(d[0] for _, d in pairs),
        memory_per_second=median(m[0] for m, _ in pairs),
        cpu_ratio=median(d[1] / m[1] for m, d in pairs),
        latency_ms=1000 / single,
        load_ms=load,
        resume_ring_ms=ring,
        resume_log_ms=log,
        resume_snapshot_ms=whole,
        recovery_s=came_back,
        sleeping_bytes=slept,
    )
