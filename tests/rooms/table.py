"""What the room tests need: a small game, a clock to turn, a fixed stream of randomness, connections without sockets."""

import ast
import hashlib
from collections.abc import Sequence
from typing import Any

from protocol.answers import AnyAnswer, Bid, Choose
from protocol.messages import (
    AnswerPrompt,
    AnyServerMessage,
    CreateRoom,
    Enter,
    Presence,
    Private,
    RoomCreated,
    RoomOptions,
    Seated,
    Snapshot,
    TakeSeat,
    Update,
)
from protocol.patch import apply
from protocol.prompts import BidPrompt
from protocol.wire import Format, Frame, decode_server
from server.game.refused import Refused
from server.rooms.desk import Desk
from server.rooms.hall import Hall

HOUSES = ["stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell"]
ROUNDS = 3
FAULT = "a text that holds a secret: 17 swords at riverrun"


class SmallGame:
    """Three rounds of secret bids: when all have bid the bids are shown. `choose` has options that misbehave."""

    def __init__(self, players: int) -> None:
        self.houses = HOUSES[:players]
        self.round = 1
        self.bids: dict[str, int] = {}
        self.shown: dict[str, int] = {}
        self.past: list[tuple[int, dict[str, int]]] = []

    @property
    def over(self) -> bool:
        return self.round > ROUNDS

    def number(self, house: str) -> int:
        return self.round * 10 + self.houses.index(house)

    @property
    def owing(self) -> dict[str, int]:
        return {} if self.over else {h: self.number(h) for h in self.houses if h not in self.bids}

    @property
    def undoable(self) -> int:
        return len(self.past)

    def prompt(self, house: str) -> BidPrompt:
        return BidPrompt(id=self.number(house), kind="bid", subject="x", power=20)

    def undo(self) -> list[dict[str, Any]]:
        self.round, self.shown = self.past.pop()
        self.bids = {}
        return [{"type": "undone"}]

    def hash(self) -> str:
        return hashlib.sha256(self.dump()).hexdigest()

    def dump(self) -> bytes:
        return repr((self.houses, self.round, self.bids, self.shown)).encode()

    def submit(self, house: str, prompt: int, answer: AnyAnswer) -> list[dict[str, Any]]:
        self._check(house, prompt)
        if isinstance(answer, Choose) and answer.option.startswith("boom"):
            raise RuntimeError(FAULT)
        if not isinstance(answer, Bid):
            raise Refused("illegal", "Bid.", path="answer.type", rules=("BID-1",), hint="Send a bid.")
        self.bids[house] = answer.power
        if len(self.bids) < len(self.houses):
            return []
        self.past.append((self.round, self.shown))
        self.shown, self.bids = self.bids, {}
        self.round += 1
        return [{"type": "bids", "bids": self.shown, "rules": ["BID-1"]}]

    def retract(self, house: str, prompt: int) -> list[dict[str, Any]]:
        self._check(house, prompt)
        if house not in self.bids:
            raise Refused("too_late", "There is nothing to take back.", path="prompt")
        del self.bids[house]
        return []

    def _check(self, house: str, prompt: int) -> None:
        if prompt != self.number(house):
            raise Refused("stale_prompt", "That prompt is closed.", path="prompt", prompt=self.number(house))

    def public(self) -> dict[str, Any]:
        waiting = [] if self.over else [house for house in self.houses if house not in self.bids]
        document = {
            "round": min(self.round, ROUNDS),
            "phase": "over" if self.over else "planning",
            "shown": dict(self.shown),
            "houses": {house: {"power": 5} for house in self.houses},
            "waiting": waiting,
        }
        return {key: value for key, value in document.items() if value}

    def you(self, house: str) -> dict[str, Any]:
        you: dict[str, Any] = {"house": house}
        if house in self.bids:
            you["bid"] = self.bids[house]
        if not self.over:
            you["prompt"] = {"id": self.number(house), "answer": "bid", "kind": "bid", "subject": "x", "power": 20}
        return you


class SmallRules:
    """Makes small games; `broken` ones cannot be made."""

    broken = False
    version = 1

    def load(self, data: bytes) -> SmallGame:
        houses, *rest = ast.literal_eval(data.decode())
        game = SmallGame(len(houses))
        game.round, game.bids, game.shown = rest
        return game

    def houses(self, players: int) -> Sequence[str]:
        return HOUSES[:players]

    def new(self, players: int, seed: bytes, tides: bool) -> SmallGame:
        if self.broken:
            raise RuntimeError("no game today")
        return SmallGame(players)


