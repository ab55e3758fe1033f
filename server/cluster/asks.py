"""What other nodes were asked to take, until they say whether they have."""

import asyncio
from itertools import count
from typing import Final, Literal, NamedTuple, TypeAlias

import structlog
from msgspec.structs import replace

from protocol.messages import Replay
from server.cluster.mail import Mail
from server.cluster.place import Place
from server.cluster.words import Ack, Ask, Gone, RoomMessage

log = structlog.get_logger()

ACK_SECONDS: Final = 1.0
"""For so long the node that has a room may take to say that it has got a message."""
REPLAYED: Final = 100
"""The most updates of a game that is told again in one go, from another node."""

Way: TypeAlias = Literal["taken", "moved", "silent"]
"""It was taken; the room is not there; nothing was heard."""


class _Asked(NamedTuple):
    """What another node was asked to take, and for whom."""

    node: str
    place: Place
    way: "asyncio.Future[Way]"
    again: str
    """The id of the request to enter again, if it is that."""


class Asks:
    """Messages of clients of this node that are on their way to the nodes that have the rooms."""

    def __init__(self, mail: Mail) -> None:
        self._mail = mail
        self._numbers = count(1)
        self._asks: dict[int, _Asked] = {}

    async def ask(self, node: str, place: Place, message: RoomMessage, *, again: bool) -> Way:
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
        found: Way = "silent"
        try:
            async with asyncio.timeout(ACK_SECONDS):
                found = await way
        except TimeoutError:
            self._mail.meters.unanswered += 1
            log.info("not_acknowledged", by=node, room=place.room)
        finally:
            del self._asks[number]
        if place.gone:
            self._mail.say(node, Gone([place.number]))
        if found != "taken":
            place.node = ""
            place.take_back(message)
        return found

    def acknowledged(self, node: str, ack: Ack) -> None:
        """A node says whether it has taken a message."""
        asked = self._asks.get(ack.number)
        if asked is None or asked.way.done() or asked.node != node:
            return
        place = asked.place
        if ack.taken and (place.again == asked.again if asked.again else not place.stale):
            # Not sooner: what is still on its way from before may lack what was lost. And not later: the answer is next.
            place.node = node
        asked.way.set_result("taken" if ack.taken else "moved")

    def silent(self, node: str) -> None:
        """Nothing is heard of a node: it takes nothing."""
        for asked in list(self._asks.values()):
            if asked.node == node and not asked.way.done():
                asked.way.set_result("moved")
