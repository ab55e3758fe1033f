"""The inputs of a room as its log keeps them: all that is needed to bring the room back, and nothing that follows from it.

Of secrets only hashes are kept, but for the answers themselves and the seed.
"""

from typing import TypeAlias

import msgspec
from msgspec import Struct

from protocol.answers import AnyAnswer
from protocol.messages import BotKind, ClockOptions


class Settings(Struct, frozen=True, omit_defaults=True):
    """How a room was made."""

    players: int
    tides: bool = False
    private: bool = False
    autostart: bool = True
    clock: ClockOptions | None = None
    bots: int = 0
    """So many seats are played by bots from the beginning, from the last house on."""
    bot_kind: BotKind = "steward"


class Birth(Struct, frozen=True):
    """A room at its beginning. Invites and the host's token are kept as hashes, by house in the order of the seats."""

    settings: Settings
    invites: dict[str, bytes]
    host: bytes
    seed: bytes
    rules: int
    at: int
    """When it was made, in milliseconds since 1970, as all times in the log."""


class Entry(Struct, frozen=True, omit_defaults=True, kw_only=True, tag_field="what"):
    """Base of all inputs. `request` and `body` are the client's id and the fingerprint of its request, if a client asked.

    One that is `joined` was shown together with the next: as one change, with one seq.
    """

    at: int
    request: str = ""
    body: bytes = b""
    joined: bool = False


class Taken(Entry, frozen=True, tag="taken"):
    """Somebody sat down; `token` is a hash."""

    house: str
    name: str
    token: bytes


class Started(Entry, frozen=True, tag="started"):
    """The host started the game."""


class Answered(Entry, frozen=True, tag="answered"):
    """A seat answered.

    `missed` if it was the server, for a seat whose time was up or that is on autopilot; `given_up` if it was the server,
    for a seat that had sent one wrong answer after the other.
    """

    house: str
    prompt: int
    answer: AnyAnswer
    missed: bool = False
    given_up: bool = False


class Retracted(Entry, frozen=True, tag="retracted"):
    """A seat took an answer back."""

    house: str
    prompt: int


class Voted(Entry, frozen=True, tag="voted"):
    """A seat is for something, or no longer."""

    house: str
    on: str
    yes: bool


class Manned(Entry, frozen=True, tag="manned"):
    """The host gave seats to bots of a kind: free ones, or those of absent players."""

    houses: list[str]
    kind: BotKind


class Returned(Entry, frozen=True, tag="returned"):
    """The player of a seat on autopilot, or of one that was given to a bot, is back."""

    house: str


class Paused(Entry, frozen=True, tag="paused"):
    """The host stopped the clocks."""


class Resumed(Entry, frozen=True, tag="resumed"):
    """The host let the clocks go on."""


class Extended(Entry, frozen=True, tag="extended"):
    """The host gave those who owe a decision more time."""

    minutes: int


class Kicked(Entry, frozen=True, tag="kicked"):
    """The host freed a seat; `invite` is the hash of its new invite."""

    house: str
    invite: bytes


class Frozen(Entry, frozen=True, tag="frozen"):
    """The game ran into a fault of ours again and again."""


class Closed(Entry, frozen=True, tag="closed"):
    """The host closed the room."""


AnyEntry: TypeAlias = (
    Taken
    | Started
    | Answered
    | Retracted
    | Voted
    | Manned
    | Returned
    | Paused
    | Resumed
    | Extended
    | Kicked
    | Frozen
    | Closed
)


class Asked(Struct, frozen=True, array_like=True):
    """A request to say something, kept beside what was said: the request, and the hash of the token of who asked."""

    request: str
    body: bytes
    seq: int
    """Of the first reply."""
    token: bytes


class _Box(Struct, frozen=True, array_like=True):
    entry: AnyEntry
    state: str = ""
    """The hash of the game after the entry, with every few entries."""


pack_birth = msgspec.msgpack.Encoder().encode
pack_asked = msgspec.msgpack.Encoder().encode
_births = msgspec.msgpack.Decoder(Birth)
_asked = msgspec.msgpack.Decoder(Asked)
_boxes = msgspec.msgpack.Decoder(_Box)


def unpack_birth(data: bytes) -> Birth:
    """A birth from the log."""
    return _births.decode(data)


def unpack_asked(data: bytes) -> Asked:
    """A request to say something, as it was kept."""
    return _asked.decode(data)


def pack(entry: AnyEntry, state: str = "") -> bytes:
    """An entry for the log, with the hash of the game after it, if it was taken."""
    return msgspec.msgpack.encode(_Box(entry, state))


def unpack(data: bytes) -> tuple[AnyEntry, str]:
    """An entry from the log and the hash that was kept with it, if any."""
    box = _boxes.decode(data)
    return box.entry, box.state
