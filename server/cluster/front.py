"""Where the messages of the clients of a node go: to its own desk, or to the node that has the room."""

import asyncio
from itertools import count
from random import SystemRandom
from typing import Final, Literal, NamedTuple, TypeAlias

import structlog
from msgspec.structs import replace

from protocol.messages import AnyClientMessage, CreateRoom, Enter, Hello, ListRooms, Replay
from protocol.wire import encode
from server.cluster.guests import Guests
from server.cluster.leased import Leased, clock
from server.cluster.mail import Mail
from server.cluster.place import PASSING, Place
from server.cluster.words import Ack, Ask, Gone, Lost, News, RoomMessage, Still, Word
from server.game.refused import Refused
from server.log import explain
from server.rooms.audience import Listener
from server.rooms.desk import MAX_ENTERED, Desk
from server.rooms.effects import refusal
from server.rooms.hall import ELSEWHERE, Hall, Spawn
from server.rooms.pace import Pace

log = structlog.get_logger()

PATIENCE_SECONDS: Final = 12.0
"""For so long a message waits for its room to be found: longer than a lease of a node that has died."""
ACK_SECONDS: Final = 1.0
"""For so long the node that has a room may take to say that it has got a message."""
REPLY_SECONDS: Final = 4.0
"""And for so long to let a client in again."""
PAUSE_SECONDS: Final = 0.25
"""Between two looks for a room that is on its way."""
WATCH_SECONDS: Final = 1.0
DUE_AT_ONCE: Final = 100
REPLAYED: Final = 100
"""The most updates of a game that is told again in one go, from another node."""
CHECK_TURNS: Final = 20
"""In every so many of these turns the other nodes are asked which of their clients are still there."""

_uniform = SystemRandom().uniform

Way: TypeAlias = Literal["taken", "moved"]
DRAINING = Refused(
    "server_draining", "This server is about to stop.", hint="Connect again in a moment; nothing is lost."
)


class _Asked(NamedTuple):
    """What another node was asked to take, and for whom."""

    node: str
    place: Place
    way: "asyncio.Future[Way]"
    again: str
    """The id of the request to enter again, if it is that."""


