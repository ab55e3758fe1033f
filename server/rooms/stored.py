"""The store as the archive of the rooms."""

from collections.abc import Callable

from protocol.messages import RoomLine, Said
from server.rooms.archive import Found, Page, Spoken, Torn, Unavailable, Verdict
from server.store import errors, records
from server.store.journal import Journal
from server.store.records import Outcome
from server.store.store import Store

PRESS = 200
"""How many of the last messages of press come back with a room."""

VERDICTS = {Outcome.DONE: Verdict.DURABLE, Outcome.STALE: Verdict.STALE}


class Stored:
    """Writes pages by the journal of this node and brings rooms back from the store."""

    keeps = True

    def __init__(self, store: Store, journal: Journal) -> None:
        self._store = store
        self._journal = journal

    def holds(self, room: str) -> bool:
        """There is one node; if another one writes after all, the epoch keeps them apart."""
        return True

    def release(self, room: str) -> None:
        """Nothing to do: nobody else waits for it."""

    def write(self, page: Page, done: Callable[[Verdict], None]) -> None:
        """Write a page with whatever else has gathered; `done` is called when it is durable or has failed."""
        entries = [
            records.Entry(n, page.epoch, page.at, seat, request, body)
            for n, (body, (seat, request)) in enumerate(zip(page.entries, page.seats, strict=True), page.first)
        ]
        spoken = page.spoken
        work = records.Work(
            epoch=page.epoch,
            after=page.first - 1,
            line=_line(page.line, page.private, page.at, page.wake),
            entries=entries,
            snapshot=page.image,
            said=[_press(spoken)] if spoken else [],
        )
        self._journal.add(work, lambda outcome: done(VERDICTS.get(outcome, Verdict.UNAVAILABLE)))

    def after(self, done: Callable[[], None]) -> None:
        """Call `done` once everything that was to be written before is settled."""
        self._journal.after(done)

    async def create(self, room: str, birth: bytes, line: RoomLine, private: bool, at: int) -> None:
        """A new room. Raises `Unavailable`."""
        try:
            await self._create(birth, _line(line, private, at, None))
        except errors.Unavailable as error:
            raise Unavailable from error

    async def _create(self, birth: bytes, line: records.Line) -> None:
        await self._store.create(birth, line)

    async def _claim(self, room: str) -> records.Stored:
        return await self._store.claim(room)

    async def bring(self, room: str) -> Found | None:
        """A room, to be written by this node alone from now on; None if there is none. Raises `Torn`, `Unavailable`."""
        try:
            stored = await self._claim(room)
            press = await self._store.press(room, limit=PRESS)
        except errors.NoSuchRoom:
            return None
        except errors.Torn as error:
            raise Torn(error.n, error.why) from error
        except errors.Unavailable as error:
            raise Unavailable from error
        return Found(
            epoch=stored.epoch,
            birth=stored.created,
            image=stored.snapshot.body if stored.snapshot else None,
            entries=[entry.body for entry in stored.entries],
            spoken=[Spoken(Said(room, one.sender, one.to, one.text, one.at), one.asked) for one in press],
        )

    async def log(self, room: str, after: int, count: int) -> list[bytes]:
        """So many entries of a room after the first `after`. Raises `Unavailable`."""
        try:
            return [entry.body for entry in await self._store.entries(room, after, count)]
        except errors.Unavailable as error:
            raise Unavailable from error

    async def lines(self, phase: str | None, start: int, count: int) -> list[RoomLine]:
        """Public rooms, newest first. Raises `Unavailable`."""
        try:
            lines = await self._store.lines(phase, offset=start, limit=count)
        except errors.Unavailable as error:
            raise Unavailable from error
        return [RoomLine(line.room, line.players, line.phase, line.free, line.round) for line in lines]

    async def wakes(self) -> list[tuple[str, int]]:
        """The rooms with a deadline, and when that is. Raises `Unavailable`."""
        try:
            return await self._store.wakes()
        except errors.Unavailable as error:
            raise Unavailable from error

    async def forget(self, room: str) -> None:
        """The room is not needed any more. Raises `Unavailable`."""
        try:
            await self._store.forget(room)
        except errors.Unavailable as error:
            raise Unavailable from error


def _press(spoken: Spoken) -> records.Said:
    said = spoken.said
    return records.Said(said.at, said.sender, said.to, said.text, asked=spoken.asked)


def _line(line: RoomLine, private: bool, touched: int, wake: int | None) -> records.Line:
    return records.Line(line.room, line.players, private, line.phase, line.round, line.free, touched, wake)
