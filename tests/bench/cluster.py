"""Several nodes on one PostgreSQL and one NATS: how fast, what the hop costs, how long a death is felt.

Only where there are PostgreSQL and nats-server. The nodes share the cores of this machine with both and with the load, so
three of them do not do three times as much here: the CPU of all nodes for an answer says more.
"""

import asyncio
import secrets
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import asyncpg

from tests.bench import failover, hop, nodes
from tests.bench.bench import Bench
from tests.bench.process import NO_LIMIT
from tests.bench.seated import Cluster
from tests.bench.spread import Figure
from tests.cluster.process import NatsServer, Node
from tests.store.conftest import POSTGRES


class Sizes(NamedTuple):
    rooms: int
    answers: int
    """In each room."""
    lone: int
    """Answers one after the other, on the holder and on another node."""
    runs: int
    deaths: int


SIZES = {"full": Sizes(12, 60, 40, 5, 3), "quick": Sizes(6, 30, 30, 3, 1), "tiny": Sizes(3, 4, 3, 1, 1)}


def measure(bench: Bench) -> list[Figure]:
    if not reachable(bench, "several nodes"):
        return []
    return asyncio.run(_measure(bench, SIZES[bench.size]))


def reachable(bench: Bench, what: str) -> bool:
    """Whether there are PostgreSQL and a NATS server; if not, why something is left out is said."""
    if shutil.which("nats-server") is None:
        bench.leave_out(f"{what}: there is no nats-server here")
        return False
    try:
        asyncio.run(_look())
    except (OSError, asyncpg.PostgresError) as error:
        why = f"no PostgreSQL at {POSTGRES} ({type(error).__name__}); MARCHWARDEN_TEST_POSTGRES names another"
        bench.leave_out(f"{what}: {why}")
        return False
    return True


async def _look() -> None:
    await (await asyncpg.connect(POSTGRES, timeout=5)).close()


async def _measure(bench: Bench, size: Sizes) -> list[Figure]:
    found = list[Figure]()
    with TemporaryDirectory() as folder:
        directory = Path(folder)
        nats = NatsServer(directory)
        nats.start()
        try:
            async with database() as store:
                speeds = nodes.Speeds()
                for count in (1, 2, 3):
                    bench.say(f"nodes: answers a second with {count}")
                    async with _nodes(count, directory, store, nats) as running:
                        await speeds.measure(running, size.rooms, size.answers, size.runs)
                        if count == 3:
                            bench.say("nodes: the hop to another one")
                            found += await hop.measure(Cluster(running, store), size.lone, size.runs)
                            bench.say("nodes: what a death is felt")
                            found += await failover.measure(Cluster(running, store), size.deaths)
        finally:
            nats.kill()
    return speeds.figures() + found


@asynccontextmanager
async def database() -> AsyncIterator[str]:
    """A database of our own, that is dropped at the end."""
    name = f"marchwarden_bench_{secrets.token_hex(6)}"
    connection = await asyncpg.connect(POSTGRES, timeout=5)
    try:
        await connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{POSTGRES.rpartition('/')[0]}/{name}"
        finally:
            await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    finally:
        await connection.close()


@asynccontextmanager
async def _nodes(count: int, directory: Path, store: str, nats: NatsServer) -> AsyncIterator[list[Node]]:
    async with AsyncExitStack() as stack:
        running = [
            Node(f"n{n}", directory, store, nats.url, "--drain-seconds", "0", "--no-share", *NO_LIMIT)
            for n in range(count)
        ]
        for node in running:
            await asyncio.to_thread(node.start)
            stack.push_async_callback(asyncio.to_thread, node.kill)
        yield running
