"""Every message between a client and the server, typed; `type` names the message."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from protocol.answers import AnyAnswer, Name

VERSION = 1

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=36)]
"""Chosen by the client, unique per seat: the same id with the same body is answered the same again."""
RoomId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=32)]
Token: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Seq: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]

# Control characters and those that turn the direction of writing: they could forge lines in a log or on a terminal.
_UNSEEN = r"\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069"
_END = r"(?![\s\S])"  # the end of the text in every language: `$` and `\Z` differ
PlayerName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=24, pattern=rf"^(?=.*\S)[^\n{_UNSEEN}]*{_END}")]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=1000, pattern=rf"^(?=[\s\S]*\S)[^{_UNSEEN}]*{_END}")]


class ClientMessage(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """Base of what a client sends."""


class Hello(ClientMessage, frozen=True, tag="hello"):
    """Opens the session; must come first, within ten seconds. `protocol` is 1, `client` the program's name."""

    protocol: Annotated[int, Meta(ge=0, le=1_000_000)]
    client: Annotated[str, Meta(max_length=64)] = ""


class ClockOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How long decisions may take. After `absences` missed ones in a row a seat is on autopilot until it comes back.

    `live`: each decision has `increment` seconds for itself, then the house's `bank` of seconds runs. `daily`: a decision is
    due at `hour` o'clock (UTC), the first time that is at least half of `span` hours away.
    """

    kind: Literal["live", "daily"]
    bank: Annotated[int, Meta(ge=0, le=86_400)] = 600
    increment: Annotated[int, Meta(ge=1, le=86_400)] = 60
    span: Annotated[int, Meta(ge=1, le=336)] = 24
    hour: Annotated[int, Meta(ge=0, le=23)] = 18
    absences: Annotated[int, Meta(ge=1, le=10)] = 2


BotKind: TypeAlias = Literal["random", "steward", "regent"]
"""How a bot of the server plays: any legal answer, by rules of thumb, or searching."""


class RoomOptions(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a room plays: Tides of Battle, hidden from the list, starting by itself when full, with a clock, with bots."""

    tides: bool = False
    private: bool = False
    autostart: bool = True
    clock: ClockOptions | UnsetType = UNSET
    bots: Annotated[int, Meta(ge=0, le=5)] = 0
    """So many seats, from the last house on, are played by bots of the server; at least one is left for somebody."""
    bot_kind: BotKind = "steward"
    """How those bots play."""


class CreateRoom(ClientMessage, frozen=True, tag="create_room"):
    """Makes a room; answered by `room_created`."""

    id: Id
    players: Annotated[int, Meta(ge=3, le=6)]
    options: RoomOptions = RoomOptions()


