"""Taking a room over: a new epoch, and everything that is needed to go on, checked."""

import struct
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, bindparam, select, update

from server.store import chain
from server.store.errors import Damaged, NoSuchRoom, Torn
from server.store.records import Entry, Line, Snapshot, Stored
from server.store.schema import entries, rooms, snapshots

LINE = tuple(rooms.c[name] for name in Line.__struct_fields__)
"""The columns of a Line, in its order."""
ENTRY = tuple(entries.c[name] for name in Entry.__struct_fields__)
"""The columns of an Entry, in its order."""

_CLAIM = (
    update(rooms)
    .where(rooms.c.room == bindparam("id"))
    .values(epoch=rooms.c.epoch + 1)
    .returning(rooms.c.epoch, rooms.c.n, rooms.c.head, rooms.c.created, rooms.c.birth, *LINE)
)
_LOOK = select(rooms.c.epoch, rooms.c.n, rooms.c.head, rooms.c.created, rooms.c.birth, *LINE).where(
    rooms.c.room == bindparam("id")
)
_SNAPSHOT = select(snapshots).where(snapshots.c.room == bindparam("id"))
_ENTRIES = (
    select(*ENTRY, entries.c.check)
    .where(entries.c.room == bindparam("id"), entries.c.n > bindparam("after"))
    .order_by(entries.c.n)
)


class Rows:
    """The rows of a room, as they were read."""

    def __init__(self, connection: Connection, room: str) -> None:
        """Claims the room, too. Raises NoSuchRoom."""
        claimed = connection.execute(_CLAIM, {"id": room}).one_or_none()
        if claimed is None:
            raise NoSuchRoom(room)
        self.room = claimed
        self.snapshot = connection.execute(_SNAPSHOT, {"id": room}).one_or_none()
        after = self.snapshot.n if self.snapshot else 0
        self.entries = connection.execute(_ENTRIES, {"id": room, "after": after}).all()


class Whole:
    """The rows of a room from its birth on, without claiming it."""

    snapshot = None

    def __init__(self, connection: Connection, room: str) -> None:
        """Raises NoSuchRoom."""
        found = connection.execute(_LOOK, {"id": room}).one_or_none()
        if found is None:
            raise NoSuchRoom(room)
        self.room = found
        self.entries = connection.execute(_ENTRIES, {"id": room, "after": 0}).all()[: found.n]


def verified(room: str, rows: Rows | Whole) -> Stored:
    """What the rows hold. Raises Torn if they are not, all of them, what was written."""
    epoch, end, head, created, birth, *line = rows.room
    if chain.birth(room, created) != birth:
        raise Torn(room, 0, "its birth record is not what was written")
    n, check, snapshot = 0, birth, None
    if rows.snapshot is not None:
        n, check = rows.snapshot.n, rows.snapshot.check
        snapshot = Snapshot(n, rows.snapshot.body)
        if chain.seal(check, snapshot.body) != rows.snapshot.seal:
            raise Torn(room, n, "its snapshot is not what was written")
    found = []
    for row in rows.entries:
        *fields, kept = row
        entry = Entry(*fields)
        n += 1
        if entry.n != n:
            raise Torn(room, n, "this entry is missing")
        check = chain.link(check, entry)
        if check != kept:
            raise Torn(room, n, "this entry is not what was written, or not in its place")
        found.append(entry)
    if n != end:
        raise Torn(room, min(n, end) + 1, f"the log ends with entry {n}; it was written up to entry {end}")
    if check != head:
        raise Torn(room, n, "the end of the log is not what was written")
    return Stored(epoch, end, created, Line(*line), snapshot, found)


@contextmanager
def torn(room: str) -> Iterator[None]:
    """What cannot be read of a room is Torn."""
    try:
        yield
    except Damaged as error:
        raise Torn(room, 0, "the database cannot read it") from error
    except (AttributeError, TypeError, ValueError, struct.error) as error:
        raise Torn(room, 0, "a value in it is not of its kind") from error
