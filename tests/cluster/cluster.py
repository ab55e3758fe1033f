"""Three nodes whose every wire can be cut."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from sqlalchemy import text

from protocol.client import Client, connect
from server.store.store import Store
from tests.cluster.cable import Cable
from tests.cluster.process import NatsServer, Node


class Cluster:
    """Three nodes, each with cables of its own to PostgreSQL and NATS, and clients of them."""

    def __init__(self, stack: contextlib.AsyncExitStack, store: str, nats_url: str) -> None:
        self.store = store
        self.nats_url = nats_url
        self.nodes: list[Node] = []
        self.nats: list[Cable] = []
        self.postgres: list[Cable] = []
        self.stack = stack

    async def stop(self) -> None:
        """All of them, as an operator does."""
        assert await asyncio.gather(*(asyncio.to_thread(node.stop) for node in self.nodes)) == [0, 0, 0]

    async def client(self, n: int, **how: Any) -> Client:
        return await self.stack.enter_async_context(connect(self.nodes[n].url, **how))

    async def owner(self, room: str) -> str:
        """The name of the node that has a room."""
        async with await Store.open(self.store) as store:
            rows = await store._database.read(
                lambda connection: connection.execute(
                    text("SELECT node FROM leases WHERE room = :r"), {"r": room}
                ).all()
            )
        return rows[0][0].rpartition("-")[0] if rows else ""


BAD = ("fault", "room_quarantined", "room_not_brought", "letter_not_read")
"""What no log of a node may tell, whatever happens to it."""


@contextlib.asynccontextmanager
async def three_nodes(postgres_url: str, nats_server: NatsServer, directory: Path) -> AsyncIterator[Cluster]:
    """A cluster that runs; at the end whatever still does is killed, and the log looked at."""
    where, _, database = postgres_url.rpartition("/")
    user, _, address = where.removeprefix("postgresql://").rpartition("@")
    async with contextlib.AsyncExitStack() as stack:
        made = Cluster(stack, postgres_url, nats_server.url)
        for n in range(3):
            nats = await stack.enter_async_context(Cable(nats_server.port).laid())
            postgres = await stack.enter_async_context(Cable(int(address.rpartition(":")[2] or 5432)).laid())
            url = f"postgresql://{user}@127.0.0.1:{postgres.port}/{database}"
            node = Node(f"n{n}", directory, url, f"nats://127.0.0.1:{nats.port}", "--drain-seconds", "1")
            stack.push_async_callback(asyncio.to_thread, node.kill)
            made.nodes.append(node)
            made.nats.append(nats)
            made.postgres.append(postgres)
        await asyncio.gather(*(asyncio.to_thread(node.start) for node in made.nodes))
        yield made
    log = (directory / "server.log").read_text().splitlines()
    bad = [line for line in log if any(f'"event": "{what}"' in line for what in BAD)]
    assert not bad, bad[:3]