class RoomFilter(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which public rooms to list: in which phase, from which page (50 a page)."""

    phase: Literal["lobby", "playing", "over"] | UnsetType = UNSET
    page: Annotated[int, Meta(ge=0, le=10_000)] = 0


class ListRooms(ClientMessage, frozen=True, tag="list_rooms"):
    """Lists public rooms; answered by `rooms`."""

    id: Id
    filter: RoomFilter = RoomFilter()


class TakeSeat(ClientMessage, frozen=True, tag="take_seat"):
    """Takes a seat by its invite, or in a public room by its house (one of both); answered by `seated`."""

    id: Id
    room: RoomId
    name: PlayerName
    invite: Token | UnsetType = UNSET
    house: Name | UnsetType = UNSET


class Enter(ClientMessage, frozen=True, tag="enter"):
    """Enters a room as a seat (with its token) or as a spectator.

    `since` is the last seq the client holds, `heard` the `at` of the last press it has.
    """

    id: Id
    room: RoomId
    token: Token | UnsetType = UNSET
    since: Seq | UnsetType = UNSET
    heard: Seq | UnsetType = UNSET


class Replay(ClientMessage, frozen=True, tag="replay"):
    """Tells a game that is over again, a page at a time; answered by `replayed`.

    `as` is a house, or "all" for every seat at once; without it the game is told as a spectator saw it. In a room that was
    closed before its end a seat's part is told to that seat alone.
    """

    id: Id
    room: RoomId
    as_: Name | UnsetType = field(name="as", default=UNSET)
    after: Seq | UnsetType = UNSET
    """Only what came after this seq; without it from the beginning."""
    count: Annotated[int, Meta(ge=1, le=500)] = 200
    """The most updates that are wanted at once; there may be fewer."""


class AnswerPrompt(ClientMessage, frozen=True, tag="answer"):
    """Answers an open prompt of the seat."""

    id: Id
    room: RoomId
    prompt: Seq
    answer: AnyAnswer


class Retract(ClientMessage, frozen=True, tag="retract"):
    """Takes back an answer to a secret simultaneous prompt, until it is revealed."""

    id: Id
    room: RoomId
    prompt: Seq


class Say(ClientMessage, frozen=True, tag="say"):
    """Press: to all, or to some houses."""

    id: Id
    room: RoomId
    to: Literal["all"] | Annotated[list[Name], Meta(min_length=1, max_length=6)]
    text: Text


class Host(ClientMessage, frozen=True, tag="host"):
    """What only the holder of the host token may do: `kick` frees the seat of `house`, `extend` gives `minutes`.

    `bots` fills all free seats, or that of `house`, which may also be an absent player's, with bots of a `kind` (`steward`).
    """

    id: Id
    room: RoomId
    token: Token
    action: Literal["start", "bots", "pause", "resume", "extend", "kick", "close"]
    house: Name | UnsetType = UNSET
    minutes: Annotated[int, Meta(ge=1, le=10_080)] | UnsetType = UNSET
    kind: BotKind | UnsetType = UNSET


class Vote(ClientMessage, frozen=True, tag="vote"):
    """A seat is for something, or no longer: when all seats are that neither a bot nor the autopilot plays, it happens."""

    id: Id
    room: RoomId
    on: Literal["undo", "pause", "resume", "extend"]
    yes: bool = True


class Leave(ClientMessage, frozen=True, tag="leave"):
    """Stops receiving a room; the seat stays owned."""

    id: Id
    room: RoomId


AnyClientMessage: TypeAlias = (
    Hello | CreateRoom | ListRooms | TakeSeat | Enter | Replay | AnswerPrompt | Retract | Say | Vote | Host | Leave
)


class ServerMessage(Struct, frozen=True, omit_defaults=True, tag_field="type"):
    """Base of what the server sends."""


class Limits(Struct, frozen=True):
    """What the server bounds, so that a client need not find out."""

    frame_bytes: int
    id_length: int
    hello_seconds: int
    messages_per_minute: int
    """That a connection may send in the long run."""
    messages_at_once: int
    seat_messages_per_minute: int
    """That a seat may send in the long run, over all its connections."""
    seat_messages_at_once: int
    rooms_entered: int
    """That a connection may be in."""
    rooms_per_hour: int
    """That may be made from one address."""


class Welcome(ServerMessage, frozen=True, tag="welcome"):
    """The session is open; `now` is the server's clock in milliseconds since 1970."""

    protocol: int
    server: str
    now: int
    limits: Limits


class Ok(ServerMessage, frozen=True, tag="ok"):
    """The request took effect; `seq` is the room's seq after it."""

    id: str
    room: str | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    invite: str | UnsetType = UNSET
    """Of the host's `kick`: the invite by which the seat can be taken again."""


class Error(ServerMessage, frozen=True, tag="error"):
    """Nothing changed. `code` is stable; `path` names the field, `hint` the remedy, `rules` the rule ids."""

    code: str
    message: str
    id: str | UnsetType = UNSET
    path: str | UnsetType = UNSET
    hint: str | UnsetType = UNSET
    rules: list[str] | UnsetType = UNSET
    needed: int | UnsetType = UNSET
    """Of `insufficient_strength`: the strength of the token."""
    total: int | UnsetType = UNSET
    """Of `insufficient_strength`: the strength that was brought."""
    prompt: int | UnsetType = UNSET
    """Of `stale_prompt`: the prompt that is open now."""


class RoomCreated(ServerMessage, frozen=True, tag="room_created"):
    """The room, the host's token and one invite for each house that no bot plays."""

    id: str
    room: str
    host: str
    invites: dict[str, str]


class RoomLine(Struct, frozen=True, omit_defaults=True):
    """A public room in the list."""

    room: str
    players: int
    phase: str
    free: list[str]
    round: int = 0


class RoomList(ServerMessage, frozen=True, tag="rooms"):
    """Public rooms, newest first; `more` says that another page follows."""

    id: str
    rooms: list[RoomLine]
    more: bool = False


class Moment(Struct, frozen=True, omit_defaults=True):
    """An update that is told again: a merge patch on the document before it, and what happened."""

    seq: int
    patch: dict[str, Any]
    events: list[dict[str, Any]] = []


class Replayed(ServerMessage, frozen=True, tag="replayed"):
    """A page of a game that is over, in order; `more` says that another follows, after the last `seq` of this one.

    The very first update (seq 0) has the whole document, as a patch on an empty one. As "all" the document has `seats`, by
    house what each saw as `you`.
    """

    id: str
    room: str
    updates: list[Moment]
    as_: str | UnsetType = field(name="as", default=UNSET)
    more: bool = False


class Seated(ServerMessage, frozen=True, tag="seated"):
    """The seat is taken; the token is shown this once and kept by the server only as a hash."""

    id: str
    room: str
    house: str
    token: str


class Snapshot(ServerMessage, frozen=True, tag="snapshot"):
    """The whole document this viewer may see."""

    room: str
    seq: int
    view: dict[str, Any]


class Update(ServerMessage, frozen=True, tag="update"):
    """The next change: a merge patch on the viewer's document and what happened, in order."""

    room: str
    seq: int
    patch: dict[str, Any]
    events: list[dict[str, Any]] = field(default_factory=list)


class Private(ServerMessage, frozen=True, tag="private"):
    """Only the seat's own part changed; `you` in whole."""

    room: str
    seq: int
    you: dict[str, Any]


class Said(ServerMessage, frozen=True, tag="said"):
    """Press from a house; `at` (milliseconds since 1970) grows from one to the next in a room."""

    room: str
    sender: str = field(name="from")
    to: Literal["all"] | list[str]
    text: str
    at: int


class Presence(ServerMessage, frozen=True, tag="presence"):
    """Who is connected now: sets `connected` of every seat that is taken. It has no seq and is in no update."""

    room: str
    connected: list[str]


class GoingAway(ServerMessage, frozen=True, tag="going_away"):
    """The server stops; come back after `retry_after` milliseconds."""

    retry_after: int


AnyServerMessage: TypeAlias = (
    Welcome
    | Ok
    | Error
    | RoomCreated
    | RoomList
    | Replayed
    | Seated
    | Snapshot
    | Update
    | Private
    | Presence
    | Said
    | GoingAway
)
