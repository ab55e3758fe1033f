"""(a) Planning turns: every seat of every room sends its orders, and all are shown what lies on the board.

The server plays the real game over sockets: it checks every order, writes it to its log, acknowledges it and shows everybody
who has still to order. The time counts from the first order that is written to the last reveal that is there, in all
rooms at once. The rest of each round (the raven, Westeros, whatever is asked) is answered off the clock, and so is the
making of new rooms when games are over. Orders are quiet ones, defense and support before others, so that little follows.

The relay gets as many orders of the same size and sends as many reveals of the size that ours had on average. Both are
measured in turn: some turns of the relay, some of ours without a log, some of ours with it, and again.
"""

import asyncio
import gc
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from statistics import fmean, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from protocol.answers import Bid, PlaceOrders
from protocol.legal import default
from protocol.prompts import BidPrompt, PlaceOrdersPrompt
from tests.bench.bench import Bench
from tests.bench.link import Socket
from tests.bench.process import Process, bare_relay, our_server
from tests.bench.relayed import Relayed
from tests.bench.spread import Figure, Spread, alone, compared
from tests.bench.table import Host, Seat, Table, sit

SEATS = 6
QUIET = ("defense-plus-1", "support", "defense-plus-2", "support-plus-1", "consolidate-power", "raid")
SETTLE_SECONDS = 0.01
"""After a turn, until the server has done what it does behind it."""


class Sizes(NamedTuple):
    rooms: dict[int, int]
    """How many rooms, and how many turns each plays in a run."""
    runs: int


SIZES = {
    "full": Sizes({10: 20, 100: 4, 400: 1}, 5),
    "quick": Sizes({10: 10, 100: 4}, 3),
    "tiny": Sizes({2: 2}, 1),
}
RELAY_TURNS = 5
"""So many times as many for the relay, which is done so much sooner."""


class Run(NamedTuple):
    """Some turns of all rooms."""

    reveals: int
    seconds: float
    cpu: float
    load_cpu: float
    latencies: list[float]

    @property
    def per_second(self) -> float:
        return self.reveals / self.seconds

    @property
    def cpu_ms(self) -> float:
        return self.cpu / self.reveals * 1000


