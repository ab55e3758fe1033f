"""The durable log of all rooms, as the server uses it."""

from collections.abc import Sequence
from typing import Any, Self

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, literal, or_, select, true

from server.store.commit import commit
from server.store.database import Database, open_database
from server.store.errors import NoSuchRoom, RoomExists
from server.store.leases import Leases, holder, holders
from server.store.load import ENTRY, LINE, Rows, Whole, torn, verified
from server.store.migrate import upgrade
from server.store.records import Birth, Entry, Line, Outcome, Said, Stored, Writing
from server.store.schema import entries, leases, press, rooms, snapshots


class Store:
    """All rooms, on one database. `async with await Store.open(url) as store` closes it at the end.

    What writes returns when it is durable. Every method may raise Unavailable, and those that write InDoubt.
    """

    def __init__(self, database: Database) -> None:
        """Over a database whose tables are up to date: `open` sees to that."""
        self._database = database

    @classmethod
    async def open(cls, url: str) -> Self:
        """Open the store of a URL and bring its tables up to date.

        `sqlite:///DIRECTORY/marchwarden.db` makes the file if there is none, and keeps other processes away from it;
        `postgresql://USER:PASSWORD@HOST/DATABASE` may be shared. Raises BadStore, Unavailable.
        """
        database = open_database(url)
        try:
            await database.write(upgrade)
        except BaseException:
            await database.close()
            raise
        return cls(database)

    @classmethod
    def look(cls, url: str) -> Self:
        """Open the store of a URL to read it, while a server may be running on it. Raises BadStore, Unavailable.

        Its tables must be those of this version.
        """
        return cls(open_database(url, looking=True))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Finish what runs, and let the database go."""
        await self._database.close()

    # ---- writing

    async def create(self, created: bytes, line: Line) -> None:
        """Write a new room with its opaque birth record. Its epoch is 1. Raises RoomExists."""
        if await self.commit([Birth(line, created)]) != [Outcome.DONE]:
            raise RoomExists(line.room)

    async def claim(self, room: str) -> Stored:
        """Take a room over, so that nobody else can write to it any more, and load it. Raises NoSuchRoom, Torn."""
        with torn(room):
            return verified(room, await self._database.write(lambda connection: Rows(connection, room)))

    def leases(self, node: str, seconds: float) -> Leases:
        """The rooms that a node of a cluster has, each for so many seconds unless it renews them. Raises BadStore."""
        return Leases(self._database, node, seconds)

    async def commit(self, batch: Sequence[Writing]) -> list[Outcome]:
        """Write what owners of rooms ask for in one transaction: DONE or STALE for each, in order.

        Each is written whole or not at all, and one that is STALE does no harm to those of other rooms.
        """
        return await self._database.write(lambda connection: commit(connection, batch))

    async def forget(self, room: str, *, idle_since: int | None = None) -> bool:
        """Delete everything of a room, whoever owns it.

        With `idle_since` only if it was not touched after that time, and no node has it. Whether it was deleted.
        """
        doomed = rooms.c.room == room
        if idle_since is not None:
            doomed = and_(doomed, rooms.c.touched <= idle_since)

        def work(connection: Connection) -> bool:
            # Locked in the order of `claim`: whoever takes the room meanwhile is seen, or finds it gone.
            connection.execute(select(leases.c.room).where(leases.c.room == room).with_for_update())
            if connection.execute(select(rooms.c.room).where(doomed).with_for_update()).first() is None:
                return False
            if idle_since is not None and self._database.shared and holder(connection, room):
                return False
            for table in (rooms, entries, snapshots, press, leases):
                connection.execute(delete(table).where(table.c.room == room))
            return True

        return await self._database.write(work)

    # ---- reading

    async def lines(self, phase: str | None = None, *, offset: int = 0, limit: int = 50) -> list[Line]:
        """The public rooms, those made last first; of one phase or of all."""
        return await self._lines(_of(phase).where(rooms.c.private.is_(False)), offset, limit)

    async def rooms(
        self, phase: str | None = None, *, idle_since: int | None = None, offset: int = 0, limit: int = 50
    ) -> list[Line]:
        """All rooms, private ones too, those made last first.

        With `idle_since` those that were not touched after that time, the one idle for longest first.
        """
        if idle_since is None:
            return await self._lines(_of(phase), offset, limit)
        idle = _of(phase).where(rooms.c.touched <= idle_since).order_by(rooms.c.touched, rooms.c.room)
        return [Line(*row) for row in await self._rows(idle.offset(offset).limit(limit))]

    async def count(self) -> dict[str, int]:
        """How many rooms there are of each phase."""
        return dict(await self._rows(select(rooms.c.phase, func.count()).group_by(rooms.c.phase)))

    async def wakes(self, until: int | None = None) -> list[tuple[str, int]]:
        """The rooms that have to do something by themselves, and when; the first first, up to a time if it is given."""
        wanted = select(rooms.c.room, rooms.c.wake).where(rooms.c.wake.is_not(None)).order_by(rooms.c.wake)
        return [
            (room, wake)
            for room, wake in await self._rows(wanted if until is None else wanted.where(rooms.c.wake <= until))
        ]

    async def said(self, room: str, viewer: str | None, *, after: int = 0, limit: int = 100) -> list[Said]:
        """The last press of a room, after number `after`, that a house or a spectator (None) may know of; in order."""
        heard = press.c.to == _json("all")
        if viewer is not None:
            heard = or_(heard, press.c.sender == viewer, press.c.to.contains(_json(viewer), autoescape=True))
        # Not every database compares letters exactly.
        return [said for said in await self._press(room, after, limit, heard) if said.heard_by(viewer)]

    async def press(self, room: str, *, after: int = 0, limit: int = 100) -> list[Said]:
        """The last press of a room, after number `after`, whoever may know of it; in order."""
        return await self._press(room, after, limit, true())

    async def entries(self, room: str, after: int = 0, limit: int = 1000) -> list[Entry]:
        """Entries of a room after one, in order, as they are stored; only `claim` checks them."""
        wanted = select(*ENTRY).where(entries.c.room == room, entries.c.n > after).order_by(entries.c.n).limit(limit)
        return [Entry(*row) for row in await self._rows(wanted)]

    async def whole(self, room: str) -> Stored:
        """A room from its birth on, every entry checked; its owner is not disturbed. Raises NoSuchRoom, Torn."""
        with torn(room):
            return verified(room, await self._database.read(lambda connection: Whole(connection, room)))

    async def holders(self) -> dict[str, str]:
        """Which node of a cluster has which room; none if there is no cluster."""
        return await self._database.read(holders) if self._database.shared else {}

    async def holder(self, room: str) -> str:
        """Which node of a cluster has a room; empty if none has. Raises NoSuchRoom."""
        if not await self._rows(select(rooms.c.room).where(rooms.c.room == room)):
            raise NoSuchRoom(room)
        return await self._database.read(lambda connection: holder(connection, room)) if self._database.shared else ""

    async def ping(self) -> None:
        """Return if the database answers; raises Unavailable if not."""
        await self._rows(select(literal(1)))

    async def _lines(self, wanted: Select[Any], offset: int, limit: int) -> list[Line]:
        newest = wanted.order_by(rooms.c.made.desc(), rooms.c.room.desc())
        return [Line(*row) for row in await self._rows(newest.offset(offset).limit(limit))]

    async def _press(self, room: str, after: int, limit: int, heard: ColumnElement[bool]) -> list[Said]:
        wanted = (
            select(press.c.at, press.c.sender, press.c.to, press.c.text, press.c.m, press.c.asked)
            .where(press.c.room == room, press.c.m > after, heard)
            .order_by(press.c.m.desc())
            .limit(limit)
        )
        return [
            Said(at, sender, msgspec.json.decode(to), text, m, asked or b"")
            for at, sender, to, text, m, asked in reversed(await self._rows(wanted))
        ]

    async def _rows(self, wanted: Select[Any]) -> Sequence[Any]:
        return await self._database.read(lambda connection: connection.execute(wanted).all())


def _of(phase: str | None) -> Select[Any]:
    wanted = select(*LINE)
    return wanted if phase is None else wanted.where(rooms.c.phase == phase)


def _json(value: str) -> str:
    return msgspec.json.encode(value).decode()
