"""What seats, hosts and the clock ask of a room: whether it may be, and the entry that it becomes."""

from collections.abc import Callable
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from protocol.answers import AnyAnswer
from protocol.legal import default
from protocol.messages import AnswerPrompt, Host, Ok, Retract, Said, Say, Seated, TakeSeat, Vote
from server.game.refused import Refused
from server.rooms import keys
from server.rooms.archive import Spoken
from server.rooms.effects import Effects, Post, internal, refusal
from server.rooms.entries import (
    Answered,
    AnyEntry,
    Asked,
    Closed,
    Entry,
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
    pack_asked,
)
from server.rooms.letters import Note
from server.rooms.replies import fingerprint
from server.rooms.room import Room

E = TypeVar("E", bound=Entry)

MAX_FAULTS = 16
MAX_WRONG = 50
"""After so many wrong answers to one prompt the server answers it with the default: a program in a loop holds up nobody."""
GIVEN_UP = f"That was the {MAX_WRONG}th wrong answer to this prompt: the server has answered it with the default."
EXTENDED_MINUTES = 60
"""By how much the host extends, if it does not say."""


class Requests:
    """The requests of one room. All of them give their effects; a refusal is among them, nothing is raised but by a fault."""

    def __init__(self, room: Room, entropy: keys.Entropy, now: Callable[[], int], *, piloted: bool = False) -> None:
        """`now` is the time in milliseconds since 1970; `piloted` says whether there are bots to be had."""
        self.room = room
        self._entropy = entropy
        self._now = now
        self._has_bots = piloted
        self._faults: set[bytes] = set()
        self._wrong: dict[str, tuple[int, int]] = {}
        """By house the prompt to which it has given wrong answers, and how many."""

    # ---- seats

    def take_seat(self, message: TakeSeat, body: bytes) -> Effects:
        """Give a free seat to whoever asks first. Raises Refused. With `autostart` the last seat starts the game."""
        room = self.room
        if room.phase == "over":
            raise Refused("room_over", "This room is over.", path="room", hint="Find another with `list_rooms`.")
        seat, token = room.seats.wanted(message, room.settings.private), keys.new_key(self._entropy)
        entry = asked(
            Taken(at=self._now(), house=seat.house, name=message.name, token=keys.digest(token)), message, body
        )
        posts = room.apply(entry)
        return Effects(Seated(message.id, room.id, seat.house, token), posts, entries=[entry])

    def act(self, house: str, message: AnswerPrompt | Retract | Say | Vote) -> Effects:
        """Take what a seat sends. A refusal is in the effects: it is remembered like any other reply."""
        return self.room.seats[house].replies.once(message, lambda body: self._act(house, message, body))

    def _act(self, house: str, message: AnswerPrompt | Retract | Say | Vote, body: bytes) -> Effects:
        if isinstance(message, Say):
            return self._say(house, message, body)
        self._playing()
        entries: list[AnyEntry] = []
        posts: list[Post] = []
        if self._played_for(house):
            self._apply(Returned(at=self._now(), house=house), entries, posts)
        try:
            self._apply(self._entry(house, message, body), entries, posts)
        except Refused as refused:
            if isinstance(message, AnswerPrompt) and self._gives_up(house, message.prompt):
                self._answer_for(house, entries, posts)
                refused.hint = GIVEN_UP
            return Effects(refusal(refused, message.id), posts, entries=entries)
        except Exception as fault:
            return self._failed(house, message, fault)
        return Effects(self._ok(message.id), posts, entries=entries)

    def _entry(self, house: str, message: AnswerPrompt | Retract | Vote, body: bytes) -> AnyEntry:
        at = self._now()
        match message:
            case AnswerPrompt(id=request, prompt=prompt, answer=answer):
                return Answered(at=at, request=request, body=body, house=house, prompt=prompt, answer=answer)
            case Retract():
                return asked(Retracted(at=at, house=house, prompt=message.prompt), message, body)
            case Vote():
                self._check_vote(message)
                return asked(Voted(at=at, house=house, on=message.on, yes=message.yes), message, body)

    def _check_vote(self, message: Vote) -> None:
        room = self.room
        if message.on == "undo" and not (room.play and room.play.undoable):
            hint = "What has come to light since the last decision stays known."
            raise Refused("too_late", "There is nothing that may be undone.", path="on", hint=hint)
        if message.on in ("pause", "resume", "extend"):
            self._check_clock(message.on, "on")

    def _gives_up(self, house: str, prompt: int) -> bool:
        """Counts a wrong answer; whether it was the last that is put up with."""
        if self.room.started.owing.get(house) != prompt:
            return False
        before, count = self._wrong.get(house, (prompt, 0))
        self._wrong[house] = (prompt, count + 1 if before == prompt else 1)
        return self._wrong[house][1] == MAX_WRONG

    def _answer_for(self, house: str, entries: list[AnyEntry], posts: list[Post]) -> None:
        prompt = self.room.started.prompt(house)
        answer = default(prompt)
        self._apply(
            Answered(at=self._now(), house=house, prompt=prompt.id, answer=answer, given_up=True), entries, posts
        )

    def _say(self, house: str, message: Say, body: bytes) -> Effects:
        room = self.room
        if message.to != "all":
            for n, to in enumerate(message.to):
                room.seats.named(to, f"to[{n}]")
        at = max(self._now(), room.heard[-1].at + 1 if room.heard else 0)
        said = Said(room.id, house, message.to, message.text, at)
        asks = Asked(message.id, body, room.seq, room.seats[house].tokens[-1])
        room.heard.append(said)
        if said.to == "all":
            hearers = room.audience.everybody()
        else:
            hearers = [pair for h in dict.fromkeys([house, *said.to]) for pair in room.audience.of(h)]
        return Effects(self._ok(message.id), [Post(hearers, Note(said))], spoken=Spoken(said, pack_asked(asks)))

    # ---- the host

    def command(self, message: Host) -> Effects:
        """Do what the host asks for. Raises Refused if it is not the host who asks."""
        if not keys.fits(message.token, self.room.birth.host):
            hint = "Use the `host` token of `room_created`."
            raise Refused("bad_token", "This is not the host token of this room.", path="token", hint=hint)
        effects = self.room.host_replies.once(message, lambda body: self._command(message, body))
        if message.action == "kick" and isinstance(effects.reply, Ok):
            # Not remembered: it is a secret, and can be made again from the request.
            return effects._replace(reply=replace(effects.reply, invite=self._new_invite(message)))
        return effects

    def _command(self, message: Host, body: bytes) -> Effects:
        room = self.room
        if room.phase == "over":
            raise Refused("room_over", "The room is over.", path="room")
        at = self._now()
        match message.action:
            case "start":
                self._check_start()
                return self._take(message, body, Started(at=at))
            case "close":
                return self._take(message, body, Closed(at=at))
            case "kick":
                return self._kick(message, body)
            case "pause":
                self._check_clock(message.action, "action")
                return self._take(message, body, Paused(at=at))
            case "resume":
                self._check_clock(message.action, "action")
                return self._take(message, body, Resumed(at=at))
            case "extend":
                self._check_clock(message.action, "action")
                return self._take(message, body, Extended(at=at, minutes=message.minutes or EXTENDED_MINUTES))
            case "bots":
                return self._take(
                    message, body, Manned(at=at, houses=self._for_bots(message), kind=message.kind or "steward")
                )

    def close(self) -> Effects:
        """The operator closes the room. Raises Refused if it is over."""
        entries, posts = list[AnyEntry](), list[Post]()
        if self.room.phase == "over":
            raise Refused("room_over", f"Room {self.room.id} is over already.", path="room")
        self._apply(Closed(at=self._now()), entries, posts)
        return Effects(posts=posts, entries=entries)

    def _take(self, message: Host, body: bytes, entry: AnyEntry) -> Effects:
        entries: list[AnyEntry] = []
        posts: list[Post] = []
        self._apply(asked(entry, message, body), entries, posts)
        return Effects(self._ok(message.id), posts, entries=entries)

    def _kick(self, message: Host, body: bytes) -> Effects:
        seat = self.room.seats.named(message.house or "", "house")
        invite = keys.digest(self._new_invite(message))
        sitting = [listener for listener, _ in self.room.audience.of(seat.house)]
        effects = self._take(message, body, Kicked(at=self._now(), house=seat.house, invite=invite))
        return effects._replace(posts=[*effects.posts, *self.room.show_out(sitting)])

    def _new_invite(self, message: Host) -> str:
        """The invite that a `kick` gives: the same for the same request, and nobody but the host can tell it."""
        return keys.derived(message.token, f"{self.room.id} {message.house} {message.id}")

    def _for_bots(self, message: Host) -> list[str]:
        """The seats that the host may give to bots: any that is free, or one whose player is not here."""
        room = self.room
        if not self._has_bots:
            hint = "Seat bots over the socket: `marchwarden bot --invite CODE`."
            raise Refused("not_supported", "This server does not seat bots itself.", path="action", hint=hint)
        if message.house is UNSET:
            if not (free := room.seats.free):
                hint = "Name the `house` of an absent player, or free a seat by `kick`."
                raise Refused("room_full", "No seat is free.", path="house", hint=hint)
            return free
        seat = room.seats.named(message.house, "house")
        here = room.audience.present(seat.house) and not room.clock.hands[seat.house].autopilot
        if seat.tokens and not seat.bot and here:
            hint = "A seat can be given to a bot while its player is not connected or is on autopilot."
            raise Refused("seat_taken", "The player of that seat is here.", path="house", hint=hint)
        return [seat.house]

    def _check_start(self) -> None:
        if self.room.phase == "playing":
            raise Refused("too_late", "The game has started already.", path="action")
        if free := self.room.seats.free:
            raise Refused("not_ready", f"Still free: {', '.join(free)}.", path="action", hint="Fill all seats first.")

    def _check_clock(self, what: str, path: str) -> None:
        clock = self.room.clock
        if clock.options is None:
            raise Refused("not_supported", "This room has no clock.", path=path, hint="It waits for everybody anyhow.")
        if what == "pause" and clock.paused:
            raise Refused("too_late", "The clocks are paused already.", path=path)
        if what == "resume" and not clock.paused:
            raise Refused("too_late", "The clocks are running.", path=path)

    # ---- the clock

    def due(self) -> Effects:
        """Answers for seats that are on autopilot and for those whose time is up, until nobody is due any more."""
        room, entries, posts = self.room, list[AnyEntry](), list[Post]()
        while not room.clock.idle and room.phase == "playing" and not room.frozen and not room.clock.paused:
            house = next((h for h in room.started.owing if self._overdue(h)), None)
            if house is None:
                break
            prompt = room.started.prompt(house)
            entry = Answered(at=self._now(), house=house, prompt=prompt.id, answer=default(prompt), missed=True)
            try:
                self._apply(entry, entries, posts)
            except Exception as fault:  # nobody is there to try anything else
                self._apply(Frozen(at=self._now()), entries, posts)
                return Effects(posts=posts, entries=entries, fault=fault)
        return Effects(posts=posts, entries=entries)

    def back(self, house: str) -> Effects:
        """The player of a seat has entered; nothing and nobody plays for it any more."""
        entries, posts = list[AnyEntry](), list[Post]()
        if self.room.phase != "over" and self._played_for(house):
            self._apply(Returned(at=self._now(), house=house), entries, posts)
        return Effects(posts=posts, entries=entries)

    def _played_for(self, house: str) -> bool:
        """Whether a bot plays a seat, or the autopilot."""
        return bool(self.room.seats[house].bot) or self.room.clock.hands[house].autopilot

    def _overdue(self, house: str) -> bool:
        if self.room.clock.hands[house].autopilot:
            return True
        due = self.room.deadline(house)
        return due is not None and due <= self._now()

    # ---- bots

    def piloted(self, house: str, prompt: int, answer: AnyAnswer | Exception) -> Effects:
        """A bot has answered, or failed. What is no legal answer counts as the default; `fault` says what was wrong with it.

        Nothing happens if the prompt is over, or the bot does not play any more.
        """
        room, entries, posts = self.room, list[AnyEntry](), list[Post]()
        if house not in room.bots_asked or room.started.prompt(house).id != prompt:
            return Effects()
        fault = None
        for tried in (answer, default(room.started.prompt(house))):
            try:
                if isinstance(tried, Exception):
                    raise tried
                self._apply(Answered(at=self._now(), house=house, prompt=prompt, answer=tried), entries, posts)
            except Exception as wrong:
                fault = fault or wrong
            else:
                return Effects(posts=posts, entries=entries, fault=fault)
        self._apply(Frozen(at=self._now()), entries, posts)
        return Effects(posts=posts, entries=entries, fault=fault)

    # ---- all of them

    def _playing(self) -> None:
        room = self.room
        if room.phase == "over":
            raise Refused("room_over", "The game is over.", path="room")
        if room.frozen:
            hint = "Watching and talking still work; the operator has been told."
            raise Refused("room_frozen", "The room is frozen after a fault of the server.", path="room", hint=hint)
        if room.play is None:
            hint = "Wait for the update that starts it."
            raise Refused("not_your_prompt", "The game has not started: nobody is asked yet.", path="prompt", hint=hint)

    def _apply(self, entry: AnyEntry, entries: list[AnyEntry], posts: list[Post]) -> None:
        posts += self.room.apply(entry)
        entries.append(entry)

    def _failed(self, house: str, message: AnswerPrompt | Retract | Vote, fault: Exception) -> Effects:
        """A fault of the game. The same input a second time freezes the room: it would fail for ever."""
        body = house.encode() + fingerprint(replace(message, id="-"))
        entries: list[AnyEntry] = []
        posts: list[Post] = []
        if body in self._faults or len(self._faults) == MAX_FAULTS:
            self._apply(Frozen(at=self._now()), entries, posts)
        self._faults.add(body)
        return internal(message.id, fault)._replace(posts=posts, entries=entries)

    def _ok(self, request: str) -> Ok:
        return Ok(request, room=self.room.id, seq=self.room.seq)


def asked(entry: E, message: AnswerPrompt | Retract | Vote | Host | TakeSeat, body: bytes) -> E:
    """The entry with the request that asked for it and its fingerprint, so that the same request is known again."""
    return replace(entry, request=message.id, body=body)
