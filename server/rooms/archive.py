"""Where rooms outlive the process, as the rooms see it. The store is one; `Memory` keeps nothing and is always done."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from protocol.messages import RoomLine, Said


class Verdict(Enum):
    """What became of something that was to be written."""

    DURABLE = "durable"
    UNAVAILABLE = "unavailable"
    """Nothing of it was written: the archive is out of reach."""
    STALE = "stale"
    """Nothing of it was written: somebody else writes this room now."""


class Page(NamedTuple):
    """What there is to write about a room at one time. All of it is written, or nothing."""

    room: str
    epoch: int
    first: int
    """The position of the first entry."""
    entries: Sequence[bytes]
    seats: Sequence[tuple[str, str]]
    """For each entry the house and the client's id, where there are any."""
    at: int
    line: RoomLine
    private: bool
    wake: int | None
    """When the next deadline is."""
    image: bytes | None = None
    """The room after the last of the entries."""
    spoken: "Spoken | None" = None


class Spoken(NamedTuple):
    """A message of press, and what is needed to know the request again that asked for it."""

    said: Said
    asked: bytes


class Found(NamedTuple):
    """A room that was asked back: from now on only `epoch` may write it."""

    epoch: int
    birth: bytes
    image: bytes | None
    entries: list[bytes]
    spoken: list[Spoken]
    """The last messages of press, whoever may hear them."""


class Torn(Exception):  # noqa: N818 - the log is torn
    """A room whose log is damaged, from entry `n` on."""

    def __init__(self, n: int, why: str) -> None:
        super().__init__(why)
        self.n = n


class Unavailable(Exception):  # noqa: N818 - the archive is unavailable
    """The archive is out of reach; nothing has happened."""


class Elsewhere(Unavailable):
    """Another node of the cluster has the room now."""

    def __init__(self, node: str) -> None:
        super().__init__(node)
        self.node = node


class Archive(Protocol):
    """Writes what rooms decide and brings rooms back."""

    keeps: bool
    """Whether a room that is dropped from memory can be brought back."""

    def holds(self, room: str) -> bool:
        """Whether a room in memory may still be shown to anybody: in a cluster that ends with the lease."""

    def release(self, room: str) -> None:
        """The room has left memory."""

    def write(self, page: Page, done: Callable[[Verdict], None]) -> None:
        """Write a page; `done` is called later, or at once, in the order of the pages."""

    def after(self, done: Callable[[], None]) -> None:
        """Call `done` once everything that was to be written before is settled; at once if it is."""

    async def create(self, room: str, birth: bytes, line: RoomLine, private: bool, at: int) -> None:
        """A new room. Raises `Unavailable`."""

    async def bring(self, room: str) -> Found | None:
        """A room, to be written by the caller alone from now on; None if there is none.

        Raises `Torn`, `Unavailable`, `Elsewhere`.
        """

    async def log(self, room: str, after: int, count: int) -> list[bytes]:
        """So many entries of a room after the first `after`. Raises `Unavailable`."""

    async def lines(self, phase: str | None, start: int, count: int) -> list[RoomLine]:
        """Public rooms, newest first. Raises `Unavailable`."""

    async def wakes(self) -> list[tuple[str, int]]:
        """The rooms with a deadline, and when that is. Raises `Unavailable`."""

    async def forget(self, room: str) -> None:
        """The room is not needed any more. Raises `Unavailable`."""


class Memory:
    """Keeps nothing: rooms live in the process and end with it."""

    keeps = False

    def __init__(self, lines: Callable[[str | None], list[RoomLine]] = lambda phase: []) -> None:
        """`lines` lists the public rooms there are, newest first."""
        self._lines = lines

    def holds(self, room: str) -> bool:
        """There is nobody else."""
        return True

    def release(self, room: str) -> None:
        """Done."""

    def write(self, page: Page, done: Callable[[Verdict], None]) -> None:
        """Done."""
        done(Verdict.DURABLE)

    def after(self, done: Callable[[], None]) -> None:
        """Done."""
        done()

    async def create(self, room: str, birth: bytes, line: RoomLine, private: bool, at: int) -> None:
        """Done."""

    async def bring(self, room: str) -> Found | None:
        """There are no rooms but those in memory."""
        return None

    async def log(self, room: str, after: int, count: int) -> list[bytes]:
        """Nothing was kept."""
        return []

    async def lines(self, phase: str | None, start: int, count: int) -> list[RoomLine]:
        """The rooms in memory."""
        return self._lines(phase)[start : start + count]

    async def wakes(self) -> list[tuple[str, int]]:
        """Rooms in memory know their deadlines themselves."""
        return []

    async def forget(self, room: str) -> None:
        """Done."""