class Clock:
    """Time that passes when the test says so."""

    def __init__(self, at: float = 1_900_000_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at


class Stream:
    """Bytes that look random and are the same every time."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return hashlib.shake_256(str(self.drawn).encode()).digest(count)


class Player:
    """A connection without a socket. It follows the rooms as a client would and objects to any gap."""

    def __init__(self, fmt: Format = "msgpack") -> None:
        self.format = fmt
        self.frames: list[Frame] = []
        self.views: dict[str, dict[str, Any]] = {}
        self.ready: list[AnyServerMessage] = []

    def reply(self, frame: Frame) -> None:
        self._take(frame)

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        assert self._take(frame) == room
        assert fresh == isinstance(self.ready[-1], Snapshot)

    def _take(self, frame: Frame) -> str:
        self.frames.append(frame)
        message = decode_server(frame, self.format)
        self.ready.append(message)
        room = getattr(message, "room", "")
        match message:
            case Snapshot():
                assert message.view["seq"] == message.seq
                self.views[room] = message.view
            case Update():
                view = self.views[room]
                assert message.seq == view["seq"] + 1 == message.patch["seq"]
                self.views[room] = apply(view, message.patch)
            case Presence():
                houses = {
                    h: {**part, "connected": h in message.connected} if "name" in part else part
                    for h, part in self.views[room]["houses"].items()
                }
                self.views[room] = {**self.views[room], "houses": houses}
            case Private():
                assert message.seq == self.views[room]["seq"]
                self.views[room] = {**self.views[room], "you": message.you}
        return str(room)

    def heard(self) -> list[AnyServerMessage]:
        """What came since the last time."""
        ready, self.ready = self.ready, []
        return ready

    def only(self) -> Any:
        """The one message that came since the last time."""
        (message,) = self.heard()
        return message

    def kinds(self) -> list[str]:
        """The types of what came since the last time."""
        return [type(message).__name__ for message in self.heard()]


class Table:
    """A desk, and a room on it with whoever took a seat."""

    def __init__(self, players: int = 3, *, max_rooms: int = 100, spawn: Any = None, **options: bool) -> None:
        self.clock = Clock()
        self.rules = SmallRules()
        self.desk = Desk(Hall(self.rules, Stream(), self.clock, max_rooms), spawn)
        self.host = Player()
        self.made: RoomCreated = self.ask(self.host, CreateRoom("make", players, RoomOptions(**options)))
        self.room = self.made.room
        self.machine = self.desk.hall.find(self.room)
        self.tokens: dict[str, str] = {}
        self._requests = 0

    def ask(self, player: Player, message: Any) -> Any:
        """Send a message and give the reply, which is the first thing that comes."""
        before = len(player.ready)
        self.desk.handle(player, message)
        return player.ready.pop(before)

    def fresh(self) -> str:
        """A new request id."""
        self._requests += 1
        return f"r{self._requests}"

    def seat(self, house: str, fmt: Format = "msgpack") -> Player:
        """Take a seat and enter with it."""
        player = Player(fmt)
        seated = self.ask(player, TakeSeat(self.fresh(), self.room, house.title(), invite=self.made.invites[house]))
        assert isinstance(seated, Seated)
        self.tokens[house] = seated.token
        self.enter(player, house)
        return player

    def enter(self, player: Player, house: str | None = None, **fields: Any) -> Any:
        """Enter as a seat that was taken, or watch."""
        if house is not None:
            fields["token"] = self.tokens[house]
        return self.ask(player, Enter(self.fresh(), self.room, **fields))

    def bid(self, player: Player, power: int, request: str | None = None) -> Any:
        """Answer the prompt that the player sees."""
        prompt = player.views[self.room]["you"]["prompt"]["id"]
        return self.ask(player, AnswerPrompt(request or self.fresh(), self.room, prompt, Bid(power)))

    def full(self) -> list[Player]:
        """Three players in a game that has begun, and nothing unread."""
        players = [self.seat(house) for house in HOUSES[:3]]
        for player in players:
            player.heard()
        return players
