"""Writes what the rooms of a node ask for, all that has gathered in one transaction."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final, Self, TypeAlias

import structlog

from server.eyes.meters import Meters
from server.log import explain
from server.store.errors import InDoubt, Unavailable
from server.store.records import Outcome, Writing
from server.store.store import Store

log = structlog.get_logger()

MAX_BATCH: Final = 500
"""How many works share a transaction at most."""

QUIET_TURNS: Final = 8
GATHER_SECONDS: Final = 0.005
"""Works gather until none has come for so many turns of the event loop, or they fill a transaction; no longer than this.

Where nothing else happens such turns are over at once.
"""

OnDone: TypeAlias = Callable[[Outcome], None]


class Journal:
    """The single writer of a node. `async with` runs it and, at the end, writes what is left.

    While a transaction runs, what comes next gathers: the slower the disk and the busier the node, the more share a commit.
    """

    def __init__(self, store: Store, meters: Meters | None = None) -> None:
        """What is written is counted in `meters`."""
        self._store = store
        self._meters = meters or Meters()
        self._gathered: list[tuple[Writing | None, OnDone]] = []
        self._owed = 0
        self._wake = asyncio.Event()
        self._closed = False
        self._task: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    def add(self, work: Writing, on_done: OnDone) -> None:
        """Have something written; `on_done` is told what became of it, in the order of the calls of `add`.

        After an outcome other than DONE the room in memory is ahead of the log, and later works of it are STALE: drop
        it, and claim it again. Raises RuntimeError when the journal is closed.
        """
        if self._closed:
            raise RuntimeError("the journal is closed")
        self._put(work, on_done)

    def after(self, done: Callable[[], None]) -> None:
        """Call `done` once everything that was added before has been told its outcome; at once if it has."""
        if self._owed:
            self._put(None, lambda _: done())
        else:
            done()

    async def flush(self) -> None:
        """Return when everything that was added before has been told its outcome."""
        flushed = asyncio.Event()
        self.after(flushed.set)
        waiting = asyncio.create_task(flushed.wait())
        await asyncio.wait([waiting, self._task], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    async def close(self) -> None:
        """Take nothing more, write what is left, and stop."""
        self._closed = True
        await self.flush()
        self._task.cancel()
        await asyncio.wait([self._task])

    def _put(self, work: Writing | None, on_done: OnDone) -> None:
        self._owed += 1
        self._gathered.append((work, on_done))
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            await self._gather()
            self._wake.clear()
            gathered, self._gathered = self._gathered, []
            for start in range(0, len(gathered), MAX_BATCH):
                batch = gathered[start : start + MAX_BATCH]
                outcomes = iter(await self._measured([work for work, _ in batch if work is not None]))
                for work, on_done in batch:
                    _tell(on_done, Outcome.DONE if work is None else next(outcomes))
                    self._owed -= 1
                self._meters.committed = 0.0

    async def _gather(self) -> None:
        """Let come what comes together with that which is here."""
        seen = quiet = 0
        until = time.monotonic() + GATHER_SECONDS
        while quiet < QUIET_TURNS and len(self._gathered) < MAX_BATCH and time.monotonic() < until:
            await asyncio.sleep(0)
            quiet = quiet + 1 if len(self._gathered) == seen else 0
            seen = len(self._gathered)

    async def _measured(self, batch: Sequence[Writing]) -> list[Outcome]:
        if not batch:
            return []
        begun = time.perf_counter()
        outcomes = await self._commit(batch)
        self._meters.wrote(begun, time.perf_counter(), [outcome.name.lower() for outcome in outcomes])
        return outcomes

    async def _commit(self, batch: Sequence[Writing]) -> list[Outcome]:
        """Write a batch; never raises. A work that no database would take does not harm the others."""
        try:
            return await self._store.commit(batch)
        except InDoubt as error:
            log.error("store_in_doubt", works=len(batch), **explain(error))
            return [Outcome.IN_DOUBT] * len(batch)
        except Unavailable as error:
            log.error("store_unavailable", works=len(batch), **explain(error))
            return [Outcome.UNAVAILABLE] * len(batch)
        except Exception as fault:
            if len(batch) == 1:
                self._meters.faults += 1
                log.error("fault", room=batch[0].room, epoch=getattr(batch[0], "epoch", 1), **explain(fault))
                return [Outcome.UNAVAILABLE]
            return [outcome for work in batch for outcome in await self._commit([work])]


def _tell(on_done: OnDone, outcome: Outcome) -> None:
    try:
        on_done(outcome)
    except Exception as fault:
        log.error("fault", **explain(fault))
