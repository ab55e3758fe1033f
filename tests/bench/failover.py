"""How long a death is felt: from the SIGKILL of the node that holds a room to the first answer that another node takes."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random

from protocol.errors import RequestError
from protocol.legal import draw
from protocol.table import Table
from tests.bench.seated import Cluster
from tests.bench.spread import Figure, alone
from tests.cluster.process import Node

RETRY_SECONDS = 0.05
GIVE_UP_SECONDS = 60


async def measure(cluster: Cluster, deaths: int) -> list[Figure]:
    """Some nodes die, one after the other, and come back."""
    took = []
    for _ in range(deaths):
        async with AsyncExitStack() as stack:
            holder, tables = await cluster.seated(stack, _another)
            await asyncio.to_thread(holder.kill)
            start = time.perf_counter()
            async with asyncio.timeout(GIVE_UP_SECONDS):
                await _answer(tables[0])
            took.append(time.perf_counter() - start)
        await asyncio.to_thread(holder.start)
    return [
        alone("failover_s", "s from the kill of a room's node to the first answer elsewhere", *took, mark="within 10 s")
    ]


async def _answer(table: Table) -> None:
    """As a patient player: again while it is `unavailable`."""
    while True:
        prompt = table.prompt
        assert prompt
        try:
            await table.answer(prompt, draw(prompt, Random(1)))
        except RequestError as error:
            if error.code != "unavailable":
                raise
            await asyncio.sleep(RETRY_SECONDS)
        else:
            return


def _another(holder: Node, nodes: Sequence[Node]) -> Node:
    return next(node for node in nodes if node is not holder)
