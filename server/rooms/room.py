"""A room as a machine without I/O: inputs go in one at a time, what to tell whom comes out.

Everything that a room is follows from its birth and its entries: apply the same and it is the same, with the same seq. Who
is connected is not part of that, and has no seq.
"""

from collections import deque
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import UNSET, to_builtins

from protocol.messages import BotKind, Enter, Ok, Presence, Private, RoomLine, Said
from protocol.patch import diff
from server.rooms import keys
from server.rooms.audience import Audience, Listener, Viewer
from server.rooms.clock import Clock
from server.rooms.effects import Effects, Post
from server.rooms.entries import (
    Answered,
    AnyEntry,
    Birth,
    Closed,
    Extended,
    Frozen,
    Kicked,
    Manned,
    Paused,
    Resumed,
    Retracted,
    Returned,
    Started,
    Taken,
    Voted,
)
from server.rooms.face import Play, Rules
from server.rooms.history import History
from server.rooms.letters import Note, Update, Whole
from server.rooms.plates import Plates
from server.rooms.replies import Replies
from server.rooms.seats import Seat, Seats

Document = dict[str, Any]
Events = list[dict[str, Any]]

HEARD = 200
"""How many of the last messages of press are kept at hand."""
VOTED_MINUTES = 24 * 60
"""By how much a vote extends."""


