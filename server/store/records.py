"""What the store keeps, and what it is asked to write."""

from collections.abc import Sequence
from enum import Enum
from typing import Literal, TypeAlias

from msgspec import Struct


class Entry(Struct, frozen=True, gc=False):
    """One input in the log of a room."""

    n: int
    """Its place: 1, 2, 3, ... without a gap."""
    epoch: int
    """Whose: the epoch of the owner that wrote it."""
    at: int
    """Milliseconds since 1970."""
    seat: str
    """Who sent it; empty for the host and the server."""
    client_id: str
    """The sender's own id of it; empty if it has none."""
    body: bytes


class Snapshot(Struct, frozen=True, gc=False):
    """The state of a room after entry `n`."""

    n: int
    body: bytes


class Line(Struct, frozen=True):
    """What is told of a room without loading it."""

    room: str
    players: int
    private: bool
    phase: str
    round: int
    free: list[str]
    touched: int
    """When somebody last did something there, in milliseconds since 1970."""
    wake: int | None = None
    """When the room has to do something by itself, in milliseconds since 1970."""


class Said(Struct, frozen=True):
    """Press, to all or to some houses."""

    at: int
    """Milliseconds since 1970."""
    sender: str
    to: Literal["all"] | list[str]
    text: str
    m: int = 0
    """Its number in the room, without a gap; the store gives it."""
    asked: bytes = b""
    """Whatever its writer needs to know the request again that asked for it."""

    def heard_by(self, viewer: str | None) -> bool:
        """Whether a house, or a spectator (None), may know of it."""
        return self.to == "all" or (viewer is not None and (viewer == self.sender or viewer in self.to))


class Birth(Struct, frozen=True):
    """A new room, to be written. Its epoch is 1 and its log is empty."""

    line: Line
    created: bytes

    @property
    def room(self) -> str:
        """The id of the room."""
        return self.line.room


class Work(Struct, frozen=True):
    """What the owner of a room wants written, all of it or nothing.

    It fits only if the room has this `epoch` and `after` entries. Raises ValueError if it contradicts itself.
    """

    epoch: int
    after: int
    line: Line
    """What is told of the room from now on."""
    entries: Sequence[Entry] = ()
    snapshot: bytes | None = None
    """The state after the last entry; it replaces an older one."""
    said: Sequence[Said] = ()

    def __post_init__(self) -> None:
        for n, entry in enumerate(self.entries, self.after + 1):
            if entry.n != n or entry.epoch != self.epoch:
                raise ValueError(f"entries: expected entry {n} of epoch {self.epoch}; got {entry.n} of {entry.epoch}")

    @property
    def room(self) -> str:
        """The id of the room."""
        return self.line.room


Writing: TypeAlias = Birth | Work


class Outcome(Enum):
    """What became of a Birth or a Work."""

    DONE = "done"
    """It is durable."""
    STALE = "stale"
    """It did not fit: another owner has the room, something before it was not written, or the room is gone.

    For a Birth: the id is taken.
    """
    UNAVAILABLE = "unavailable"
    """The database failed; nothing of it is durable."""
    IN_DOUBT = "in doubt"
    """The database was lost while it committed. Claim the room to learn what is durable."""


class Stored(Struct, frozen=True):
    """All that is needed to go on with a room."""

    epoch: int
    """The new one: older owners cannot write any more."""
    n: int
    """How many entries its log has."""
    created: bytes
    line: Line
    snapshot: Snapshot | None
    entries: list[Entry]
    """Those after the snapshot, in order."""
