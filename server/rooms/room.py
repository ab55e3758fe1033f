"""A room as a machine without I/O: one input at a time goes in, what to tell whom comes out."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from protocol.messages import AnswerPrompt, Enter, Host, Ok, Private, Retract, RoomLine, Said, Say, Seated, TakeSeat
from protocol.patch import diff
from server.game.refused import Refused
from server.rooms import keys
from server.rooms.audience import Audience, Listener, Viewer
from server.rooms.effects import Effects, Post, internal
from server.rooms.face import Play, Rules
from server.rooms.history import History
from server.rooms.letters import Note, Update, Whole
from server.rooms.replies import Replies, fingerprint
from server.rooms.seats import Seat, Seats

Document = dict[str, Any]
Events = list[dict[str, Any]]

MAX_FAULTS = 16


class Settings(NamedTuple):
    """How a room was made."""

    players: int
    tides: bool
    private: bool
    autostart: bool


class Room:
    """Seats, watchers, the game between them, and the numbered changes that everybody sees.

    Every method that takes an input settles it at once and returns its `Effects`, or raises `Refused` and has changed
    nothing. The seed stays in here until the room is over; its hash is in the document from the start.
    """

    def __init__(
        self,
        room_id: str,
        *,
        settings: Settings,
        seats: Sequence[Seat],
        host: bytes,
        seed: bytes,
        rules: Rules,
        now: Callable[[], float],
    ) -> None:
        """`host` is the hash of the host's token, `now` the time in seconds since 1970."""
        self.id = room_id
        self.settings = settings
        self.seats = Seats(seats)
        self.audience = Audience()
        self.seq = 0
        self.closed = False
        self.frozen = False
        self.touched = now()
        """When somebody last did something here."""
        self._host = host
        self._host_replies = Replies()
        self._seed = seed
        self._rules = rules
        self._now = now
        self._play: Play | None = None
        self._history = History()
        self._faults: set[bytes] = set()
        self._shown: Document = self.document()
        self._shown_to = {house: self.you(house) for house in self.seats}
        self._whole = Whole(self.id, self.seq, self._shown)

    # ---- what is seen

    @property
    def phase(self) -> Literal["lobby", "playing", "over"]:
        """What may be done in the room."""
        if self.closed or (self._play is not None and self._play.over):
            return "over"
        return "lobby" if self._play is None else "playing"

    def document(self) -> Document:
        """The public document (INTERFACE section 4)."""
        game: Document = {"phase": "lobby"} if self._play is None else self._play.public()
        options = {**self.settings._asdict(), "seed_sha256": keys.commitment(self._seed)}
        document: Document = {"room": self.id, "seq": self.seq, "options": options, **game, "houses": {}}
        for house in self.seats:
            name = self.seats[house].name
            plate = {"name": name, "connected": self.audience.present(house)} if name else {}
            document["houses"][house] = {**game.get("houses", {}).get(house, {}), **plate}
        if self.phase == "over":
            document["phase"] = "over"
            document.pop("waiting", None)
            options["seed"] = self._seed.hex()
        if self.frozen:
            document["frozen"] = True
        return document

    def you(self, house: str) -> Document:
        """A seat's own part of the document."""
        if self._play is None:
            return {"house": house}
        you = self._play.you(house)
        return {key: value for key, value in you.items() if key != "prompt"} if self.closed else you

    def snapshot(self, viewer: Viewer) -> Whole:
        """The whole document as one viewer sees it; its public part is packed once for a seq."""
        return self._whole if viewer is None else self._whole.for_seat(self._shown_to[viewer])

    def line(self) -> RoomLine:
        """The room in a list of rooms."""
        return RoomLine(self.id, self.settings.players, self.phase, self.seats.free, self._shown.get("round", 0))

    # ---- coming and going

    def enter(self, listener: Listener, message: Enter) -> Effects:
        """Let a connection in: with a token as that seat, without as a spectator. Raises Refused."""
        house = None if message.token is UNSET else self.seats.owned(message.token).house
        self.audience.enter(listener, house)
        posts = self._publish([], but=listener)
        here = [(listener, house)]
        # A client that holds nothing may well say `since: 0`; it gets a snapshot too.
        missed = self._history.since(message.since, self.seq) if message.since else None
        if missed is None:
            posts.append(Post(here, self.snapshot(house)))
        else:
            posts += [Post(here, update) for update in missed]
            if house is not None:
                posts.append(Post(here, self._private(house)))
        return Effects(self._ok(message.id), posts)

    def leave(self, listener: Listener) -> Effects:
        """Let a connection go; its seat stays owned. Nothing to do if it is not here."""
        self.audience.leave(listener)
        return Effects(posts=self._publish([]))

    def take_seat(self, message: TakeSeat, token: str) -> Effects:
        """Give a free seat to whoever asks first; `token` is a fresh one. Raises Refused.

        With `autostart` the last seat starts the game.
        """
        if self.phase == "over":
            raise Refused("room_over", "This room is over.", path="room", hint="Find another with `list_rooms`.")
        seat = self.seats.wanted(message, self.settings.private)
        events: Events = [{"type": "seat_taken", "house": seat.house, "name": message.name}]
        play = None
        if self.settings.autostart and self.seats.free == [seat.house]:
            play = self._deal(events)
        seat.name, seat.token = message.name, keys.digest(token)
        self._play = play
        return Effects(Seated(message.id, self.id, seat.house, token), self._publish(events))

    # ---- what the seats do

    def act(self, house: str, message: AnswerPrompt | Retract | Say) -> Effects:
        """Take what a seat sends. A refusal is in the effects: it is remembered like any other reply."""
        return self.seats[house].replies.once(message, lambda: self._act(house, message))

    def _act(self, house: str, message: AnswerPrompt | Retract | Say) -> Effects:
        if isinstance(message, Say):
            return self._say(house, message)
        play = self._playing()
        try:
            if isinstance(message, Retract):
                events = play.retract(house, message.prompt)
            else:
                events = play.submit(house, message.prompt, message.answer)
        except Refused:
            raise
        except Exception as fault:
            return self._failed(house, message, fault)
        posts = self._publish(events)
        return Effects(self._ok(message.id), posts)

    def _say(self, house: str, message: Say) -> Effects:
        """Press goes to those who are here now, and is not kept."""
        if message.to == "all":
            to = self.audience.everybody()
        else:
            heard = {house: None} | {self.seats.named(to, f"to[{n}]").house: None for n, to in enumerate(message.to)}
            to = [pair for each in heard for pair in self.audience.of(each)]
        said = Said(self.id, house, message.to, message.text, int(self._now() * 1000))
        return Effects(self._ok(message.id), [Post(to, Note(said))])

    def _playing(self) -> Play:
        if self.phase == "over":
            raise Refused("room_over", "The game is over.", path="room")
        if self.frozen:
            hint = "Watching and talking still work; the operator has been told."
            raise Refused("room_frozen", "The room is frozen after a fault of the server.", path="room", hint=hint)
        if self._play is None:
            hint = "Wait for the update that starts it."
            raise Refused("not_your_prompt", "The game has not started: nobody is asked yet.", path="prompt", hint=hint)
        return self._play

    def _failed(self, house: str, message: AnswerPrompt | Retract, fault: Exception) -> Effects:
        """A fault of the game. The same input a second time freezes the room: it would fail for ever."""
        body = house.encode() + fingerprint(replace(message, id="-"))
        posts: list[Post] = []
        if body in self._faults or len(self._faults) == MAX_FAULTS:
            self.frozen = True
            posts = self._publish([{"type": "room_frozen"}])
        self._faults.add(body)
        return internal(message.id, fault)._replace(posts=posts)

    # ---- what the host does

    def command(self, message: Host) -> Effects:
        """Do what the host asks for. Raises Refused if it is not the host who asks."""
        if not keys.fits(message.token, self._host):
            hint = "Use the `host` token of `room_created`."
            raise Refused("bad_token", "This is not the host token of this room.", path="token", hint=hint)
        return self._host_replies.once(message, lambda: self._command(message))

    def _command(self, message: Host) -> Effects:
        if self.phase == "over":
            raise Refused("room_over", "The room is over.", path="room")
        match message.action:
            case "start":
                posts = self._start()
            case "close":
                self.closed = True
                posts = self._publish([{"type": "room_closed"}])
            case _:
                hint = "`start` and `close` work."
                raise Refused("not_supported", "This server cannot do that yet.", path="action", hint=hint)
        return Effects(self._ok(message.id), posts)

    def _start(self) -> list[Post]:
        if self.phase == "playing":
            raise Refused("too_late", "The game has started already.", path="action")
        if free := self.seats.free:
            raise Refused("not_ready", f"Still free: {', '.join(free)}.", path="action", hint="Fill all seats first.")
        events: Events = []
        self._play = self._deal(events)
        return self._publish(events)

    def _deal(self, events: Events) -> Play:
        events.append({"type": "game_started", "houses": list(self.seats)})
        return self._rules.new(self.settings.players, self._seed, self.settings.tides)

    # ---- changes, and who hears of them

    def _publish(self, events: Events, but: Listener | None = None) -> list[Post]:
        """Tell everybody what changed in the document since the last time, each what it may see.

        A change that others notice gets the next seq. One that only its seat sees goes to that seat alone and leaves no
        trace anywhere else.
        """
        self.touched = self._now()
        document, seen = self.document(), {house: self.you(house) for house in self.seats}
        patch = diff(self._shown, document)
        you = {house: part for house in self.seats if (part := diff(self._shown_to[house], seen[house]))}
        self._shown_to = seen
        if not patch and not events:
            return [Post(self.audience.of(house), self._private(house)) for house in you]
        self.seq += 1
        self._shown = {**document, "seq": self.seq}
        self._whole = Whole(self.id, self.seq, self._shown)
        update = Update(self.id, self.seq, {"seq": self.seq, **patch}, events, you)
        self._history.add(update)
        return [Post(self.audience.everybody(but), update)]

    def _private(self, house: str) -> Note:
        return Note(Private(self.id, self.seq, self._shown_to[house]))

    def _ok(self, request: str) -> Ok:
        return Ok(request, room=self.id, seq=self.seq)
