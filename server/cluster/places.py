"""All clients of this node in all their rooms, and how what they say gets there."""

import asyncio
from itertools import count
from random import SystemRandom
from typing import Final

from protocol.messages import AnswerPrompt, Enter
from protocol.wire import encode
from server.cluster.asks import Asks
from server.cluster.leased import Leased, Whereabouts, clock
from server.cluster.mail import Mail
from server.cluster.nodes import Nodes
from server.cluster.place import PASSING, Place
from server.cluster.words import Gone, News, RoomMessage
from server.game.refused import Refused
from server.rooms.audience import Listener
from server.rooms.desk import MAX_ENTERED, Desk
from server.rooms.effects import refusal
from server.rooms.hall import ELSEWHERE, Spawn

PATIENCE_SECONDS: Final = 12.0
"""For so long a message waits for its room to be found: longer than a lease of a node that has died."""
REPLY_SECONDS: Final = 4.0
"""For so long the node that has a room may take to let a client in again."""
PAUSE_SECONDS: Final = 0.25
"""Between two looks for a room that is on its way; shorter at first."""
VAIN: Final = 3
"""So often a node is asked that does not say a word, and yet renews its leases."""
QUEUED: Final = 500
"""So much of a client waits for a room at most: more than it may send at once."""

_uniform = SystemRandom().uniform

DRAINING = Refused(
    "server_draining", "This server is about to stop.", hint="Connect again in a moment; nothing is lost."
)
OUT_OF_REACH = Refused(
    "unavailable", "The server that has the room cannot be reached.", hint="Nothing has happened; try again soon."
)
TOO_MANY = Refused("rate_limited", "Too much of yours waits for this room.", hint="Send it again later.")