class Room:
    """Seats, watchers, the game between them, and the numbered changes that everybody sees."""

    def __init__(self, room_id: str, birth: Birth, rules: Rules) -> None:
        self.id = room_id
        self.birth = birth
        self.settings = birth.settings
        self.rules = rules
        self.seats = Seats([Seat(house, invite) for house, invite in birth.invites.items()])
        self.clock = Clock(birth.settings.clock, birth.invites)
        self.audience = Audience()
        self.n = 0
        """How many entries were applied."""
        self.seq = 0
        self.closed = False
        self.frozen = False
        self.touched = birth.at
        """When something last happened here."""
        self.play: Play | None = None
        self.votes: dict[str, list[str]] = {}
        self.host_replies = Replies()
        self.heard: deque[Said] = deque(maxlen=HEARD)
        for house in list(self.seats)[self.settings.players - self.settings.bots :]:
            self.seats[house].man(self.settings.bot_kind)
        self._options: Document = {**to_builtins(self.settings), "seed_sha256": keys.commitment(birth.seed)}
        self._plates = Plates(self)
        self._history = History()
        self._shown: Document = {}
        self._shown_to: dict[str, Document] = {}
        self._connected: list[str] = []
        self._whole: Whole | None = None
        self._holding = False
        self._untold: Events = []
        self._unanswered: list[AnyEntry] = []
        self.show()

    # ---- what is seen

    @property
    def phase(self) -> Literal["lobby", "playing", "over"]:
        """What may be done in the room."""
        if self.closed or (self.play is not None and self.play.over):
            return "over"
        return "lobby" if self.play is None else "playing"

    def document(self) -> Document:
        """The public document, as a spectator sees it now."""
        here = set(self.connected())
        houses = {
            house: {**part, "connected": house in here} if "name" in part else part
            for house, part in self._shown["houses"].items()
        }
        return {**self._shown, "houses": houses}

    def _public(self) -> Document:
        """What of the public document follows from the inputs: all but who is connected."""
        game: Document = {"phase": "lobby"} if self.play is None else self.play.public()
        document: Document = {"room": self.id, "seq": self.seq, "options": self._options, **game}
        document["houses"] = self._plates.shown(game.get("houses", {}))
        if self.votes:
            document["votes"] = self.votes
        if self.clock.paused:
            document["paused"] = self.clock.paused
        if self.frozen:
            document["frozen"] = True
        if self.phase == "over":
            document["phase"] = "over"
            document.pop("waiting", None)
            document["options"] = {**self._options, "seed": self.birth.seed.hex()}
        return document

    def you(self, house: str) -> Document:
        """A seat's own part of the document."""
        if self.play is None:
            return {"house": house}
        you = self.play.you(house)
        if self.closed:
            return {key: value for key, value in you.items() if key != "prompt"}
        due = self.deadline(house)
        return you if due is None or "prompt" not in you else {**you, "prompt": {**you["prompt"], "deadline": due}}

    def connected(self) -> list[str]:
        """The seats that somebody is connected to."""
        return [house for house in self.seats if self.audience.present(house)]

    @property
    def bots_asked(self) -> list[str]:
        """The seats whose bots shall answer now.

        Bots play while a person has a seat or anybody looks on; else nobody would miss anything but the electricity.
        They rest while the clocks are paused.
        """
        manned = self.seats.manned
        if not manned or self.phase != "playing" or self.frozen or self.clock.paused:
            return []
        return [house for house in self.started.owing if house in manned] if self.seats.played or self.audience else []

    def deadline(self, house: str) -> int | None:
        """When a seat must have answered; a bot has no deadline."""
        return None if self.seats[house].bot else self.clock.deadline(house)

    @property
    def wake(self) -> int | None:
        """When something must be done here though nobody asks for it: at the next deadline, at once if a bot is asked."""
        if self.bots_asked:
            return self.touched
        if self.clock.options is None:
            return None
        return min((due for house in self.seats if (due := self.deadline(house)) is not None), default=None)

    def snapshot(self, viewer: Viewer) -> Whole:
        """The whole document as one viewer sees it; its public part is packed once."""
        if self._whole is None:
            self._whole = Whole(self.id, self.seq, self.document())
        return self._whole if viewer is None else self._whole.for_seat(self._shown_to[viewer])

    def line(self) -> RoomLine:
        """The room in a list of rooms."""
        return RoomLine(self.id, self.settings.players, self.phase, self.seats.free, self._shown.get("round", 0))

    # ---- inputs

    def hold(self) -> None:
        """From now on nothing is told of what changes, until `release`: whoever keeps the log notes that as `joined`."""
        self._holding = True

    def release(self) -> list[Post]:
        """Tell of all that changed since `hold`, as of one change."""
        self._holding = False
        return self.publish(())

    def apply(self, entry: AnyEntry) -> list[Post]:
        """Takes an input, and gives what everybody is told of it. Raises `Refused` and has changed nothing.

        Whatever else is raised was raised by the game, which has changed nothing either. What is held, or `joined` to the
        next input, is told with that.
        """
        events = self._change(entry)
        if self.votes:
            events = [*events, *self._count(entry.at)]
        self.n += 1
        self.touched = entry.at
        self.clock.follow(entry.at, self.play.owing if self.play and self.phase == "playing" else {})
        if entry.request and not isinstance(entry, Taken):
            self._unanswered.append(entry)
        if self._holding or entry.joined:
            self._untold += events
            return []
        return self.publish(events)

    def _change(self, entry: AnyEntry) -> Events:
        match entry:
            case Answered(house=house, prompt=prompt, answer=answer):
                return self._answer(entry, self.started.submit(house, prompt, answer))
            case Taken():
                return self._take(entry)
            case Started():
                return self._start()
            case Retracted(house=house, prompt=prompt):
                return self.started.retract(house, prompt)
            case Voted(house=house, on=on, yes=yes):
                return self._vote(house, on, yes)
            case Manned(houses=houses, kind=kind):
                return self._man(houses, kind)
            case Returned(house=house):
                self.seats[house].bot = ""
                self.clock.present(house)
                return [{"type": "seat_returned", "house": house}]
            case Paused() | Resumed() | Extended():
                return self._set_clock(entry)
            case Kicked(house=house, invite=invite):
                return self._kick(house, invite)
            case Frozen():
                self.frozen = True
                return [{"type": "room_frozen"}]
            case Closed():
                self.closed = True
                return [{"type": "room_closed"}]

    @property
    def started(self) -> Play:
        """The game, which must have started."""
        assert self.play is not None
        return self.play

    def _replies(self, entry: AnyEntry) -> Replies:
        house = getattr(entry, "house", "")
        return self.host_replies if isinstance(entry, Kicked) or not house else self.seats[house].replies

    def _take(self, entry: Taken) -> Events:
        """A seat gets its player, or the same player another token: the first was perhaps lost on its way."""
        seat, events = self.seats[entry.house], Events()
        if not seat.name:
            events.append({"type": "seat_taken", "house": entry.house, "name": entry.name})
            if self.play is None and self.settings.autostart and self.seats.free == [entry.house]:
                events += self._start()
        seat.take(entry.name, entry.token, (entry.request, entry.body))
        self.clock.present(entry.house)
        return events

    def _man(self, houses: list[str], kind: BotKind) -> Events:
        last = self.play is None and self.settings.autostart and self.seats.free and set(self.seats.free) <= set(houses)
        events: Events = [{"type": "bot_seated", "house": house, "kind": kind} for house in houses]
        if last:
            events += self._start()
        for house in houses:
            self.seats[house].man(kind)
            self.clock.present(house)
        return events

    def _start(self) -> Events:
        self.play = self.rules.new(self.settings.players, self.birth.seed, self.settings.tides)
        return [{"type": "game_started", "houses": list(self.seats)}]

    def _answer(self, entry: Answered, events: Events) -> Events:
        house = entry.house
        self.votes = {on: houses for on, houses in self.votes.items() if on != "undo"}  # what was shown stays as it was
        if entry.given_up:
            return [{"type": "answers_given_up", "house": house}, *events]
        if not entry.missed:
            if not self.seats[house].bot:
                self.seats[house].claim = None
            self.clock.present(house)
        elif not self.clock.hands[house].autopilot:
            told: Events = [{"type": "deadline_missed", "house": house}]
            if self.clock.missed(house):
                told.append({"type": "seat_on_autopilot", "house": house})
            return told + events
        return events

    def _vote(self, house: str, on: str, yes: bool) -> Events:
        votes = [h for h in self.votes.get(on, []) if h != house] + [house] * yes
        others = {key: value for key, value in self.votes.items() if key != on}
        self.votes = {**others, **({on: votes} if votes else {})}
        return [{"type": "voted", "house": house, "on": on, "yes": yes}]

    def _count(self, at: int) -> Events:
        """Carries out what all want who are asked: also when one less is asked, because a bot plays for it now."""
        asked = {house for house in self.seats.played if not self.clock.hands[house].autopilot}
        wanted = [on for on, votes in self.votes.items() if asked <= set(votes)]
        self.votes = {on: votes for on, votes in self.votes.items() if on not in wanted}
        return [event for on in wanted for event in self._carry(on, at)]

    def _carry(self, on: str, at: int) -> Events:
        """What all seats want (a vote whose moment has passed does nothing)."""
        if on == "undo":
            return self.play.undo() if self.play and self.play.undoable else []
        if on == "pause":
            return self._set_clock(Paused(at=at))
        return self._set_clock(Resumed(at=at) if on == "resume" else Extended(at=at, minutes=VOTED_MINUTES))

    def _set_clock(self, entry: AnyEntry) -> Events:
        match entry:
            case Paused() if not self.clock.paused:
                self.clock.pause(entry.at)
                return [{"type": "clocks_paused"}]
            case Resumed() if self.clock.paused:
                self.clock.resume(entry.at)
                return [{"type": "clocks_resumed"}]
            case Extended(minutes=minutes):
                self.clock.extend(minutes * 60_000)
                return [{"type": "clocks_extended", "minutes": minutes}]
            case _:
                return []

    def _kick(self, house: str, invite: bytes) -> Events:
        """A seat is free; one that was so already gets another invite."""
        seat = self.seats[house]
        event = "seat_freed" if seat.name else "invite_renewed"
        seat.leave(invite)
        for listener, _ in self.audience.of(house):
            self.audience.enter(listener, None)
        if self.play:
            self.clock.leave(house)
        return [{"type": event, "house": house}]

    # ---- coming and going

    def missed(self, since: int, recovered: Sequence[Update] = ()) -> list[Update] | None:
        """The updates after a seq, from the ring or, with what was recovered from the log, from both; None if not all."""
        if (ring := self._history.since(since, self.seq)) is not None:
            return ring
        if recovered and recovered[0].seq == since + 1:
            ring = self._history.since(recovered[-1].seq, self.seq)
            return None if ring is None else [*recovered, *ring]
        return None

    def enter(self, listener: Listener, message: Enter, recovered: Sequence[Update] = ()) -> Effects:
        """Let a connection in: with a token as that seat, without as a spectator. Raises Refused."""
        house = None
        if message.token is not UNSET:
            seat = self.seats.owned(message.token)
            house, seat.claim = seat.house, None
        self.audience.enter(listener, house)
        here = [(listener, house)]
        # A client that holds nothing may well say `since: 0`; it gets a snapshot too.
        missed = self.missed(message.since, recovered) if message.since else None
        told = self._presence(but=listener)
        if missed is None:
            posts = [Post(here, self.snapshot(house), own=True)]
        else:
            posts = [Post(here, update, own=True) for update in missed]
            if house is not None:
                posts.append(Post(here, self._private(house), own=True))
            posts.append(Post(here, Note(Presence(self.id, self.connected())), own=True))
        after = message.heard or 0
        posts += [Post(here, Note(said), own=True) for said in self.heard if said.at > after and hears(house, said)]
        return Effects(Ok(message.id, room=self.id, seq=self.seq), [*told, *posts])

    def show_out(self, listeners: Sequence[Listener]) -> list[Post]:
        """Tell connections that have lost their seat what is to be seen without one, and everybody who is there now."""
        here = [(listener, None) for listener in listeners]
        return [*self._presence(), *([Post(here, self.snapshot(None), own=True)] if here else [])]

    def leave(self, listener: Listener) -> Effects:
        """Let a connection go; its seat stays owned. Nothing to do if it is not here."""
        if listener not in self.audience:
            return Effects()
        self.audience.leave(listener)
        return Effects(posts=self._presence())

    def _presence(self, but: Listener | None = None) -> list[Post]:
        """Tell everybody who is connected, if that has changed."""
        connected = self.connected()
        if connected == self._connected:
            return []
        self._connected, self._whole = connected, None
        return [Post(self.audience.everybody(but), Note(Presence(self.id, connected)))]

    # ---- changes, and who hears of them

    def show(self) -> None:
        """Everything is shown anew: what was told before no longer matters (a room at its birth, or brought back)."""
        self._shown, self._whole = self._public(), None
        self._shown_to = {house: self.you(house) for house in self.seats}
        self._connected = self.connected()

    def publish(self, events: Sequence[dict[str, Any]]) -> list[Post]:
        """Tell everybody what changed in the document since the last time, each what it may see.

        A change that others notice gets the next seq. One that only its seat sees goes to that seat alone and leaves no
        trace anywhere else.
        """
        posts = self._told([*self._untold, *events])
        self._untold = []
        for entry in self._unanswered:
            reply = Ok(entry.request, room=self.id, seq=self.seq)
            self._replies(entry).remember(entry.request, entry.body, reply)
        self._unanswered.clear()
        return posts

    def _told(self, events: Events) -> list[Post]:
        document, seen = self._public(), {house: self.you(house) for house in self.seats}
        patch = diff(self._shown, document)
        you = {house: part for house in self.seats if (part := diff(self._shown_to[house], seen[house]))}
        self._shown_to = seen
        if not patch and not events:
            return [Post(self.audience.of(house), self._private(house)) for house in you]
        self.seq += 1
        self._shown, self._whole = {**document, "seq": self.seq}, None
        update = Update(self.id, self.seq, {"seq": self.seq, **patch}, events, you)
        self._history.add(update)
        return [Post(self.audience.everybody(), update)]

    def _private(self, house: str) -> Note:
        return Note(Private(self.id, self.seq, self._shown_to[house]))


def hears(viewer: Viewer, said: Said) -> bool:
    """Whether a viewer may hear a message of press."""
    return said.to == "all" or (viewer is not None and (viewer == said.sender or viewer in said.to))