class Planning:
    """Rooms of our server, brought to a planning again and again."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.orders: list[int] = []
        """How large the orders were."""
        self.reveals: list[int] = []
        """How large the reveals were."""
        self.others: list[int] = []
        """How many bytes a seat got in a turn, the reveal and all else."""
        self._host: Host
        self._sockets: list[list[Socket]]
        self._tables: list[Table]
        self._ready: set[Seat] = set()
        self._changed = asyncio.Event()

    async def open(self, rooms: int) -> None:
        self._host, self._sockets = await sit(self.process.port, rooms, SEATS)
        self._tables = await self._host.tables(self._sockets, self._news)

    async def close(self) -> None:
        for socket in [self._host.socket, *(socket for group in self._sockets for socket in group)]:
            socket.close()
        await asyncio.sleep(0.1)

    def _news(self, seat: Seat) -> None:
        """Answer whatever comes off the clock; what is to be planned waits for its turn."""
        if seat.table.over:
            self._changed.set()
        elif (prompt := seat.prompt) is None:
            self._ready.discard(seat)
        elif isinstance(prompt, PlaceOrdersPrompt):
            self._ready.add(seat)
            self._changed.set()
        else:
            all_in = isinstance(prompt, BidPrompt) and prompt.subject == "wildlings"
            answer = Bid(prompt.power) if all_in else default(prompt)  # else there are soon no units left
            seat.socket.write(seat.answer(prompt, answer))

    async def gather(self) -> None:
        """Until every room plans; games that are over are replaced."""
        while True:
            self._changed.clear()
            planning = [sum(seat in self._ready for seat in table.seats) for table in self._tables]
            done = [
                n
                for n, (table, ready) in enumerate(zip(self._tables, planning, strict=True))
                if table.over or 0 < ready == len(table.waiting) < SEATS  # a house without units does not plan
            ]
            if sum(planning) == SEATS * len(planning):
                return
            if done and all(n in done or ready == SEATS for n, ready in enumerate(planning)):
                await self._replace(done)
            else:
                await asyncio.wait_for(self._changed.wait(), 60)

    async def _replace(self, done: list[int]) -> None:
        """Other rooms where some are of no use any more."""
        old = [self._tables[n] for n in done]
        self._ready.difference_update(seat for table in old for seat in table.seats)
        sockets, left = [self._sockets[n] for n in done], [table.room for table in old]
        for n, new in zip(done, await self._host.tables(sockets, self._news, left), strict=True):
            self._tables[n] = new

    async def turns(self, count: int, looking: Callable[[], AbstractContextManager[None]] = nullcontext) -> Run:
        """Play so many turns, one after the other; while one is on the clock, somebody may be looking."""
        runs = []
        for _ in range(count):
            await self.gather()
            groups = []
            for table in self._tables:
                orders = [(seat.socket, self._orders(seat)) for seat in table.seats]
                groups.append(orders)
            self._ready.clear()
            before = [(seat, len(seat.frames), seat.socket.bytes) for table in self._tables for seat in table.seats]
            with looking():
                runs.append(await turn(groups, self.process))
            for socket in (socket for group in groups for socket, _ in group):
                socket.catch_up()
            self.orders += [len(frame) for group in groups for _, frame in group]
            self.others += [seat.socket.bytes - held for seat, _, held in before]
            self.reveals += [max(seat.frames[n:]) for seat, n, _ in before]
        await self.gather()  # who is measured next shares the core: nothing may be left to do here
        return together(runs)

    def _orders(self, seat: Seat) -> bytes:
        prompt = seat.prompt
        assert isinstance(prompt, PlaceOrdersPrompt)
        return seat.answer(prompt, quiet(prompt))


def quiet(prompt: PlaceOrdersPrompt) -> PlaceOrders:
    """Orders after which as little as possible is asked."""
    stars, tokens = prompt.stars, list[str]()
    for order in [*(o for o in QUIET if o in prompt.tokens), *(o for o in prompt.tokens if o not in QUIET)]:
        for _ in range(prompt.tokens[order]):
            if order in prompt.starred:
                if not stars:
                    continue
                stars -= 1
            tokens.append(order)
    return PlaceOrders(dict(zip(prompt.areas[: prompt.required], tokens, strict=False)))


async def relayed(relay: Relayed, count: int) -> Run:
    """So many turns at the relay."""
    runs = []
    for _ in range(count):
        runs.append(await turn(relay.groups, relay.process))
        for socket in (socket for group in relay.groups for socket, _ in group):
            socket.catch_up()
    return together(runs)


async def turn(groups: list[list[tuple[Socket, bytes]]], process: Process) -> Run:
    """One turn of all rooms at once: write all orders, wait for all reveals."""
    done, missing = asyncio.get_running_loop().create_future(), sum(map(len, groups))

    def told() -> None:
        nonlocal missing
        missing -= 1
        if not missing:
            done.set_result(None)

    for group in groups:
        for socket, _ in group:
            socket.watch(told)
    gc.disable()
    cpu, load = process.cpu, time.process_time()
    lasts, start = [], time.perf_counter()
    for group in groups:
        for socket, frame in group:
            socket.write(frame)
        lasts.append(time.perf_counter())
    await asyncio.wait_for(done, 60)
    end, load = time.perf_counter(), time.process_time() - load
    gc.enable()
    await asyncio.sleep(SETTLE_SECONDS)
    latencies = [max(s.revealed_at for s, _ in group) - last for group, last in zip(groups, lasts, strict=True)]
    return Run(len(groups), end - start, process.cpu - cpu, load, latencies)


def together(runs: list[Run]) -> Run:
    """Several as one."""
    return Run(
        sum(run.reveals for run in runs),
        sum(run.seconds for run in runs),
        sum(run.cpu for run in runs),
        sum(run.load_cpu for run in runs),
        [each for run in runs for each in run.latencies],
    )


def measure(bench: Bench) -> list[Figure]:
    return bench.run(_measure(bench))


async def _measure(bench: Bench) -> list[Figure]:
    found: list[Figure] = []
    sizes = SIZES[bench.size]
    with TemporaryDirectory() as folder:
        where = Path(folder)
        with (
            bare_relay(where) as limit,
            our_server(where, durable=False) as memory,
            our_server(where, durable=True) as durable,
        ):
            for rooms, turns in sizes.rooms.items():
                found += await _rooms(bench, rooms, turns, sizes.runs, limit, memory, durable)
    return found


async def _rooms(
    bench: Bench, rooms: int, turns: int, runs: int, limit: Process, memory: Process, durable: Process
) -> list[Figure]:
    bench.say(f"planning turns: {rooms} rooms sit down")
    sides = {"memory": Planning(memory), "durable": Planning(durable)}
    for side in sides.values():
        await side.open(rooms)
        await side.turns(1)  # to be warm, and to know how large the frames are
    seen = sides["durable"]
    order, reveal = round(fmean(seen.orders)), round(fmean(seen.reveals))
    relay = Relayed(limit)
    await relay.open(rooms, SEATS, SEATS, order, reveal)
    await relayed(relay, RELAY_TURNS)
    played: dict[str, list[Run]] = {"relay": [], "memory": [], "durable": []}
    for n in range(runs):
        bench.say(f"planning turns: {rooms} rooms, run {n + 1} of {runs}")
        played["relay"].append(await relayed(relay, turns * RELAY_TURNS))
        for name, side in sides.items():
            played[name].append(await side.turns(turns))
    for each in (relay, *sides.values()):
        await each.close()
    its, at = played["relay"], f"{rooms}_rooms"
    found = []
    for name in sides:
        log, mine = ("log on" if name == "durable" else "log off"), played[name]
        mark = {("durable", 100): "0.5", ("memory", 100): "0.6"}.get((name, rooms), "")
        found += [
            compared(
                f"reveals_a_second_{name}_{at}",
                f"{rooms} rooms, {log}: reveals a second",
                [run.per_second for run in mine],
                [run.per_second for run in its],
                mark and f"at least {mark} of the relay",
            ),
            compared(
                f"reveal_cpu_ms_{name}_{at}",
                "   server CPU a reveal, ms",
                [run.cpu_ms for run in mine],
                [run.cpu_ms for run in its],
            ),
        ]
        for percent in (50, 99):
            found.append(
                compared(
                    f"reveal_p{percent}_ms_{name}_{at}",
                    f"   p{percent} from the last order to every reveal, ms",
                    [_percent(run, percent) for run in mine],
                    [_percent(run, percent) for run in its],
                    "under 5 times the relay" if (percent, rooms) == (99, 10) else "",
                )
            )
        found.append(
            compared(
                f"server_busy_{name}_{at}",
                "   of the time the server worked",
                [run.cpu / run.seconds for run in mine],
                [run.cpu / run.seconds for run in its],
            )
        )
        found.append(
            compared(
                f"load_busy_{name}_{at}",
                "   of the time the load worked (near 1: it is the limit)",
                [run.load_cpu / run.seconds for run in mine],
                [run.load_cpu / run.seconds for run in its],
            )
        )
    received = fmean(seen.others)
    found.append(Figure(f"bytes_a_turn_{at}", "   bytes a client and turn", *_plain(received, reveal)))
    found.append(alone(f"order_bytes_{at}", "   bytes of an order", order))
    return found


def _plain(ours: float, relay: float) -> tuple[Spread, Spread, Spread]:
    return Spread.of([ours]), Spread.of([relay]), Spread.of([ours / relay])


def _percent(run: Run, percent: int) -> float:
    """Milliseconds within which so many percent of the reveals came."""
    if len(run.latencies) < 2:
        return run.latencies[0] * 1000
    return quantiles(run.latencies, n=100, method="inclusive")[percent - 1] * 1000
