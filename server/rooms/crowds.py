"""Watchers by the thousand: what a room tells them goes out a few at a time, in its order, so that other rooms go on."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from server.rooms.audience import Listener, Viewer
from server.rooms.hall import Spawn
from server.rooms.letters import Letter

NEAR = 16
"""So many watchers of a room are told at once."""
FEW = 8
"""So many of a crowd are told in a turn of the event loop."""
MANY = 64
"""When so many changes wait for a crowd, a snapshot takes their place."""
MOST = 4 * MANY
"""When so much waits, with the talk, the oldest talk is dropped."""


class _News(NamedTuple):
    number: int
    letter: Letter
    watchers: list[Listener]


@dataclass
class _Queue:
    """What waits to be told to the watchers of one room."""

    news: deque[_News] = field(default_factory=deque)
    told: int = 0
    """How many have been told the first of it."""
    number: int = 0
    """Of the next news."""
    changes: int = 0
    """How much of it is not talk."""
    known: dict[tuple[Listener, bool], int] = field(default_factory=dict)
    """Who caught up meanwhile knows what has a lower number: the changes, and on its own the talk."""
    stale: bool = False
    """Whether news was dropped: nothing can be understood until a snapshot comes."""

    def drop_changes(self) -> None:
        """Keep the first, which some were told already, and the talk."""
        first, *rest = self.news
        self.news = deque([first, *(news for news in rest if news.letter.talk)])
        self.changes = int(not first.letter.talk)
        self.stale = True

    def forget_oldest(self) -> bool:
        """Let go of the oldest talk that nobody has been told: there is no end to it."""
        oldest = next(n for n, news in enumerate(self.news) if n and news.letter.talk)
        del self.news[oldest]
        return True


class Crowds:
    """The watchers of all rooms of a node.

    A watcher gets what it would get if everybody were told at once, in the same order, a little later. A crowd that is
    told less quickly than its room is played gets a snapshot in place of what it is behind, and still the talk, up to a bound.
    """

    def __init__(self, spawn: Spawn | None, here: Callable[[Listener, str], bool]) -> None:
        """`spawn` runs what takes time; without it everybody is told at once. `here`: is a connection in a room?"""
        self._spawn = spawn
        self._here = here
        self._queues: dict[str, _Queue] = {}
        self._telling = False

    def __len__(self) -> int:
        return sum(len(queue.news) for queue in self._queues.values())

    def catch_up(self, caller: Listener, viewer: Viewer, letter: Letter) -> None:
        """Tell a connection, at once, what it has asked for: with that it knows all that still waits for the others."""
        if queue := self._queues.get(letter.room):
            queue.known[caller, letter.talk] = queue.number
        post(caller, viewer, letter)

    def tell(self, watchers: list[Listener], letter: Letter) -> bool:
        """Tell all watchers of a room. False if they are so far behind that they need a snapshot: tell them one."""
        queue = self._queues.get(letter.room)
        if queue is None and (self._spawn is None or len(watchers) <= NEAR):
            for watcher in watchers:
                post(watcher, None, letter)
            return True
        if queue is None:
            queue = self._queues[letter.room] = _Queue()
        if letter.fresh:
            queue.stale = False
        elif queue.stale and not letter.talk:
            return True
        queue.news.append(_News(queue.number, letter, watchers))
        queue.number += 1
        queue.changes += not letter.talk
        self._start()
        if queue.changes <= MANY or queue.stale:
            return len(queue.news) <= MOST or queue.forget_oldest()
        queue.drop_changes()
        return False

    def _start(self) -> None:
        if not self._telling and self._spawn is not None:
            self._telling = True
            self._spawn(self._tell_all())

    async def _tell_all(self) -> None:
        """A few of one crowd, then a few of the next, with a turn of the event loop between."""
        try:
            while self._queues:
                room = next(iter(self._queues))
                queue = self._queues.pop(room)
                self._tell_few(room, queue)
                if queue.news:
                    self._queues[room] = queue
                await asyncio.sleep(0)
        finally:
            self._telling = False

    def _tell_few(self, room: str, queue: _Queue) -> None:
        number, letter, watchers = queue.news[0]
        talk = letter.talk
        for watcher in islice(watchers, queue.told, queue.told + FEW):
            if queue.known.get((watcher, talk), 0) <= number and self._here(watcher, room):
                post(watcher, None, letter)
        queue.told += FEW
        if queue.told >= len(watchers):
            queue.changes -= not queue.news.popleft().letter.talk
            queue.told = 0


def post(listener: Listener, viewer: Viewer, letter: Letter) -> None:
    """Give a letter to a connection. A snapshot makes up for all that is lost to a slow reader but for talk."""
    frame = letter.frame(viewer, listener.format)
    if letter.talk:
        listener.reply(frame)
    else:
        listener.post(letter.room, frame, letter.fresh)