class Front:
    """The face of a node of a cluster to its clients, in place of the desk, and to the other nodes.

    What a client says in a room is taken there in order, one message at a time, again if it may have been lost: the ids
    of requests see to it that nothing is done twice.
    """

    def __init__(self, desk: Desk, mail: Mail, leased: Leased, spawn: Spawn) -> None:
        self._desk = desk
        self._mail = mail
        self._leased = leased
        self._spawn = spawn
        self._guests = Guests(desk, mail)
        self._places: dict[int, Place] = {}
        self._of: dict[Listener, dict[str, Place]] = {}
        self._numbers = count(1)
        self._asks: dict[int, _Asked] = {}
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
    def ready(self) -> bool:
        """Whether it is of use to send new clients here: not while other nodes cannot be reached."""
        return not self.draining and self._mail.reachable()

    @property
    def hall(self) -> Hall:
        """The rooms that are here."""
        return self._desk.hall

    def handle(self, caller: Listener, message: AnyClientMessage) -> None:
        """Take a message where it belongs. Whatever is wrong with it ends in a reply; nothing is raised."""
        assert not isinstance(message, Hello)
        if isinstance(message, CreateRoom | ListRooms):
            self._desk.handle(caller, message)
            return
        places = self._of.setdefault(caller, {})
        place = places.get(message.room)
        if isinstance(message, Enter) and place is None and len(places) >= MAX_ENTERED:
            hint = "`leave` one, or open another connection."
            why = Refused("too_many_rooms", f"A connection may be in {MAX_ENTERED} rooms.", path="room", hint=hint)
            caller.reply(encode(refusal(why, message.id), caller.format))
            return
        if place is None:
            place = places[message.room] = Place(caller, message.room, next(self._numbers), self._see_to)
            self._places[place.number] = place
        known = place.entered is None or place.node == self._mail.node
        if known and not place.moving and not place.stale and not self.draining and self._here(place.room):
            self._take_here(place, message)
            self._see_to(place)
        else:
            place.queue.append(message)
            self._see_to(place)

    def refresh(self, caller: Listener, room_id: str) -> bool:
        """Have a snapshot sent to a client that lost letters of a room; False if it is in there no more."""
        place = self._of.get(caller, {}).get(room_id)
        if place is None or not place.entered:
            return False
        place.seq, place.stale = None, True
        self._see_to(place)
        return True

    def gone(self, caller: Listener) -> None:
        """The connection is lost: it leaves every room that it was in."""
        self._desk.gone(caller)
        for place in list(self._of.pop(caller, {}).values()):
            self._leave(place)

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

    async def watch(self) -> None:
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
        self._lose_all()
        await self._leased.give_all_back()
        await self._mail.flush()

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
                self._acknowledged(node, word)
            case News():
                self._hand_out(node, word)
            case Lost():
                for place in self._theirs(node, word.places):
                    self._leased.where.pop(place.room, None)
                    place.lost()
            case Still():
                if gone := [number for number in word.places if number not in self._places]:
                    self._mail.say(node, Gone(gone))

    def missed(self, node: str) -> None:
        """Something that a node said was lost: whoever is in a room there enters it again."""
        self._guests.check(node)
        self._lost_there(node)

    def silent(self, node: str) -> None:
        """Nothing is heard of a node: its rooms are looked for anew."""
        self._guests.silent(node)
        for asked in list(self._asks.values()):
            if asked.node == node and not asked.way.done():
                asked.way.set_result("moved")
        self._lost_there(node)

    def _lost_there(self, node: str) -> None:
        for place in [place for place in self._places.values() if place.node == node]:
            place.lost()

    def _theirs(self, node: str, places: list[int]) -> list[Place]:
        """Those of the places that are in a room of that node; what it says to others is of old."""
        found = (self._places.get(number) for number in places)
        return [place for place in found if place is not None and place.node == node]

    def _hand_out(self, node: str, news: News) -> None:
        frame = news.frame
        for place in self._theirs(node, news.places):
            if news.reply:
                place.reply(frame)
            else:
                place.post(place.room, frame, news.fresh)

    def _acknowledged(self, node: str, ack: Ack) -> None:
        asked = self._asks.get(ack.number)
        if asked is None or asked.way.done() or asked.node != node:
            return
        place = asked.place
        if ack.taken and (place.again == asked.again if asked.again else not place.stale):
            # Not sooner: what is still on its way from before may lack what was lost. And not later: the answer is next.
            place.node = node
        asked.way.set_result("taken" if ack.taken else "moved")

    def _room_lost(self, room: str, listeners: list[Listener]) -> None:
        """A room of this node is not here any more."""
        self._guests.lost(listeners)
        for place in listeners:
            if isinstance(place, Place):
                self._desk.gone(place)
                place.lost()

    # ---- one client in one room

    def _see_to(self, place: Place) -> None:
        if place.gone or place.moving:
            return
        if place.stale or place.queue:
            place.moving = True
            self._spawn(self._move(place))
        elif place.idle:
            self._remove(place)

    def _remove(self, place: Place) -> None:
        self._places.pop(place.number, None)
        places = self._of.get(place.session)
        if places is not None and places.get(place.room) is place:
            del places[place.room]

    def _leave(self, place: Place) -> None:
        """The client is gone."""
        place.gone = True
        place.back.set()
        self._remove(place)
        if place.node == self._mail.node:
            self._desk.gone(place)
        elif place.node:
            self._mail.say(place.node, Gone([place.number]))

    async def _move(self, place: Place) -> None:
        try:
            while not place.gone and (place.stale or place.queue):
                if place.stale:
                    await self._enter_again(place)
                else:
                    message = place.current = place.queue.popleft()
                    refused = await self._find(place, message)
                    if refused is not None and place.current is message:
                        self._refuse(place, message, refused)
                    place.current = None
        finally:
            place.current = None
            place.moving = False
            self._see_to(place)

    async def _enter_again(self, place: Place) -> None:
        """What the client has asked meanwhile waits until it is inside again, or until that turns out to be impossible."""
        refused = await self._find(place, place.enter_again(), again=True)
        if refused is None:
            try:
                async with asyncio.timeout(REPLY_SECONDS):
                    await place.back.wait()
            except TimeoutError:
                place.lost()
            if place.stale:
                await asyncio.sleep(PAUSE_SECONDS)
            return
        while place.queue:
            self._refuse(place, place.queue.popleft(), refused)
        if refused.code not in PASSING:
            place.entered, place.stale = None, False
        await asyncio.sleep(_uniform(1, 3) * PAUSE_SECONDS)

    @staticmethod
    def _refuse(place: Place, message: RoomMessage, refused: Refused) -> None:
        if not place.gone:
            place.session.reply(encode(refusal(refused, message.id), place.format))

    async def _find(self, place: Place, message: RoomMessage, *, again: bool = False) -> Refused | None:
        """Take a message to wherever its room is; why not, if that cannot be."""
        until, room = clock() + PATIENCE_SECONDS, place.room
        while not place.gone and (place.again == message.id if again else place.current is message):
            if self.draining:
                return DRAINING
            if self._here(room):
                if not again and place.entered and place.node != self._mail.node:
                    return self._first_again(place, message)
                self._take_here(place, message, again=again)
                return None
            node = self._leased.where.get(room)
            if node is not None:
                if not again and place.entered and place.node != node:
                    return self._first_again(place, message)
                way = await self._ask(node, place, message, again=again)
                if way == "taken":
                    return None
                if place.entered and place.current is message:
                    return self._first_again(place, message)
            refused = await self._claim(room)
            if refused is ELSEWHERE and clock() < until:
                if self._leased.where.get(room) in {node, None}:
                    await asyncio.sleep(PAUSE_SECONDS)
            elif refused is not None:
                return refused
        return None

    @staticmethod
    def _first_again(place: Place, message: RoomMessage) -> None:
        """The room has moved: the client must enter again before this can be taken there."""
        place.node, place.stale, place.current = "", True, None
        place.queue.appendleft(message)

    def _here(self, room: str) -> bool:
        return self.hall.living(room) is not None and self._leased.holds(room)

    def _take_here(self, place: Place, message: RoomMessage, *, again: bool = False) -> None:
        place.node = self._mail.node
        if not again:
            place.take(message)
        self._desk.handle(place, message)
        if not self._desk.inside(place):
            self._desk.gone(place)

    async def _claim(self, room: str) -> Refused | None:
        """Bring a room here; why not, if that cannot be."""
        done: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()

        def settle(what: Refused | None) -> None:
            if not done.done():
                done.set_result(what)

        self.hall.visit(room, lambda living: settle(None), settle)
        return await done

    async def _ask(self, node: str, place: Place, message: RoomMessage, *, again: bool) -> Way:
        """Ask another node to take a message."""
        if self._mail.away():
            return "moved"
        way: asyncio.Future[Way] = asyncio.get_running_loop().create_future()
        number = next(self._numbers)
        self._asks[number] = _Asked(node, place, way, message.id if again else "")
        if not again:
            place.take(message)
        inside = not again and place.entered is not None
        if isinstance(message, Replay):  # in pages that a letter can carry
            sent: RoomMessage = replace(message, count=min(message.count, REPLAYED))
        else:
            sent = message
        self._mail.say(node, Ask(number, place.number, place.format, inside, sent))
        found: Way = "moved"
        try:
            async with asyncio.timeout(ACK_SECONDS):
                found = await way
        except TimeoutError:
            self.hall.meters.unanswered += 1
            log.info("not_acknowledged", by=node, room=place.room)
        finally:
            del self._asks[number]
        if place.gone:
            self._mail.say(node, Gone([place.number]))
        if found == "moved":
            place.node = ""
            place.take_back(message)
        return found
