"""Telling games again that are over: a page at a time, a few entries at a time, so that no other room waits for it."""

import asyncio

import structlog
from msgspec import UNSET

from protocol.messages import AnyServerMessage, Moment, Replay, Replayed
from protocol.wire import pack
from server.game.refused import Refused
from server.log import explain
from server.rooms.archive import Unavailable
from server.rooms.audience import Listener, Send
from server.rooms.effects import internal, refusal
from server.rooms.hall import UNAVAILABLE, Hall, Living, Spawn
from server.rooms.retrace import Retrace, check
from server.rooms.room import Room

log = structlog.get_logger()

PAGE_BYTES = 128 * 1024
"""A page ends with the update that brings it to this size."""
READ_AT_ONCE = 200
"""Entries that are read from the archive at once."""
AT_ONCE = 10
"""Entries that are played between two looks at the rest of the world: some milliseconds."""
MOST_WAITING = 32
"""Replays that may wait for their turn; one is made at a time."""


class Replays:
    """Answers `replay`. Nothing is kept between two pages: the log is played again from its beginning."""

    def __init__(self, hall: Hall, spawn: Spawn | None, reply: Send) -> None:
        self._hall = hall
        self._spawn = spawn
        self._reply = reply
        self._waiting: set[Listener] = set()
        self._turn = asyncio.Lock()

    def ask(self, caller: Listener, message: Replay) -> None:
        """Answer as soon as the room is there and everything that happened in it is durable. Raises Refused."""
        if self._spawn is None or not self._hall.archive.keeps:
            hint = "Start it with a store: `marchwarden serve --store`."
            raise Refused("not_supported", "This server keeps no log of its games.", path="room", hint=hint)
        if caller in self._waiting or len(self._waiting) >= MOST_WAITING:
            raise Refused(
                "rate_limited", "Other replays come first; this one was not looked at.", hint="Ask again later."
            )
        self._hall.visit(
            message.room,
            lambda living: self._begin(caller, message, living),
            lambda refused: self._reply(caller, refusal(refused, message.id)),
        )

    def _begin(self, caller: Listener, message: Replay, living: Living) -> None:
        if living.pending or living.lost:  # it may not be over in its log
            self._hall.archive.after(lambda: self._again(caller, message))
            return
        room = living.room
        try:
            check(room, message.as_, room.audience.viewer(caller) if caller in room.audience else None)
        except Refused as refused:
            self._reply(caller, refusal(refused, message.id))
            return
        assert self._spawn is not None
        self._waiting.add(caller)
        self._spawn(self._tell(caller, message, living))

    def _again(self, caller: Listener, message: Replay) -> None:
        try:
            self.ask(caller, message)
        except Refused as refused:
            self._reply(caller, refusal(refused, message.id))

    async def _tell(self, caller: Listener, message: Replay, living: Living) -> None:
        try:
            async with self._turn:
                reply: AnyServerMessage | None = await self._page(message, living.room)
        except Unavailable:
            reply = refusal(UNAVAILABLE, message.id)
        except Exception as fault:
            self._hall.meters.faults += 1
            log.error("fault", request="Replay", **living.about, **explain(fault))
            reply = internal(message.id, fault).reply
        finally:
            self._waiting.discard(caller)
        self._reply(caller, reply)

    async def _page(self, message: Replay, room: Room) -> Replayed:
        """The page that is asked for. Raises `Unavailable`."""
        again, updates, size, more = Retrace(room, message.as_), list[Moment](), 0, False
        after = -1 if message.after is UNSET else message.after
        if after < 0:
            updates.append(again.birth())
        while not more and (bodies := await self._hall.archive.log(room.id, again.n, READ_AT_ONCE)):
            for n, body in enumerate(bodies):
                moment = again.follow(body)
                if n % AT_ONCE == 0:
                    await asyncio.sleep(0)
                if moment is None or moment.seq <= after:
                    continue
                if more := len(updates) >= message.count or size >= PAGE_BYTES:
                    break
                updates.append(moment)
                size += len(pack(moment))
        return Replayed(message.id, room.id, updates, message.as_, more)
