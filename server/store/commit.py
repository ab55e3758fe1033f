"""One transaction for the works of many rooms."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import ARRAY, JSON, Connection, String, Table, any_, bindparam, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from server.store import chain
from server.store.prepared import Prepared
from server.store.records import Birth, Line, Outcome, Work, Writing
from server.store.schema import entries, press, rooms, snapshots

Row = dict[str, Any]

# Everybody locks in the same order, so two nodes never wait for each other.
_ENDS = (
    select(rooms.c.room, rooms.c.epoch, rooms.c.n, rooms.c.head, rooms.c.said).order_by(rooms.c.room).with_for_update()
)
# One statement for any number of rooms, so that it is prepared once.
_LOCK = {
    "sqlite": Prepared(
        _ENDS.where(
            rooms.c.room.in_(select(func.json_each(bindparam("ids", type_=JSON)).table_valued("value").c.value))
        )
    ),
    "postgresql": Prepared(_ENDS.where(rooms.c.room == any_(bindparam("ids", type_=ARRAY(String))))),
}
_MOVED = ("n", "head", "said", "players", "private", "phase", "round", "free", "touched", "wake")
_MOVE = Prepared(
    update(rooms).where(rooms.c.room == bindparam("id")).values({name: bindparam(f"new_{name}") for name in _MOVED})
)
_APPEND = Prepared(entries.insert(), columns=entries.c.keys())


def commit(connection: Connection, batch: Sequence[Writing]) -> list[Outcome]:
    """Write a batch, and tell of each work whether it was taken; those that do not fit leave no trace.

    The row of a room is locked from the look at its epoch and its last entry until the end of the transaction, and an
    entry that is there is never overwritten: so a second writer finds the place taken, or its epoch gone.
    """
    born = _bear(connection, [work for work in batch if isinstance(work, Birth)])
    logs = _lock(connection, {work.room for work in batch if isinstance(work, Work)})
    outcomes = []
    for work in batch:
        if isinstance(work, Birth):
            taken = work.room in born
            born.discard(work.room)
        else:
            taken = work.room in logs and logs[work.room].take(work)
        outcomes.append(Outcome.DONE if taken else Outcome.STALE)
    _write(connection, [log for log in logs.values() if log.line is not None])
    return outcomes


class _Log:
    """The end of a room's log, and what is to be written behind it."""

    def __init__(self, room: str, epoch: int, n: int, head: bytes, said: int) -> None:
        self.room = room
        self.epoch = epoch
        self.n = n
        self.head = head
        self.said = said
        self.line: Line | None = None
        self.entries: list[Row] = []
        self.press: list[Row] = []
        self.snapshot: Row | None = None
        self._refused = False

    def take(self, work: Work) -> bool:
        """Add a work if it fits here. After one that does not, nothing of the room does."""
        if self._refused or work.epoch != self.epoch or work.after != self.n:
            self._refused = True
            return False
        self.line = work.line
        for entry in work.entries:
            self.n, self.head = entry.n, chain.link(self.head, entry)
            self.entries.append({"room": self.room, **asdict(entry), "check": self.head})
        for said in work.said:
            self.said += 1
            to = msgspec.json.encode(said.to).decode()
            self.press.append({"room": self.room, **asdict(said), "m": self.said, "to": to})
        if work.snapshot is not None:
            seal = chain.seal(self.head, work.snapshot)
            self.snapshot = {"room": self.room, "n": self.n, "body": work.snapshot, "check": self.head, "seal": seal}
        return True

    def moved(self) -> Row:
        """The row of the room from now on, as `_MOVE` takes it."""
        assert self.line is not None
        row = {**asdict(self.line), "n": self.n, "head": self.head, "said": self.said}
        return {"id": self.room, **{f"new_{name}": row[name] for name in _MOVED}}


def _lock(connection: Connection, ids: set[str]) -> dict[str, _Log]:
    """The ends of the logs of some rooms, those that exist; nobody else can write to them until the transaction ends."""
    if not ids:
        return {}
    ends = _LOCK[connection.dialect.name].run(connection, {"ids": sorted(ids)})
    return {room: _Log(room, epoch, n, head, said) for room, epoch, n, head, said in ends}


def _write(connection: Connection, logs: Sequence[_Log]) -> None:
    if rows := [row for log in logs for row in log.entries]:
        _APPEND.run(connection, rows)
    if rows := [row for log in logs for row in log.press]:
        connection.execute(press.insert(), rows)
    if rows := [log.snapshot for log in logs if log.snapshot is not None]:
        insert = _insert(connection, snapshots)
        newer = {name: insert.excluded[name] for name in ("n", "body", "check", "seal")}
        connection.execute(insert.on_conflict_do_update(index_elements=["room"], set_=newer), rows)
    if rows := [log.moved() for log in logs]:
        _MOVE.run(connection, rows)


def _bear(connection: Connection, births: Sequence[Birth]) -> set[str]:
    """Write new rooms; the ids of those whose id was free."""
    if not births:
        return set()
    rows = []
    for birth in births:
        check = chain.birth(birth.room, birth.created)
        row = {"epoch": 1, "n": 0, "head": check, "said": 0, "made": birth.line.touched, "birth": check}
        rows.append({**asdict(birth.line), **row, "created": birth.created})
    insert = _insert(connection, rooms).on_conflict_do_nothing().returning(rooms.c.room)
    return set(connection.execute(insert, rows).scalars())


def _insert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """Both know what to do on a conflict, but each has a statement of its own for it."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)
