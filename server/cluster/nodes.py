"""The nodes that there are, and what each has to do."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from server.cluster.balance import Load
from server.cluster.leased import clock
from server.cluster.mail import Mail
from server.cluster.words import VERSION, Status

log = structlog.get_logger()

TELL_SECONDS: Final = 1.0
FORGET_SECONDS: Final = 3.0
"""Whose status is older gets no rooms."""
SMOOTH_SECONDS: Final = 10.0
"""Over about so long what a node has to do is averaged."""


@dataclass
class _Heard:
    load: Load
    ready: bool
    version: int
    at: float


class Nodes:
    """Tells the other nodes what this one has to do, and knows what they have."""

    def __init__(
        self, mail: Mail, rooms: Callable[[], int], ready: Callable[[], bool], now: Callable[[], float] = clock
    ) -> None:
        """`rooms` counts those of this node; `ready` says whether it takes more."""
        self._mail = mail
        self._rooms = rooms
        self._ready = ready
        self._now = now
        self._heard: dict[str, _Heard] = {}
        self._sent: dict[str, int] = {}
        self._mine = Load(0)
        self.answers = 0
        """How many answers of players have come to rooms of this node."""

    @property
    def mine(self) -> Load:
        """What this node has to do."""
        return self._mine._replace(rooms=self._rooms())

    def others(self) -> dict[str, Load]:
        """The other nodes that take rooms, with what is on its way to them."""
        self._forget()
        return {
            node: heard.load._replace(rooms=heard.load.rooms + self._sent.get(node, 0))
            for node, heard in self._heard.items()
            if heard.ready and heard.version >= VERSION
        }

    def heard(self, status: Status) -> None:
        """Another node tells how it is."""
        if status.node not in self._heard:
            log.info("node_heard", other=status.node)
        load = Load(status.rooms, status.answers, status.busy, status.lag)
        self._heard[status.node] = _Heard(load, status.ready, status.version, self._now())
        self._sent.pop(status.node, None)

    def sent(self, node: str, rooms: int) -> None:
        """Rooms are on their way to a node, which does not count them yet."""
        self._sent[node] = self._sent.get(node, 0) + rooms

    def silent(self, node: str) -> None:
        """Nothing is heard of a node."""
        self._heard.pop(node, None)

    async def tell(self) -> None:
        """Tell all nodes once a second, until cancelled."""
        before, used, answers = self._now(), time.process_time(), self.answers
        await self._mail.announce()
        await self._mail.ask_all()
        while True:
            await asyncio.sleep(TELL_SECONDS)
            now, using = self._now(), time.process_time()
            passed = max(now - before, 1e-6)
            part = min(1.0, passed / SMOOTH_SECONDS)
            self._mine = Load(
                rooms=0,
                answers=_towards(self._mine.answers, (self.answers - answers) / passed, part),
                busy=_towards(self._mine.busy, (using - used) / passed, part),
                lag=_towards(self._mine.lag, max(0.0, passed - TELL_SECONDS), part),
            )
            before, used, answers = now, using, self.answers
            await self._mail.announce()

    def status(self) -> Status:
        """How this node is."""
        return Status(VERSION, self._mail.node, self._ready(), *self.mine)

    def _forget(self) -> None:
        since = self._now() - FORGET_SECONDS
        for node in [node for node, heard in self._heard.items() if heard.at < since]:
            del self._heard[node]
            self._sent.pop(node, None)


def _towards(old: float, new: float, part: float) -> float:
    return old + (new - old) * part
