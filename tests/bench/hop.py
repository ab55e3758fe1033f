"""The extra hop: players on a node that does not hold their room, against players on the one that does, in turn."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from random import Random
from statistics import median

from protocol.legal import draw
from protocol.prompts import AnyPrompt
from protocol.table import Table
from tests.bench.seated import Cluster
from tests.bench.spread import Figure, Spread
from tests.cluster.process import Node


async def measure(cluster: Cluster, answers: int, runs: int) -> list[Figure]:
    """Answers one after the other, each when the one before is acknowledged."""
    times: dict[str, list[float]] = {"near": [], "far": []}
    costs: dict[str, list[float]] = {"near": [], "far": []}
    for run in range(runs):
        for where, choose in (("near", _holder), ("far", _another)):
            async with AsyncExitStack() as stack:
                _, tables = await cluster.seated(stack, choose)
                players, cpu = Players(tables, run), cluster.cpu
                took = [await players.answer() for _ in range(answers)]
                costs[where].append((cluster.cpu - cpu) / answers * 1e6)
                times[where].append(median(took) * 1000)
    return [
        _against("hop_ms", "ms to the ok of a player elsewhere (ratio: to one on the holder)", times),
        _against("hop_cpu_us", "   CPU of all nodes an answer, us", costs),
    ]


GIVE_UP_SECONDS = 20
LOOK_SECONDS = 0.001


class Players:
    """The players of a room; whoever is asked answers, one at a time."""

    def __init__(self, tables: Sequence[Table], seed: int) -> None:
        self._tables = tables
        self._rng = Random(seed)
        self._answered: set[int] = set()

    async def answer(self) -> float:
        """Seconds from an answer to its ok."""
        async with asyncio.timeout(GIVE_UP_SECONDS):
            while not (asked := self._asked()):  # noqa: ASYNC110 - whichever table it is that something happens at
                await asyncio.sleep(LOOK_SECONDS)
        table, prompt = asked[0]
        self._answered.add(prompt.id)
        answer, start = draw(prompt, self._rng), time.perf_counter()
        await table.answer(prompt, answer)
        return time.perf_counter() - start

    def _asked(self) -> list[tuple[Table, AnyPrompt]]:
        """The seats that have something to answer, and what."""
        found = [(table, table.prompt) for table in self._tables]
        return [(table, prompt) for table, prompt in found if prompt and prompt.id not in self._answered]


def _against(key: str, what: str, found: dict[str, list[float]]) -> Figure:
    ratio = Spread.of(far / near for far, near in zip(found["far"], found["near"], strict=True))
    return Figure(key, what, Spread.of(found["far"]), None, ratio)


def _holder(holder: Node, nodes: Sequence[Node]) -> Node:
    return holder


def _another(holder: Node, nodes: Sequence[Node]) -> Node:
    return next(node for node in nodes if node is not holder)
