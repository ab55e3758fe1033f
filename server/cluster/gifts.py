"""Rooms that go from node to node while they are played: given to one that has less to do, or that an operator names."""

import asyncio
from collections import deque
from collections.abc import Iterable
from functools import partial
from typing import Final

import structlog

from server.cluster import balance
from server.cluster.leased import Leased
from server.cluster.mail import Mail
from server.cluster.nodes import Nodes
from server.cluster.words import Move, Moved, Take
from server.game.refused import Refused
from server.log import explain
from server.rooms.desk import Desk
from server.rooms.hall import Living

log = structlog.get_logger()

EVEN_SECONDS: Final = 1.5
"""Between two looks whether rooms should be given away: longer than other nodes take to tell that they have got some."""
IDLE_SECONDS: Final = 0.5
"""In a room that is given away unasked nobody has done anything for so long."""
PAUSE_SECONDS: Final = 0.02
WAIT_TURNS: Final = 150
"""For so many pauses a room is waited for that is being written."""


class Gifts:
    """Gives rooms of this node away, and takes those that others give.

    The lease goes first, in the database; from that moment on nothing of the room is taken or shown here. Then those in it
    are told where it is now.
    """

    def __init__(self, desk: Desk, mail: Mail, leased: Leased, nodes: Nodes) -> None:
        self._desk = desk
        self._mail = mail
        self._leased = leased
        self._nodes = nodes
        self._coming: deque[str] = deque()
        self._wake = asyncio.Event()
        leased.birthplace = self._birthplace
        leased.born = lambda room, node: mail.say(node, Take([room]))

    # ---- giving

    def _birthplace(self, room: str) -> str:
        node = balance.birthplace(self._nodes.mine, self._nodes.others())
        if node:
            self._nodes.sent(node, 1)
        return node

    async def even_out(self) -> None:
        """Give rooms away while another node has clearly less to do, until cancelled."""
        while True:
            await asyncio.sleep(EVEN_SECONDS)
            try:
                if not self._desk.draining and (gift := balance.gift(self._nodes.mine, self._nodes.others())):
                    await self._give(dict.fromkeys(self._idle(gift.rooms), gift.node))
            except Exception as fault:
                log.error("fault", **explain(fault))

    def _idle(self, count: int) -> list[str]:
        """Rooms in which nothing happens right now, the one idle for longest first; not those that have only just come."""
        found = list[tuple[int, str]]()
        now = self._desk.hall.now()
        for room in self._desk.hall.in_memory():
            living, since = self._desk.hall.living(room), self._leased.since(room)
            if living is None or since is None or not _at_rest(living):
                continue
            touched = max(living.room.touched, living.visited)
            if now - touched >= IDLE_SECONDS * 1000 and (since >= balance.STAY_SECONDS or living.epoch == 1):
                found.append((touched, room))
        return [room for _, room in sorted(found)[:count]]

    async def move(self, order: Move) -> Moved:
        """An operator has a room moved."""
        if order.to == self._mail.node:
            return Moved("the room is on that node")
        if order.to not in self._nodes.others():
            return Moved("that node takes no rooms now")
        living = self._desk.hall.living(order.room)
        for _ in range(WAIT_TURNS):
            if living is None or _at_rest(living):
                break
            await asyncio.sleep(PAUSE_SECONDS)
            living = self._desk.hall.living(order.room)
        else:
            return Moved("the room is never at rest; try again")
        if living is None:
            return Moved("the node has not got the room any more; try again")
        done = await self._give({order.room: order.to})
        return Moved("" if done else "the database did not take it; try again")

    async def give_all(self) -> None:
        """The node stops: everything is written, and its rooms go to the others."""
        await self._give(balance.spread(self._desk.hall.in_memory(), self._nodes.others()))

    async def _give(self, heirs: dict[str, str]) -> set[str]:
        """Give rooms to nodes; those that are there now."""
        if not heirs:
            return set()
        try:
            done = await self._leased.hand(heirs)
            for node in set(heirs.values()):
                if rooms := [room for room in heirs if room in done and heirs[room] == node]:
                    self._nodes.sent(node, len(rooms))
                    self._mail.say(node, Take(rooms))
                    log.info("rooms_given", to=node, count=len(rooms), rooms=rooms[:10])
        finally:
            for room in heirs:
                self._desk.lose(room)
        return done

    # ---- taking

    def take(self, rooms: Iterable[str]) -> None:
        """These rooms are this node's now. Who is asked for one does not wait for the others."""
        self._leased.promised.update(rooms)
        self._coming.extend(rooms)
        self._wake.set()

    async def bring(self) -> None:
        """Bring what was given into memory, one after the other, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._coming:
                room = self._coming.popleft()
                if room in self._leased.promised:
                    done = asyncio.Event()
                    self._desk.hall.visit(room, partial(_set, done), partial(_set, done))
                    await done.wait()
                    self._desk.wake(room)


def _at_rest(living: Living) -> bool:
    return not living.pending and not living.lost


def _set(done: asyncio.Event, what: Living | Refused) -> None:
    done.set()
