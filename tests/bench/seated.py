"""Tables on a cluster, whose players are where one wants them, with the client that everybody uses."""

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from typing import NamedTuple

import asyncpg

from protocol.client import connect
from protocol.table import Table
from tests.bench.process import cpu_of
from tests.cluster.process import Node

PLAYERS = 3


class Cluster(NamedTuple):
    """Nodes that run, and the database that they share."""

    nodes: Sequence[Node]
    store: str

    @property
    def cpu(self) -> float:
        """Seconds that all nodes have worked."""
        return sum(cpu_of(node.pid) for node in self.nodes)

    async def holder(self, room: str) -> Node:
        """The node that has a room."""
        connection = await asyncpg.connect(self.store, timeout=5)
        try:
            name = await connection.fetchval("SELECT node FROM leases WHERE room = $1", room)
        finally:
            await connection.close()
        return next(node for node in self.nodes if node.name == name.rpartition("-")[0])

    async def seated(
        self, stack: AsyncExitStack, choose: Callable[[Node, Sequence[Node]], Node]
    ) -> tuple[Node, list[Table]]:
        """The holder of a new room, and its players, all at the node that is chosen from the holder and all nodes."""
        async with connect(self.nodes[0].url) as maker:
            made = await maker.create_room(PLAYERS)
            tokens = [
                (await maker.take_seat(made.room, house, invite=invite)).token for house, invite in made.invites.items()
            ]
        holder = await self.holder(made.room)
        at, tables = choose(holder, self.nodes), list[Table]()
        for token in tokens:
            client = await stack.enter_async_context(connect(at.url))
            tables.append(await client.enter(made.room, token))
        return holder, tables
