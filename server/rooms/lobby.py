"""What is asked outside of rooms: to make one, and which there are."""

from protocol.messages import CreateRoom, ListRooms, RoomCreated, RoomLine, RoomList
from server.rooms.archive import Unavailable
from server.rooms.audience import Listener, Send
from server.rooms.effects import Effects, refusal
from server.rooms.entries import Birth
from server.rooms.hall import UNAVAILABLE, Hall, Spawn
from server.rooms.replies import Replies

LISTED = 50
"""Rooms a page of the list."""


class Lobby:
    """Makes rooms, durable before anybody hears of them, and lists the public ones."""

    def __init__(self, hall: Hall, spawn: Spawn | None, reply: Send) -> None:
        """`spawn` runs what takes time; without it rooms are in memory only."""
        self._hall = hall
        self._spawn = spawn
        self._reply = reply

    def create(self, caller: Listener, replies: Replies, message: CreateRoom) -> None:
        """Make a room; `replies` are those to what the connection asked before. Raises Refused."""
        making: list[Birth] = []

        def make(body: bytes) -> Effects:
            reply, birth = self._hall.conceive(message)
            making.append(birth)
            return Effects(reply)

        reply = replies.once(message, make).reply
        if not making or not isinstance(reply, RoomCreated):
            self._reply(caller, reply)
        elif self._spawn is None:
            self._hall.add(reply.room, making[0])
            self._reply(caller, reply)
        else:
            self._spawn(self._make(caller, replies, reply, making[0]))

    async def _make(self, caller: Listener, replies: Replies, reply: RoomCreated, birth: Birth) -> None:
        try:
            await self._hall.create(reply.room, birth)
        except Unavailable:
            replies.forget(reply.id)
            self._reply(caller, refusal(UNAVAILABLE, reply.id))
        else:
            self._reply(caller, reply)

    def lines(self, caller: Listener, message: ListRooms) -> None:
        """A page of the public rooms."""
        start, phase = message.filter.page * LISTED, message.filter.phase or None
        if self._spawn is None:
            self._listed(caller, message, self._hall.lines(phase)[start : start + LISTED + 1])
        else:
            self._spawn(self._look(caller, message, phase, start))

    async def _look(self, caller: Listener, message: ListRooms, phase: str | None, start: int) -> None:
        try:
            lines = await self._hall.archive.lines(phase, start, LISTED + 1)
        except Unavailable:
            self._reply(caller, refusal(UNAVAILABLE, message.id))
        else:
            self._listed(caller, message, lines)

    def _listed(self, caller: Listener, message: ListRooms, lines: list[RoomLine]) -> None:
        self._reply(caller, RoomList(message.id, lines[:LISTED], more=len(lines) > LISTED))
