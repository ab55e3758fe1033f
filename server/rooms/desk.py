"""Where messages are taken to their rooms."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import structlog
from msgspec.structs import replace

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
    Replay,
    Retract,
    Say,
    TakeSeat,
    Vote,
)
from server.game.refused import Refused
from server.log import explain
from server.rooms.archive import Unavailable
from server.rooms.audience import Listener
from server.rooms.catch_up import recover, recoverable, resumed
from server.rooms.delivery import Delivery, Reply
from server.rooms.effects import Effects, internal, refusal
from server.rooms.entries import AnyEntry
from server.rooms.gathered import Came, Gathered, Soon, apart
from server.rooms.hall import UNAVAILABLE, Hall, Living, Spawn
from server.rooms.letters import Update
from server.rooms.lobby import Lobby
from server.rooms.pace import Pace
from server.rooms.pilots import Bots, Pilots
from server.rooms.replays import Replays
from server.rooms.replies import Replies
from server.rooms.room import Room

log = structlog.get_logger()

MAX_ENTERED = 1000
"""How many rooms one connection may be in."""
RoomMessage = TakeSeat | Enter | AnswerPrompt | Retract | Say | Vote | Host | Leave


@dataclass
class _Visit:
    """What is known of a connection: what it asked outside of a seat, and the rooms that it is in."""

    replies: Replies = field(default_factory=Replies)
    rooms: set[str] = field(default_factory=set)
    parked: dict[str, list[RoomMessage]] = field(default_factory=dict)
    """By room: what it sent behind an `enter` that is still looked up in the log. What is sent in order is served in order."""


class Desk:
    """Serves the connections of a node, one message at a time.

    A room settles a message at once; what it decided is delivered when it is durable.
    """

    def __init__(
        self, hall: Hall, spawn: Spawn | None = None, pilots: Pilots | None = None, soon: Soon | None = None
    ) -> None:
        """`spawn` runs what takes time; `soon` has something done in the next turn of the event loop.

        Without it every answer is taken and shown on its own.
        """
        self.hall = hall
        self.draining = False
        self.pace: Pace | None = None
        """How fast seats may ask; who lets connections in sets it."""
        self._spawn = spawn
        self._visits: dict[Listener, _Visit] = {}
        self._delivery = Delivery(hall, self._here, spawn)
        self._delivery.undone = self._forget_reply
        self._gathered = Gathered(hall, soon, self._serve_all) if soon else None
        self._delivery.losing = self._give_up
        if self._gathered:
            self._delivery.written = self._gathered.written
        self._bots = Bots(hall, self._delivery, pilots, self._move_on) if pilots else None
        self._lobby = Lobby(hall, spawn, self._delivery.reply)
        self._replays = Replays(hall, spawn, self._delivery.reply)

    @property
    def unready(self) -> str:
        """Why it is of no use to send new clients here; empty if it is of use."""
        return "draining" if self.draining else ""

    # ---- connections

    def handle(self, caller: Listener, message: AnyClientMessage) -> None:
        """Serve one message. Whatever is wrong with it ends in a reply; nothing is raised."""
        assert not isinstance(message, Hello)
        visit = self._visits.setdefault(caller, _Visit())
        try:
            if self.draining:
                hint = "Connect again in a moment; nothing is lost."
                raise Refused("server_draining", "This server is about to stop.", hint=hint)
            match message:
                case AnswerPrompt() if self._gathered and self.hall.living(message.room) and not visit.parked:
                    self._gathered.add(caller, message)
                case CreateRoom():
                    self._lobby.create(caller, visit.replies, message)
                case ListRooms():
                    self._lobby.lines(caller, message)
                case Replay():
                    self._open(message.room)
                    self._replays.ask(caller, message)
                case _:
                    self._open(message.room)
                    self.hall.visit(
                        message.room,
                        lambda living: self._serve(caller, message, living),
                        lambda refused: self._refuse(caller, message, refused),
                    )
        except Refused as refused:
            self._refuse(caller, message, refused)
        except Exception as fault:
            self._report(fault, caller, message, self.hall.living(getattr(message, "room", "")))
            self._delivery.reply(caller, internal(message.id, fault).reply)

    def _refuse(self, caller: Listener, message: AnyClientMessage, refused: Refused) -> None:
        assert not isinstance(message, Hello)
        self.hall.meters.refused(message, refused.code)
        self._delivery.reply(caller, refusal(refused, message.id))

    def gone(self, caller: Listener) -> None:
        """The connection is lost: it leaves every room that it was in. What it sent before is served before."""
        if visit := self._visits.get(caller):
            for room_id in list(visit.rooms):
                self._open(room_id)
            del self._visits[caller]
            for room_id in visit.rooms:
                self._in_memory(room_id, lambda living: self._leave(caller, living))

    def _leave(self, caller: Listener, living: Living) -> None:
        living.visited = self.hall.now()
        self._delivery.settle(living, living.room.leave(caller), None)
        self.hall.let_go(living)

    def refresh(self, caller: Listener, room_id: str) -> bool:
        """Send a snapshot to a connection that lost letters of a room; False if it is in there no more."""
        visit = self._visits.get(caller)
        if visit is None or room_id not in visit.rooms:
            return False
        self._in_memory(room_id, lambda living: self._delivery.show(living, [caller], own=True))
        return True

    def guard(self, caller: Listener) -> None:
        """Nobody else can have a room: its news may always be written."""

    def tick(self) -> None:
        """Answer for seats whose time is up, in whatever room, in memory or not."""
        for room_id in self.hall.due():
            self.wake(room_id)

    async def hand_over(self) -> None:
        """Nobody else is there to have the rooms: they are in the archive, for whoever asks for them next."""

    def wake(self, room_id: str) -> None:
        """Answer for seats whose time is up in a room, in memory or not."""
        self._open(room_id)
        self.hall.visit(room_id, self._move_on, partial(self._not_woken, room_id))

    def _not_woken(self, room_id: str, refused: Refused) -> None:
        log.warning("room_not_woken", room=room_id, code=refused.code)
        if refused.code == "unavailable":
            self.hall.wake_later(room_id)

    # ---- as one of several nodes

    def follow(self, lost: Callable[[str, list[Listener]], None]) -> None:
        """From now on those in a room that was lost are not waited for here: `lost` has them enter it again."""

        def forget(living: Living) -> None:
            here = [listener for listener, _ in living.room.audience.everybody()]
            for listener in here:
                if visit := self._visits.get(listener):
                    visit.rooms.discard(living.room.id)
            lost(living.room.id, here)

        self._delivery.follow = forget

    def lose(self, room_id: str) -> None:
        """The room is not this node's any more: nobody is shown anything of what is in memory."""
        self._in_memory(room_id, self._delivery.lose)

    def inside(self, caller: Listener) -> bool:
        """Whether a connection is in a room, or about to be."""
        visit = self._visits.get(caller)
        return visit is not None and bool(visit.rooms or visit.parked)

    # ---- answers that come together

    def _open(self, room_id: str) -> None:
        """Serve the answers that wait for a room."""
        if self._gathered:
            self._gathered.open(room_id)

    def _give_up(self, living: Living) -> None:
        """Answers that wait for a room that is lost come to nothing."""
        if self._gathered:
            for caller, message in self._gathered.give_up(living.room.id):
                self._refuse(caller, message, UNAVAILABLE)

    def _serve_all(self, living: Living, came: list[Came]) -> None:
        for group in apart(came, living):
            if living.lost or not self.hall.archive.holds(living.room.id):
                for caller, message in group:
                    self._refuse(caller, message, UNAVAILABLE)
                continue
            try:
                if len(group) == 1:
                    self._serve(*group[0], living)
                else:
                    self._serve_together(living, [pair for pair in group if pair[0] in self._visits])
            except Exception as fault:
                for caller, message in group:
                    self._report(fault, caller, message, living)
                    self._delivery.reply(caller, internal(message.id, fault).reply)
                if self.hall.archive.keeps:  # what was taken and not shown is not in there: it is as it was before
                    self._delivery.lose(living)

    def _serve_together(self, living: Living, came: list[Came]) -> None:
        """Take answers of several seats, and show them as one change."""
        room, replies, entries = living.room, list[Reply](), list[AnyEntry]()
        room.hold()
        served = [
            (caller, self._effects(caller, self._visits[caller], message, living, [])) for caller, message in came
        ]
        posts = room.release()
        for caller, effects in served:
            reply = effects.reply
            if effects.entries and isinstance(reply, Ok):
                reply = replace(reply, seq=room.seq)  # only now is it known
            replies.append((caller, reply))
            entries += effects.entries
        entries[:-1] = [replace(entry, joined=True) for entry in entries[:-1]]
        self._delivery.settle_all(living, Effects(posts=posts, entries=entries), replies)
        self._move_on(living)

    # ---- in rooms

    def _serve(self, caller: Listener, message: RoomMessage, living: Living) -> None:
        visit = self._visits.get(caller)
        if visit is None:
            return  # it has gone while the room was brought back
        if message.room in visit.parked:
            visit.parked[message.room].append(message)
        elif isinstance(message, Enter) and self._spawn and recoverable(living, message):
            visit.parked[message.room] = []
            self._spawn(self._catch_up(caller, message, living))
        else:
            self._carry_out(caller, visit, message, living)

    async def _catch_up(self, caller: Listener, message: Enter, living: Living) -> None:
        """Let a connection in that was away for longer than the ring reaches back: what it missed is in the log."""
        try:
            recovered = await recover(self.hall.archive, living.room, message.since or 0)
        except Unavailable:
            recovered = []
        self.hall.visit(
            message.room,
            lambda now: self._come_back(caller, message, now, recovered),
            lambda refused: self._stay_away(caller, message, refused),
        )

    def _come_back(self, caller: Listener, message: Enter, living: Living, recovered: list[Update]) -> None:
        visit = self._visits.get(caller)
        if visit is None:
            return
        self._carry_out(caller, visit, message, living, recovered)
        for parked in visit.parked.pop(message.room, ()):
            self.handle(caller, parked)

    def _stay_away(self, caller: Listener, message: Enter, refused: Refused) -> None:
        self._refuse(caller, message, refused)
        if visit := self._visits.get(caller):
            for parked in visit.parked.pop(message.room, ()):
                self.handle(caller, parked)

    def _carry_out(
        self,
        caller: Listener,
        visit: _Visit,
        message: RoomMessage,
        living: Living,
        recovered: list[Update] | None = None,
    ) -> None:
        effects = self._effects(caller, visit, message, living, recovered or [])
        self._delivery.settle(living, effects, caller)
        self._move_on(living)
        if isinstance(message, Leave):
            self.hall.let_go(living)

    def _effects(
        self, caller: Listener, visit: _Visit, message: RoomMessage, living: Living, recovered: list[Update]
    ) -> Effects:
        """What comes of a message; what is wrong with it is in there, and a fault of ours is in the log."""
        try:
            effects = self._ask(caller, visit, message, living, recovered)
        except Refused as refused:
            effects = Effects(refusal(refused, message.id))
        except Exception as fault:
            effects = internal(message.id, fault)
        if effects.fault is not None:
            self._report(effects.fault, caller, message, living)
        if isinstance(effects.reply, Error):
            log.debug("refused", code=effects.reply.code, **_about(caller, message, living))
            self.hall.meters.refused(message, effects.reply.code)
        return effects

    def _ask(
        self, caller: Listener, visit: _Visit, message: RoomMessage, living: Living, recovered: list[Update]
    ) -> Effects:
        requests, room = living.requests, living.room
        match message:
            case TakeSeat():
                return visit.replies.once(message, lambda body: requests.take_seat(message, body))
            case Enter():
                return self._enter(caller, visit, message, living, recovered)
            case Leave():
                visit.rooms.discard(room.id)
                living.visited = self.hall.now()
                effects = room.leave(caller)
                return effects._replace(reply=Ok(message.id, room=room.id, seq=room.seq))
            case Host():
                return requests.command(message)
            case _:
                return self._act(self._house(caller, room), message, living)

    def _enter(
        self, caller: Listener, visit: _Visit, message: Enter, living: Living, recovered: list[Update]
    ) -> Effects:
        room = living.room
        if len(visit.rooms) >= MAX_ENTERED and room.id not in visit.rooms:
            hint = "`leave` one, or open another connection."
            raise Refused("too_many_rooms", f"A connection may be in {MAX_ENTERED} rooms.", path="room", hint=hint)
        effects = room.enter(caller, message, recovered)
        living.visited = self.hall.now()
        self.hall.meters.resumes[resumed(message, effects, recovered)] += 1
        visit.rooms.add(room.id)
        if house := room.audience.viewer(caller):
            back = living.requests.back(house)
            effects = effects._replace(posts=[*effects.posts, *back.posts], entries=back.entries)
        return effects

    def _act(self, house: str, message: AnswerPrompt | Retract | Say | Vote, living: Living) -> Effects:
        if self.pace is not None:
            self.pace.check(living.room.id, house, message)
        effects = living.requests.act(house, message)
        if self.pace is not None and isinstance(message, AnswerPrompt) and isinstance(effects.reply, Ok):
            self.pace.accepted(living.room.id, house)
        return effects

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

    def _move_on(self, living: Living) -> None:
        """Answers for seats that are on autopilot or whose time is up; has bots think about theirs."""
        effects = living.requests.due()
        if effects.fault is not None:
            self.hall.meters.faults += 1
            log.error("fault", **living.about, **explain(effects.fault))
        if effects.entries:
            self._delivery.settle(living, effects, None)
        if self._bots is not None:
            self._bots.ask(living)
        self.hall.wind(living)

    # ---- helpers

    def _forget_reply(self, caller: Listener, request: str) -> None:
        """What a connection asked has come to nothing: asked again it is done anew."""
        if visit := self._visits.get(caller):
            visit.replies.forget(request)

    def _here(self, caller: Listener, room_id: str) -> bool:
        """Whether a connection is still there, and in the room."""
        visit = self._visits.get(caller)
        return visit is not None and room_id in visit.rooms and self.hall.archive.holds(room_id)

    def _in_memory(self, room_id: str, then: Callable[[Living], None]) -> None:
        """Do something in a room, unless it is not in memory."""
        if living := self.hall.living(room_id):
            then(living)

    def _report(self, fault: Exception, caller: Listener, message: AnyClientMessage, living: Living | None) -> None:
        """Log a fault of ours and where it struck."""
        self.hall.meters.faults += 1
        log.error("fault", **_about(caller, message, living), **explain(fault))


def _about(caller: Listener, message: AnyClientMessage, living: Living | None) -> dict[str, str | int]:
    """What the log tells of a request: its kind, and where and for whom it was made."""
    about: dict[str, str | int] = {"request": type(message).__name__}
    if living:
        about |= living.about | {"seq": living.room.seq}
        if caller in living.room.audience:
            about["seat"] = living.room.audience.viewer(caller) or "spectator"
    return about
