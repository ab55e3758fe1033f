"""A node: the store, the rooms, the desk and the gateway, from the start to the end of a server process."""

import asyncio
import secrets
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

import structlog

from server.bots.pilots import Pilots
from server.config import Config
from server.eyes.lag import measure_lag
from server.eyes.meters import Meters
from server.gateway.front import Front
from server.gateway.garbage import collect_garbage
from server.gateway.server import Gateway
from server.gateway.tracing import make_desk, tracing
from server.log import explain
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall
from server.rooms.stored import Stored
from server.store.errors import Unavailable
from server.store.journal import Journal
from server.store.store import Store

if TYPE_CHECKING:
    from server.eyes.traces import Traces

log = structlog.get_logger()

TICK_SECONDS = 0.25
"""How often deadlines are looked at."""
SWEEP_SECONDS = 60
LOBBY_DAYS = 1
"""How long a room that never started is kept after the last that happened there."""
MEMORY = "memory"
"""The store that keeps nothing."""


class Tasks:
    """What runs beside the connections. A fault in one of them is logged and ends it alone."""

    def __init__(self, meters: Meters | None = None) -> None:
        """Faults are counted in `meters`."""
        self.meters = meters or Meters()
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something beside everything else."""
        task = asyncio.create_task(self._watched(work))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        task.add_done_callback(lambda _: work.close())  # one that was stopped before its first step was never begun

    async def stop(self) -> None:
        """Stop all of them."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as fault:
            self.meters.faults += 1
            log.error("fault", **explain(fault))


@asynccontextmanager
async def open_node(
    config: Config, tasks: Tasks, traces: "Traces | None" = None
) -> AsyncIterator[tuple[Front, Journal | None, Store | None]]:
    """The desk of a node on its store, or the face of a node among several.

    Raises `BadStore`, `Unavailable` if the store cannot be reached, and `NotInCluster`.
    """
    meters = tasks.meters
    with Pilots(tasks.spawn, pace=config.bot_pace, budget=config.bot_budget) as pilots:
        if config.store == MEMORY:
            limit = config.max_rooms
            hall = Hall(BaseGame(), secrets.token_bytes, time.time, limit, piloted=True, meters=meters)
            yield make_desk(hall, tasks.spawn, pilots, traces), None, None
            return
        async with await Store.open(config.store_url) as store, Journal(store, meters) as journal:

            def desk(archive: Stored) -> Desk:
                how: dict[str, Any] = {"piloted": True, "meters": meters}
                hall = Hall(BaseGame(), secrets.token_bytes, time.time, config.max_rooms, archive, tasks.spawn, **how)
                return make_desk(hall, tasks.spawn, pilots, traces)

            if config.nats:
                async with _member(config, store, journal, tasks, desk, traces) as front:
                    yield front, journal, store
                return
            alone = desk(Stored(store, journal))
            await alone.hall.wind_all()
            yield alone, journal, store


@asynccontextmanager
async def _member(
    config: Config,
    store: Store,
    journal: Journal,
    tasks: Tasks,
    desk: Callable[[Stored], Desk],
    traces: "Traces | None",
) -> AsyncIterator[Front]:
    """A node among several. What that needs is imported here: nobody else has to have it. Raises `NotInCluster`."""
    try:
        from server.cluster import mail, member  # noqa: PLC0415
    except ModuleNotFoundError:
        raise NotInCluster("several nodes need nats-py; install marchwarden[cluster]") from None
    try:
        joined = member.join(config.nats, config.node_name, store, journal, tasks.spawn, desk, tasks.meters, traces)
        async with joined as front:
            if not config.share:
                front.stay_put()
            yield front
    except mail.Bad as error:
        raise NotInCluster(str(error)) from None


class NotInCluster(Exception):  # noqa: N818 - the node is not in the cluster
    """The node cannot be one of several; the text says why."""


async def serve(config: Config, on_ready: Callable[[str], Awaitable[None]] | None = None) -> None:
    """Run a server until SIGTERM or SIGINT; a second signal cuts the good-byes short. SIGHUP has the certificate read again.

    `on_ready` is called with the address as soon as the server listens, and may go on for as long as the server runs:
    then it is cancelled. Raises OSError if the server cannot listen, `NoMetrics`, `StoreError` if it has no store.
    """
    stop, hurry = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, lambda: hurry.set() if stop.is_set() else stop.set())
    tasks = Tasks()
    structlog.contextvars.bind_contextvars(node=config.node_name)  # whatever runs from now on logs it
    async with (
        tracing(config.node_name) as traces,
        open_node(config, tasks, traces) as (desk, journal, store),
        Gateway(config, desk) as gateway,
        gateway.metrics.listening(),
    ):
        log.info("listening", url=gateway.url)
        if config.tls_cert:  # without one SIGHUP means what it always does: the terminal is gone
            loop.add_signal_handler(signal.SIGHUP, gateway.renew_certificate)
        tasks.spawn(_tick(desk))
        tasks.spawn(collect_garbage())
        tasks.spawn(measure_lag(tasks.meters.lag_seconds))
        tasks.spawn(_sweep(desk.hall, store, config))
        if on_ready is not None:
            tasks.spawn(_ready(on_ready, gateway.url))
        await stop.wait()
        desk.draining = True
        await tasks.stop()
        if journal is not None:
            await journal.flush()
        await desk.hand_over()
        await gateway.drain(hurry, elsewhere=bool(config.nats))
    log.info("stopped")


async def _ready(on_ready: Callable[[str], Awaitable[None]], url: str) -> None:
    await on_ready(url)


async def _tick(desk: Front) -> None:
    while True:
        await asyncio.sleep(TICK_SECONDS)
        desk.tick()


async def _sweep(hall: Hall, store: Store | None, config: Config) -> None:
    while True:
        if store is not None:
            await _count(hall, store)
        await asyncio.sleep(SWEEP_SECONDS)
        if left := hall.sweep():
            log.info("rooms_left_memory", count=left, left=len(hall))
        if store is not None:
            await _forget(hall, store, config)


async def _count(hall: Hall, store: Store) -> None:
    """How many rooms there are, for the metrics."""
    with suppress(Unavailable):
        hall.meters.stored = {"lobby": 0, "playing": 0, "over": 0} | await store.count()


async def _forget(hall: Hall, store: Store, config: Config) -> None:
    """Delete rooms that nobody needs any more: lobbies after a day, finished games when their time is over."""
    day, now = 86_400_000, hall.now()
    try:
        for phase, days in (("lobby", LOBBY_DAYS), ("over", config.keep_days)):
            since = now - days * day
            for line in await store.rooms(phase, idle_since=since, limit=1000):
                if hall.living(line.room) is None:
                    await store.forget(line.room, idle_since=since)
    except Unavailable:
        log.warning("store_unavailable")
