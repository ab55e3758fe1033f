"""Where messages are taken to their rooms, and from where the rooms' letters go out."""

from dataclasses import dataclass, field

import structlog

from protocol.messages import (
    AnswerPrompt,
    AnyClientMessage,
    CreateRoom,
    Enter,
    Error,
    Hello,
    Host,
    Leave,
    ListRooms,
    Ok,
    Retract,
    Say,
    TakeSeat,
)
from protocol.wire import encode
from server.game.refused import Refused
from server.log import explain
from server.rooms import keys
from server.rooms.audience import Listener
from server.rooms.effects import Effects, Post, attempt, internal
from server.rooms.hall import Hall
from server.rooms.letters import Update
from server.rooms.replies import Replies
from server.rooms.room import Room

log = structlog.get_logger()

MAX_ENTERED = 1000
"""How many rooms one connection may be in."""
LOGGED = {"seat_taken", "game_started", "room_closed", "room_frozen"}
"""Events of a room that the log tells, by name only."""


@dataclass
class _Visit:
    """What is known of a connection: what it asked outside of a seat, and the rooms that it is in."""

    replies: Replies = field(default_factory=Replies)
    rooms: dict[str, Room] = field(default_factory=dict)


class Desk:
    """Serves the connections of a node, one message at a time.

    A room settles a message at once; what it decided is delivered in the order of the decisions. Between the two is the
    place where a durable log commits.
    """

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.draining = False
        self._visits: dict[Listener, _Visit] = {}

    def handle(self, caller: Listener, message: AnyClientMessage) -> None:
        """Serve one message. Whatever is wrong with it ends in a reply; nothing is raised."""
        assert not isinstance(message, Hello)
        visit = self._visits.setdefault(caller, _Visit())
        try:
            effects = attempt(message.id, lambda: self._serve(caller, visit, message))
        except Exception as fault:
            effects = internal(message.id, fault)
        if effects.fault is not None:
            log.error("fault", **_about(caller, visit, message), **explain(effects.fault))
        if isinstance(effects.reply, Error):
            log.debug("refused", **_about(caller, visit, message), code=effects.reply.code)
        self._deliver(effects, caller)

    def gone(self, caller: Listener) -> None:
        """The connection is lost: it leaves every room that it was in."""
        visit = self._visits.pop(caller, None)
        for room in visit.rooms.values() if visit else ():
            self._deliver(room.leave(caller), caller)

    def refresh(self, caller: Listener, room_id: str) -> bool:
        """Send a snapshot to a connection that lost letters of a room; False if it is in there no more."""
        visit = self._visits.get(caller)
        if visit is None or room_id not in visit.rooms:
            return False
        room = visit.rooms[room_id]
        viewer = room.audience.viewer(caller)
        self._deliver(Effects(posts=[Post([(caller, viewer)], room.snapshot(viewer))]), caller)
        return True

    def _serve(self, caller: Listener, visit: _Visit, message: AnyClientMessage) -> Effects:
        if self.draining:
            raise Refused("server_draining", "This server is about to stop.", hint="Connect again in a moment.")
        match message:
            case CreateRoom():
                return visit.replies.once(message, lambda: self.hall.create(message))
            case ListRooms():
                return self.hall.list(message)
            case TakeSeat():
                return visit.replies.once(message, lambda: self._take_seat(message))
            case Enter():
                return self._enter(caller, visit, message)
            case Leave():
                return self._leave(caller, visit, message)
            case AnswerPrompt() | Retract() | Say():
                room = self.hall.find(message.room)
                return room.act(self._house(caller, room), message)
            case Host():
                return self.hall.find(message.room).command(message)
            case _:
                raise AssertionError(message)

    def _take_seat(self, message: TakeSeat) -> Effects:
        room = self.hall.find(message.room)
        return room.take_seat(message, keys.new_key(self.hall.entropy))

    def _enter(self, caller: Listener, visit: _Visit, message: Enter) -> Effects:
        room = self.hall.find(message.room)
        if len(visit.rooms) >= MAX_ENTERED and room.id not in visit.rooms:
            hint = "`leave` one, or open another connection."
            raise Refused("too_many_rooms", f"A connection may be in {MAX_ENTERED} rooms.", path="room", hint=hint)
        effects = room.enter(caller, message)
        visit.rooms[room.id] = room
        return effects

    def _leave(self, caller: Listener, visit: _Visit, message: Leave) -> Effects:
        room = self.hall.find(message.room)
        visit.rooms.pop(room.id, None)
        effects = room.leave(caller)
        return effects._replace(reply=Ok(message.id, room=room.id, seq=room.seq))

    def _house(self, caller: Listener, room: Room) -> str:
        """The seat that a connection speaks for; no message can claim another."""
        if caller not in room.audience:
            hint = "`enter` it with your seat's token first."
            raise Refused("forbidden", "This connection is not in the room.", path="room", hint=hint)
        house = room.audience.viewer(caller)
        if house is None:
            hint = "`enter` the room with your seat's token."
            raise Refused("forbidden", "Spectators only watch.", path="room", hint=hint)
        return house

    def _deliver(self, effects: Effects, caller: Listener) -> None:
        if effects.reply is not None:
            caller.reply(encode(effects.reply, caller.format))
        for post in effects.posts:
            letter = post.letter
            for listener, viewer in post.to:
                listener.post(letter.room, letter.frame(viewer, listener.format), letter.fresh)
            if isinstance(letter, Update):
                for event in letter.events:
                    if event["type"] in LOGGED:
                        seat = {"seat": event["house"]} if "house" in event else {}
                        log.info(event["type"], room=letter.room, seq=letter.seq, **seat)


def _about(caller: Listener, visit: _Visit, message: AnyClientMessage) -> dict[str, str | int]:
    """What the log tells of a request: its kind, and where and for whom it was made."""
    about: dict[str, str | int] = {"request": type(message).__name__}
    if room := visit.rooms.get(getattr(message, "room", "")):
        about |= {"room": room.id, "seat": room.audience.viewer(caller) or "spectator", "seq": room.seq}
    return about
