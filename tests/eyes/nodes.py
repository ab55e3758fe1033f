"""Two nodes in this process, on a database and a NATS server, each with a gateway."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextvars import Context, copy_context
from pathlib import Path
from typing import Any, NamedTuple

import structlog

from server.config import Config
from server.gateway.front import Front
from server.gateway.node import Tasks, open_node
from server.gateway.server import Gateway
from server.store.journal import Journal


class Here(NamedTuple):
    """A node in this process."""

    url: str
    port: int
    desk: Front
    tasks: Tasks
    journal: Journal
    context: Context

    async def leave(self) -> None:
        """As on SIGTERM: rooms are given away."""
        await asyncio.create_task(self._leave(), context=self.context)

    async def _leave(self) -> None:
        self.desk.draining = True
        await self.journal.flush()
        await self.desk.hand_over()


@contextlib.asynccontextmanager
async def two_nodes(store: str, nats: str, directory: Path, traces: Any = None) -> AsyncIterator[list[Here]]:
    """The nodes `left` and `right`; every line of the log names which of them wrote it."""
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(_in_a_task(name, store, nats, directory, traces))
            for name in ("left", "right")
        ]


@contextlib.asynccontextmanager
async def _in_a_task(name: str, store: str, nats: str, directory: Path, traces: Any) -> AsyncIterator[Here]:
    """A node runs in a task of its own, so that what it binds for its log is not the other's."""
    started: asyncio.Future[Here] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()

    async def run() -> None:
        structlog.contextvars.bind_contextvars(node=name)
        config, tasks = Config(port=0, data=directory, store=store, nats=nats, node=name, bot_pace=0), Tasks()
        async with open_node(config, tasks, traces) as (desk, journal, _), Gateway(config, desk) as gateway:
            assert journal
            url = f"ws://127.0.0.1:{gateway.port}/ws"
            started.set_result(Here(url, gateway.port, desk, tasks, journal, copy_context()))
            await stop.wait()
            await tasks.stop()

    task = asyncio.create_task(run())
    await asyncio.wait([task, started], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    yield started.result()
    stop.set()
    await task
