"""The face of a node of a cluster: to its clients in place of the desk, and to the other nodes."""

import asyncio
from itertools import count
from random import SystemRandom
from typing import Final

import structlog

from protocol.messages import AnyClientMessage, CreateRoom, Hello, ListRooms
from server.cluster.asks import Asks
from server.cluster.gifts import Gifts
from server.cluster.guests import Guests
from server.cluster.leased import Leased
from server.cluster.mail import Mail
from server.cluster.nodes import Nodes
from server.cluster.place import Place
from server.cluster.places import Places
from server.cluster.words import Ack, Ask, Gone, Lost, Move, Moved, News, Status, Still, Take, TooNew, Word
from server.log import explain
from server.rooms.audience import Listener
from server.rooms.desk import Desk
from server.rooms.hall import Hall, Spawn
from server.rooms.pace import Pace

log = structlog.get_logger()

WATCH_SECONDS: Final = 1.0
DUE_AT_ONCE: Final = 100
CHECK_TURNS: Final = 20
"""In every so many of these turns the other nodes are asked which of their clients are still there."""

_uniform = SystemRandom().uniform


class Front:
    """What comes from either side goes to the rooms that are here, or to the nodes that have them."""

    def __init__(self, desk: Desk, mail: Mail, leased: Leased, spawn: Spawn) -> None:
        self._desk = desk
        self._mail = mail
        self._leased = leased
        self.nodes = Nodes(mail, lambda: len(desk.hall) + len(leased.promised), lambda: not self.unready)
        self._guests = Guests(desk, mail, leased, self.nodes)
        self._asks = Asks(mail)
        self._places = Places(desk, mail, leased, self._asks, self.nodes, spawn)
        self._gifts = Gifts(desk, mail, leased, self.nodes)
        mail.ears = self
        desk.follow(self._room_lost)

    # ---- as the gateway sees it

    @property
    def draining(self) -> bool:
        """Whether the node takes nothing new."""
        return self._desk.draining

    @draining.setter
    def draining(self, value: bool) -> None:
        self._desk.draining = value

    @property
    def pace(self) -> Pace | None:
        """How fast seats may ask."""
        return self._desk.pace

    @pace.setter
    def pace(self, value: Pace | None) -> None:
        self._desk.pace = value

    @property
    def unready(self) -> str:
        """Why it is of no use to send new clients here, if so."""
        if self.draining:
            return "draining"
        if not self._mail.reachable():
            return "no other node can reach this one: NATS is away"
        return "the database is away" if self._leased.away else ""

    @property
    def hall(self) -> Hall:
        """The rooms that are here."""
        return self._desk.hall

    def handle(self, caller: Listener, message: AnyClientMessage) -> None:
        """Take a message where it belongs. Whatever is wrong with it ends in a reply; nothing is raised."""
        assert not isinstance(message, Hello)
        if isinstance(message, CreateRoom | ListRooms):
            self._desk.handle(caller, message)
        else:
            self._places.handle(caller, message)

    def refresh(self, caller: Listener, room_id: str) -> bool:
        """Have a snapshot sent to a client that lost letters of a room; False if it is in there no more."""
        return self._places.refresh(caller, room_id)

    def gone(self, caller: Listener) -> None:
        """The connection is lost: it leaves every room that it was in."""
        self._desk.gone(caller)
        self._places.gone(caller)

    # ---- as the node sees it

    def tick(self) -> None:
        """See to deadlines that have passed, and to leases that have."""
        for room in self._leased.over():
            self._desk.lose(room)
            self._leased.release(room)
        if not self._mail.reachable():
            self._lose_all()
        for room in self.hall.due():
            if self.hall.living(room):
                self._desk.wake(room)

    async def _watch(self) -> None:
        """One node of all looks after the deadlines of rooms that nobody has, until cancelled."""
        for turn in count(1):
            await asyncio.sleep(_uniform(0.5, 1.5) * WATCH_SECONDS)
            if turn % CHECK_TURNS == 0:
                self._guests.check_all()
            try:
                for room in await self._leased.watch(DUE_AT_ONCE):
                    self._desk.wake(room)
            except Exception as fault:
                log.error("fault", **explain(fault))

    async def hand_over(self) -> None:
        """Give all rooms away, at once: they are written, and nothing more is taken."""
        await self._mail.announce()
        await self._gifts.give_all()
        self._lose_all()
        await self._leased.give_all_back()
        await self._mail.flush()

    def work(self, spawn: Spawn) -> None:
        """Begin with what the node does by itself."""
        for each in (
            self._leased.keep(),
            self._watch(),
            self.nodes.tell(),
            self._gifts.even_out(),
            self._gifts.bring(),
        ):
            spawn(each)

    def _lose_all(self) -> None:
        for room in self.hall.in_memory():
            self._desk.lose(room)

    # ---- as other nodes see it

    def said(self, node: str, word: Word) -> None:
        """Another node says something."""
        match word:
            case Ask():
                self._guests.ask(node, word)
            case Gone():
                self._guests.gone(node, word)
            case Ack():
                self._asks.acknowledged(node, word)
            case News():
                self._places.hand_out(node, word)
            case Lost():
                self._places.lost(node, word.places, word.to)
            case Take():
                self._gifts.take(word.rooms)
            case Still():
                if gone := self._places.unknown(word.places):
                    self._mail.say(node, Gone(gone))
            case TooNew():
                pass  # the mail has seen to it

    def missed(self, node: str) -> None:
        """Something that a node said was lost: whoever is in a room there enters it again."""
        self._guests.check(node)
        self._places.lost_there(node)

    def silent(self, node: str) -> None:
        """Nothing is heard of a node: its rooms are looked for anew."""
        self._guests.silent(node)
        self._asks.silent(node)
        self._places.lost_there(node)
        self.nodes.silent(node)

    def heard(self, status: Status) -> None:
        """Another node tells how it is."""
        self.nodes.heard(status)

    def status(self) -> Status:
        """How this node is."""
        return self.nodes.status()

    async def move(self, order: Move) -> Moved:
        """An operator has a room moved to another node."""
        return await self._gifts.move(order)

    def _room_lost(self, room: str, listeners: list[Listener]) -> None:
        """A room of this node is not here any more."""
        where = self._leased.where.get(room)
        self._guests.lost(listeners, where.node if where else "")
        for place in listeners:
            if isinstance(place, Place):
                self._desk.gone(place)
                place.lost()
