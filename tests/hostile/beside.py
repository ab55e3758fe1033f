"""The room beside the trouble: bots that play on, and how long the server takes to acknowledge their answers."""

import asyncio
import time
from statistics import median, quantiles
from typing import NamedTuple, Self

from protocol.client import connect
from protocol.errors import RequestError
from protocol.messages import Ok
from protocol.table import Table
from server.bots.drawing import drawing_player

PACE = 0.01


class Latency(NamedTuple):
    """Of some answers: how many there were, and from sending one to its `ok`, in milliseconds."""

    answers: int
    median: float
    p95: float
    worst: float

    @classmethod
    def of(cls, seconds: list[float]) -> Self:
        each = [1000 * second for second in seconds]
        return cls(len(each), median(each), quantiles(each, n=20)[-1], max(each))

    def __str__(self) -> str:
        return f"{self.median:.2f} ms median, {self.p95:.2f} p95, {self.worst:.1f} worst of {self.answers}"


class Bystanders:
    """A room of three that plays whole games, one after the other, until it is told that this one is the last."""

    def __init__(self, url: str, pace: float = PACE) -> None:
        self.finished = 0
        self.room = ""
        self._url = url
        self._pace = pace
        self._last = False
        self._took: list[float] = []
        self._sat = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._play())
        await self._sat.wait()
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def watch(self, seconds: float) -> Latency:
        """How quickly the answers of the next seconds are acknowledged."""
        self._took.clear()
        await asyncio.sleep(seconds)
        if self._task.done():
            self._task.result()
        return Latency.of(self._took)

    async def finish(self, seconds: float = 60) -> None:
        """Play this game to its end. Raises what went wrong in any of them, also that it takes for ever."""
        self._last, self._pace = True, 0
        await asyncio.wait_for(self._task, seconds)

    async def _play(self) -> None:
        while not self._last:
            async with connect(self._url) as host:
                made = await host.create_room(3)
                tokens = [
                    (await host.take_seat(made.room, house, invite=invite)).token
                    for house, invite in made.invites.items()
                ]
            self.room = made.room
            await asyncio.gather(*(self._sit(token, f"{made.room} {n}") for n, token in enumerate(tokens)))
            self.finished += 1

    async def _sit(self, token: str, seed: str) -> None:
        choose = drawing_player(seed)
        async with connect(self._url) as client:
            table = await client.enter(self.room, token)
            self._sat.set()
            async for prompt in table.prompts():
                await asyncio.sleep(self._pace)
                start = time.perf_counter()
                try:
                    reply = await table.answer(prompt, choose(prompt, table.view))
                except RequestError as error:
                    assert error.code in ("stale_prompt", "not_your_prompt", "room_over"), error
                else:
                    assert isinstance(reply, Ok)
                    self._took.append(time.perf_counter() - start)
            assert over(table)


def over(table: Table) -> bool:
    """Whether the game came to its proper end."""
    return table.view["phase"] == "over" and "winner" in table.view["result"]
