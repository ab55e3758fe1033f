"""What a room decided is written to the archive first, and shown when it is durable."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import structlog

from protocol.messages import AnyServerMessage
from protocol.wire import encode
from server.eyes.meters import By
from server.rooms import image
from server.rooms.archive import Page, Verdict
from server.rooms.audience import Listener
from server.rooms.crowds import Crowds, post
from server.rooms.effects import Effects, Post, refusal
from server.rooms.entries import Answered, pack
from server.rooms.hall import UNAVAILABLE, Hall, Living, Spawn
from server.rooms.letters import Update

log = structlog.get_logger()

PICTURE_EVERY = 32
"""Entries between two images of a room in its log."""
HASH_EVERY = 8
"""Entries between two hashes of the game in its log."""
Reply: TypeAlias = tuple[Listener, AnyServerMessage | None]
"""What a connection gets for what it asked."""
LOGGED = {"seat_taken", "game_started", "room_closed", "room_frozen", "seat_freed", "seat_on_autopilot", "bot_seated"}
"""Events of a room that the log tells, by name only."""


class Delivery:
    """Settles the effects of rooms in the order of their decisions.

    A room whose page could not be written is dropped and brought back from its log: nobody has heard of what is not there.
    """

    def __init__(self, hall: Hall, here: Callable[[Listener, str], bool], spawn: Spawn | None) -> None:
        """`here` says whether a connection is still there, and in a room; `spawn` runs what takes time."""
        self._hall = hall
        self._here = here
        self._crowds = Crowds(spawn, here)
        self._meters = hall.meters
        self.undone: Callable[[Listener, str], None] = lambda caller, request: None
        """Told of a request that has come to nothing: its reply must not be given when it is asked again."""
        self.follow: Callable[[Living], None] | None = None
        """In a cluster: has those in a room that was lost enter it again, wherever it is now."""
        self.losing: Callable[[Living], None] = lambda living: None
        """Told of a room that is lost, before it is gone."""
        self.written: Callable[[str], None] = lambda room: None
        """Told of a room of which all is written."""

    def settle(self, living: Living, effects: Effects, caller: Listener | None) -> None:
        """Write what was decided, then deliver it; what was decided before is delivered before."""
        self.settle_all(living, effects, [] if caller is None else [(caller, effects.reply)])

    def settle_all(self, living: Living, effects: Effects, replies: Sequence[Reply]) -> None:
        """The same for what several have asked, each with its reply; there is none in the effects themselves."""
        if not self._ours(living):
            self._unavailable(effects, replies)
            self.lose(living)
        elif (effects.entries or effects.spoken) and self._hall.archive.keeps:
            living.pending += 1
            self._hall.archive.write(
                page(living, effects), lambda verdict: self._settled(living, effects, replies, verdict)
            )
        elif living.pending:
            self._hall.archive.after(lambda: self._later(living, effects, replies))
        else:
            self._deliver(living, effects, replies)

    def _settled(self, living: Living, effects: Effects, replies: Sequence[Reply], verdict: Verdict) -> None:
        living.pending -= 1
        if verdict is Verdict.DURABLE and self._ours(living):
            self._deliver(living, effects, replies)
            if not living.pending:
                self.written(living.room.id)
            self._hall.let_go(living)
            return
        self._unavailable(effects, replies)
        self.lose(living)

    def _later(self, living: Living, effects: Effects, replies: Sequence[Reply]) -> None:
        if self._ours(living):
            self._deliver(living, effects, replies)
        else:
            self._unavailable(effects, replies)
            self.lose(living)

    def _ours(self, living: Living) -> bool:
        """Whether what is in memory may be shown: it is not ahead of its log, and no other node may have the room."""
        return not living.lost and self._hall.archive.holds(living.room.id)

    def _unavailable(self, effects: Effects, replies: Sequence[Reply]) -> None:
        for caller, reply in replies:
            if isinstance(request := getattr(reply, "id", None), str):
                self.undone(caller, request)
                self.reply(caller, refusal(UNAVAILABLE, request))
        for entry in effects.entries:
            if isinstance(entry, Answered) and entry.request:
                self._meters.answers[type(entry.answer), "player", "unavailable"] += 1

    def lose(self, living: Living) -> None:
        """The room ran ahead of its log, or its lease is over. Those in it see it again as soon as it is back."""
        if living.lost:
            return
        living.lost = True
        self.losing(living)
        room = living.room
        log.warning("room_lost", **living.about, seq=room.seq)
        self._hall.drop(living)
        if self.follow is not None:
            self.follow(living)
            return
        viewers = room.audience.everybody()

        def seat_again(back: Living) -> None:
            here = [(listener, house) for listener, house in viewers if self._here(listener, room.id)]
            for listener, house in here:
                back.room.audience.enter(listener, house)
            back.room.show()
            self.show(back, [listener for listener, _ in here])
            self._hall.wind(back)

        self._hall.visit(room.id, seat_again, lambda refused: None)

    def show(self, living: Living, listeners: list[Listener], *, own: bool = False) -> None:
        """Send the whole document to connections, as whoever they are in the room; `own`: they need it now."""
        room = living.room
        here = [(listener, room.audience.viewer(listener)) for listener in listeners if listener in room.audience]
        posts = [Post([pair], room.snapshot(pair[1])) for pair in here if pair[1] is not None]
        if watchers := [pair for pair in here if pair[1] is None]:
            posts.append(Post(watchers, room.snapshot(None), own))
        self.settle(living, Effects(posts=posts), None)

    # ---- delivery

    def _deliver(self, living: Living, effects: Effects, replies: Sequence[Reply]) -> None:
        for caller, reply in replies:
            self.reply(caller, reply)
        for each in effects.posts:
            self._hand_out(living, each)
            if isinstance(each.letter, Update):
                for event in each.letter.change.events:
                    if event["type"] in LOGGED:
                        seat = {"seat": event["house"]} if "house" in event else {}
                        log.info(event["type"], **living.about, seq=each.letter.seq, **seat)
                        self._meters.frozen += event["type"] == "room_frozen"
        for entry in effects.entries:
            if isinstance(entry, Answered):
                by: By = "player" if entry.request else "server" if entry.missed or entry.given_up else "bot"
                self._meters.answers[type(entry.answer), by, "ok"] += 1

    def _hand_out(self, living: Living, what: Post) -> None:
        """Who needs it and who plays get it now, the watchers when it is their turn."""
        letter, watchers = what.letter, list[Listener]()
        for listener, viewer in what.to:
            if what.own:
                self._crowds.catch_up(listener, viewer, letter)
            elif viewer is not None:
                post(listener, viewer, letter)
            else:
                watchers.append(listener)
        if watchers and not self._crowds.tell(watchers, letter):
            self.show(living, living.room.audience.watchers())

    def reply(self, caller: Listener, reply: AnyServerMessage | None) -> None:
        """Send a reply, at once."""
        if reply is not None:
            caller.reply(encode(reply, caller.format))


def page(living: Living, effects: Effects) -> Page:
    """What is to be written of the effects of an input, with an image of the room where one is due."""
    room = living.room
    first = room.n - len(effects.entries) + 1
    play = room.play
    bodies = []
    for n, entry in enumerate(effects.entries, first):
        state = play.hash() if play and n == room.n and n % HASH_EVERY == 0 else ""
        bodies.append(pack(entry, state))
    picture = None
    if effects.entries and room.n - living.pictured >= PICTURE_EVERY and not (play and play.undoable):
        picture, living.pictured = image.take(room), room.n
    return Page(
        room=room.id,
        epoch=living.epoch,
        first=first,
        entries=bodies,
        seats=[(getattr(entry, "house", ""), entry.request) for entry in effects.entries],
        at=room.touched,
        line=room.line(),
        private=room.settings.private,
        wake=room.wake,
        image=picture,
        spoken=effects.spoken,
    )