class Places:
    """The places of the clients of a node, each with a queue.

    What a client says in a room is taken there in order, one message at a time, again if it may have been lost: the ids
    of requests see to it that nothing is done twice.
    """

    def __init__(self, desk: Desk, mail: Mail, leased: Leased, asks: Asks, nodes: Nodes, spawn: Spawn) -> None:
        self._desk = desk
        self._mail = mail
        self._leased = leased
        self._asks = asks
        self._nodes = nodes
        self._spawn = spawn
        self._places: dict[int, Place] = {}
        self._of: dict[Listener, dict[str, Place]] = {}
        self._numbers = count(1)

    # ---- what comes from the clients

    def handle(self, caller: Listener, message: RoomMessage) -> None:
        """Take a message to its room, at once or as soon as that is found."""
        places = self._of.setdefault(caller, {})
        place = places.get(message.room)
        if isinstance(message, Enter) and place is None and len(places) >= MAX_ENTERED:
            hint = "`leave` one, or open another connection."
            why = Refused("too_many_rooms", f"A connection may be in {MAX_ENTERED} rooms.", path="room", hint=hint)
            self._mail.meters.refused(message, why.code)
            caller.reply(encode(refusal(why, message.id), caller.format))
            return
        if place is None:
            place = places[message.room] = Place(caller, message.room, next(self._numbers), self._see_to)
            self._places[place.number] = place
        known = place.entered is None or place.node == self._mail.node
        if known and not place.moving and not place.stale and not self._desk.draining and self._here(place.room):
            self._take_here(place, message)
        elif len(place.queue) >= QUEUED:
            self._refuse(place, message, TOO_MANY)
        else:
            place.queue.append(message)
        self._see_to(place)

    def refresh(self, caller: Listener, room_id: str) -> bool:
        """Have a snapshot sent to a client that lost letters of a room; False if it is in there no more."""
        place = self._of.get(caller, {}).get(room_id)
        if place is None or not place.entered:
            return False
        place.needs_all()
        return True

    def may_see(self, caller: Listener, room: str) -> bool:
        """Whether what waits to be written to a client may be: not if its room may have moved meanwhile."""
        place = self._of.get(caller, {}).get(room)
        if place is None or place.node not in ("", self._mail.node):
            return True
        return place.node != "" and self._leased.holds(room)

    def gone(self, caller: Listener) -> None:
        """The connection is lost: it leaves every room that it was in."""
        for place in list(self._of.pop(caller, {}).values()):
            self._leave(place)

    # ---- what comes from other nodes

    def hand_out(self, node: str, news: News) -> None:
        """Another node has news for some of them."""
        frame = news.frame
        for place in self._theirs(node, news.places):
            if news.reply:
                place.reply(frame)
            else:
                place.post(place.room, frame, news.fresh)

    def lost(self, node: str, numbers: list[int], to: str) -> None:
        """These are in a room of that node no more; it is `to` another one, if that is known."""
        for place in self._theirs(node, numbers):
            self._leased.where.pop(place.room, None)
            if to and to != self._mail.node:
                self._leased.where[place.room] = Whereabouts(to)
            place.lost()

    def lost_there(self, node: str) -> None:
        """All that are in rooms of that node enter them again, wherever those are now."""
        for place in [place for place in self._places.values() if place.node == node]:
            place.lost()

    def unknown(self, numbers: list[int]) -> list[int]:
        """Those of the numbers whose client is gone."""
        return [number for number in numbers if number not in self._places]

    def _theirs(self, node: str, numbers: list[int]) -> list[Place]:
        """Those of the places that are in a room of that node; what it says to others is of old."""
        found = (self._places.get(number) for number in numbers)
        return [place for place in found if place is not None and place.node == node]

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
                        self._refuse_all(place, refused)
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
        self._refuse_all(place, refused)
        if refused.code not in PASSING:
            place.entered, place.stale = None, False
        await asyncio.sleep(_uniform(1, 3) * PAUSE_SECONDS)

    def _refuse_all(self, place: Place, refused: Refused) -> None:
        """What waits behind would find the same."""
        while place.queue:
            self._refuse(place, place.queue.popleft(), refused)

    def _refuse(self, place: Place, message: RoomMessage, refused: Refused) -> None:
        if not place.gone:
            self._mail.meters.refused(message, refused.code)
            place.session.reply(encode(refusal(refused, message.id), place.format))

    async def _find(self, place: Place, message: RoomMessage, *, again: bool = False) -> Refused | None:
        """Take a message to wherever its room is; why not, if that cannot be."""
        until, room, pause = clock() + PATIENCE_SECONDS, place.room, PAUSE_SECONDS / 8
        vain, holder = 0, Whereabouts("")
        while not place.gone and (place.again == message.id if again else place.current is message):
            if self._desk.draining:
                return DRAINING
            if self._here(room):
                if not again and place.entered and place.node != self._mail.node:
                    return self._first_again(place, message)
                self._take_here(place, message, again=again)
                return None
            where = self._leased.where.get(room)
            if where is not None:
                if not again and place.entered and place.node != where.node:
                    return self._first_again(place, message)
                way = await self._asks.ask(where.node, place, message, again=again)
                if way == "taken":
                    return None
                vain += way == "silent"
                if place.entered and place.current is message:
                    return self._first_again(place, message)
            refused = await self._claim(room)
            if refused is ELSEWHERE and clock() < until:
                now = self._leased.where.get(room)
                if now is not None and now.node == holder.node and holder.until:
                    if vain >= VAIN and now.until > holder.until:
                        return OUT_OF_REACH
                elif now is not None:
                    holder, vain = now, vain if now.node == holder.node else 0
                if now is None or (where is not None and now.node == where.node):
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, PAUSE_SECONDS)
            elif refused is not None:
                return refused
        return None

    @staticmethod
    def _first_again(place: Place, message: RoomMessage) -> None:
        """The room has moved: the client must enter again before this can be taken there."""
        place.node, place.stale, place.current = "", True, None
        place.queue.appendleft(message)

    def _here(self, room: str) -> bool:
        return self._desk.hall.living(room) is not None and self._leased.holds(room)

    def _take_here(self, place: Place, message: RoomMessage, *, again: bool = False) -> None:
        place.node = self._mail.node
        if not again:
            place.take(message)
        self._nodes.answers += isinstance(message, AnswerPrompt)
        self._desk.handle(place, message)
        if not self._desk.inside(place):
            self._desk.gone(place)

    async def _claim(self, room: str) -> Refused | None:
        """Bring a room here; why not, if that cannot be."""
        done: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()

        def settle(what: Refused | None) -> None:
            if not done.done():
                done.set_result(what)

        self._desk.hall.visit(room, lambda living: settle(None), settle)
        return await done
