"""An archive in memory that can be told to wait or to fail, and a desk over it that can be started again."""

from collections.abc import Callable, Coroutine
from typing import Any

from protocol.messages import RoomLine
from server.rooms.archive import Found, Page, Torn, Unavailable, Verdict
from server.rooms.desk import Desk
from server.rooms.hall import Hall
from server.rooms.pilots import Pilots


def at_once(work: Coroutine[Any, Any, None]) -> None:
    """Runs what never really waits."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise AssertionError("this coroutine waits")


class Ledger:
    """Keeps pages as the store does. With `slow` nothing is settled before `settle` is called."""

    keeps = True

    def __init__(self, *, slow: bool = False) -> None:
        self.births: dict[str, bytes] = {}
        self.epochs: dict[str, int] = {}
        self.entries: dict[str, list[bytes]] = {}
        self.images: dict[str, tuple[int, bytes]] = {}
        self.said: dict[str, list[Any]] = {}
        self.line: dict[str, RoomLine] = {}
        self.wake: dict[str, int | None] = {}
        self.slow = slow
        self.broken = False
        self.taken: set[str] = set()
        """Rooms whose lease is over."""
        self.released: list[str] = []
        self.torn: dict[str, int] = {}
        self.read = 0
        self._waiting: list[Callable[[], None]] = []

    def holds(self, room: str) -> bool:
        return room not in self.taken

    def release(self, room: str) -> None:
        self.released.append(room)

    def write(self, page: Page, done: Callable[[Verdict], None]) -> None:
        self._soon(lambda: done(self._write(page)))

    def after(self, done: Callable[[], None]) -> None:
        self._soon(done)

    def _soon(self, work: Callable[[], None]) -> None:
        self._waiting.append(work)
        if not self.slow:
            self.settle()

    def settle(self) -> None:
        """Everything that waits is settled, in order."""
        while self._waiting:
            self._waiting.pop(0)()

    def _write(self, page: Page) -> Verdict:
        if self.broken:
            return Verdict.UNAVAILABLE
        log = self.entries[page.room]
        if page.epoch != self.epochs[page.room] or page.first != len(log) + 1:
            return Verdict.STALE
        log += page.entries
        if page.image is not None:
            self.images[page.room] = (len(log), page.image)
        if page.spoken:
            self.said[page.room].append(page.spoken)
        self.line[page.room], self.wake[page.room] = page.line, page.wake
        return Verdict.DURABLE

    async def create(self, room: str, birth: bytes, line: RoomLine, private: bool, at: int) -> None:
        if self.broken:
            raise Unavailable
        self.births[room], self.epochs[room], self.entries[room] = birth, 1, []
        self.said[room], self.line[room] = [], line

    async def bring(self, room: str) -> Found | None:
        if self.broken:
            raise Unavailable
        if room not in self.births:
            return None
        if room in self.torn:
            raise Torn(self.torn[room], "altered")
        self.epochs[room] += 1
        n, image = self.images.get(room, (0, None))
        return Found(self.epochs[room], self.births[room], image, self.entries[room][n:], self.said[room])

    async def log(self, room: str, after: int, count: int) -> list[bytes]:
        self.read += 1
        return self.entries[room][after : after + count]

    async def lines(self, phase: str | None, start: int, count: int) -> list[RoomLine]:
        lines = [line for line in reversed(self.line.values()) if phase in (None, line.phase)]
        return lines[start : start + count]

    async def wakes(self) -> list[tuple[str, int]]:
        return [(room, wake) for room, wake in self.wake.items() if wake is not None]

    async def forget(self, room: str) -> None:
        del self.births[room]


def desk(
    ledger: Ledger,
    rules: Any,
    entropy: Any,
    now: Callable[[], float],
    pilots: Pilots | None = None,
    soon: Callable[[Callable[[], None]], object] | None = None,
) -> Desk:
    """A node, started on what the ledger holds; with `soon` answers that come together are taken together."""
    hall = Hall(rules, entropy, now, 100, ledger, at_once, piloted=pilots is not None)
    at_once(hall.wind_all())
    return Desk(hall, at_once, pilots, soon)
