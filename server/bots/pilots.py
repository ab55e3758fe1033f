"""Bots for the seats of a server: they think in processes of their own, and see what a client in that seat is sent."""

import asyncio
import os
import secrets
import signal
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

from protocol.answers import AnyAnswer
from protocol.messages import BotKind, Snapshot
from protocol.replica import Replica
from protocol.wire import decode_server
from server.bots.kinds import BUDGET, player

PATIENCE: Final = 60.0
"""Seconds that a bot may think, and wait for its turn to; then it has failed."""

NICE: Final = 10
"""How far the bots stand back for whoever else wants the processor."""
TRIES: Final = 3
"""How often a question is put to new processes, when those that thought about it were ended from outside."""

Done: TypeAlias = Callable[[AnyAnswer | Exception], None]


class Pilots:
    """Thinks for seats on half of the machine's cores, in processes that are started when the first bot is asked."""

    def __init__(
        self,
        spawn: Callable[[Coroutine[Any, Any, None]], None],
        *,
        pace: float = 1.0,
        budget: float = BUDGET,
        seed: str | None = None,
    ) -> None:
        """`spawn` runs what takes time, `pace` is the least time from a question to its answer in seconds, so that people can
        follow, `budget` the milliseconds that searching bots think. Bots of the same `seed` answer the same alike."""
        self._spawn = spawn
        self._pace = pace
        self._budget = budget
        self._seed = seed or secrets.token_hex(8)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the processes, as soon as they have finished their thought."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def think(self, kind: BotKind, seat: str, snapshot: bytes, done: Done) -> None:
        """Answer the prompt in the snapshot of a seat; `done` gets the answer, or what went wrong."""
        self._spawn(self._think(kind, seat, snapshot, done))

    async def _think(self, kind: BotKind, seat: str, snapshot: bytes, done: Done) -> None:
        told: AnyAnswer | Exception
        loop = asyncio.get_running_loop()
        earliest = loop.time() + self._pace
        try:
            async with asyncio.timeout(PATIENCE):
                told = await self._decide(kind, f"{self._seed}:{seat}", snapshot)
        except Exception as wrong:
            told = wrong
        await asyncio.sleep(earliest - loop.time())
        done(told)

    async def _decide(self, kind: BotKind, seed: str, snapshot: bytes) -> AnyAnswer:
        """An answer from one of the processes. If one was ended from outside, others are started."""
        loop = asyncio.get_running_loop()
        for _ in range(TRIES - 1):
            pool = self._workers()
            try:
                return await loop.run_in_executor(pool, decide, kind, seed, self._budget, snapshot)
            except BrokenProcessPool:
                if self._pool is pool:
                    self._pool = None
                    pool.shutdown(wait=False)
                await asyncio.sleep(1)
        return await loop.run_in_executor(self._workers(), decide, kind, seed, self._budget, snapshot)

    def _workers(self) -> ProcessPoolExecutor:
        if self._pool is None:
            workers = max(1, (os.cpu_count() or 1) // 2)
            self._pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_go_with_the_server)
        return self._pool


def decide(kind: BotKind, seed: str, budget: float, snapshot: bytes) -> AnyAnswer:
    """The answer of a bot to the prompt in a snapshot. Raises whatever goes wrong."""
    message = decode_server(snapshot, "msgpack")
    assert isinstance(message, Snapshot)
    seat = Replica()
    seat.feed(message)
    prompt = seat.prompt
    assert prompt is not None
    return player(kind, f"{seed}:{prompt.id}", budget=budget)(prompt, seat.view)


def _go_with_the_server() -> None:
    """In a process of the pool: rooms come first. Ctrl-C is for the server; and when it is gone, killed or not, so is this."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    server = parent_process()
    assert server is not None

    def follow() -> None:
        server.join()
        os._exit(0)

    Thread(target=follow, daemon=True).start()
