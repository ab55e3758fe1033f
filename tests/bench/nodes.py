"""Answers a second with one, two and three nodes, by players who are where their room is."""

import asyncio
import time
from collections.abc import Sequence

from tests.bench.games import Drawing
from tests.bench.process import cpu_of
from tests.bench.spread import Figure, Spread, alone
from tests.bench.table import Seat, sit
from tests.cluster.process import Node

SEATS = 3


class Speeds:
    """What was measured of so many nodes."""

    def __init__(self) -> None:
        self._a_second: dict[int, list[float]] = {}
        self._cpu_us: dict[int, list[float]] = {}

    async def measure(self, nodes: Sequence[Node], rooms: int, answers: int, runs: int) -> None:
        """Play that many rooms, shared among the nodes."""
        seconds, costs = list[float](), list[float]()
        for run in range(runs):
            halls = [await sit(node.port, rooms // len(nodes), SEATS) for node in nodes]
            tables = [await host.tables(sockets, _nobody) for host, sockets in halls]
            games = [Drawing(run, answers) for _ in nodes]
            cpu, start = _cpu(nodes), time.perf_counter()
            await asyncio.gather(*(game.play(sat) for game, sat in zip(games, tables, strict=True)))
            given = sum(len(game.sizes) for game in games)
            seconds.append(given / (max(game.ended for game in games) - start))
            costs.append((_cpu(nodes) - cpu) / given * 1e6)
            for socket in (s for host, groups in halls for s in [host.socket, *(s for group in groups for s in group)]):
                socket.close()
        self._a_second[len(nodes)], self._cpu_us[len(nodes)] = seconds, costs

    def figures(self) -> list[Figure]:
        """Each as a ratio to one node."""
        found, one = list[Figure](), self._a_second[1]
        for count, seconds in self._a_second.items():
            ratio = Spread.of(a / b for a, b in zip(seconds, one, strict=True))
            text = f"{count} node{'s' * (count > 1)}: answers a second (ratio: to one node)"
            found.append(Figure(f"answers_a_second_{count}_nodes", text, Spread.of(seconds), None, ratio))
            found.append(
                alone(f"cpu_us_per_answer_{count}_nodes", "   CPU of all nodes an answer, us", *self._cpu_us[count])
            )
        return found


def _cpu(nodes: Sequence[Node]) -> float:
    return sum(cpu_of(node.pid) for node in nodes)


def _nobody(seat: Seat) -> None:
    """Not yet."""
