"""Which node of a cluster has a room, and for how long. All times are those of the database's clock.

Whoever has a lease alone may load the room; that nobody else writes to it is the epoch's affair, as ever.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sqlalchemy import ARRAY, BigInteger, Connection, String, TextClause, bindparam, text

from server.store.commit import commit
from server.store.errors import BadStore, Elsewhere, RoomExists
from server.store.load import Rows, torn, verified
from server.store.records import Birth, Line, Outcome, Stored

if TYPE_CHECKING:
    from server.store.database import Database

WATCH: Final = ""
"""In place of a room: whoever has this lease looks after the deadlines of rooms that nobody has."""
_NOW: Final = "(extract(epoch from clock_timestamp()) * 1000)::bigint"


def _on_rooms(statement: str) -> TextClause:
    rooms, epochs = bindparam("rooms", type_=ARRAY(String)), bindparam("epochs", type_=ARRAY(BigInteger))
    return text(statement).bindparams(rooms, epochs)


_TAKE = text(f"""
    INSERT INTO leases (room, node, epoch, until) VALUES (:room, :node, 0, {_NOW} + :ttl)
    ON CONFLICT (room) DO UPDATE SET node = :node, until = {_NOW} + :ttl
    WHERE leases.node = :node OR leases.until <= {_NOW}
    RETURNING node
""")  # noqa: S608 - nothing of it comes from outside
_WHOSE = text("SELECT node FROM leases WHERE room = :room")
_OF_EPOCH = text("UPDATE leases SET epoch = :epoch WHERE room = :room")
_RENEW = _on_rooms(f"""
    UPDATE leases SET until = {_NOW} + :ttl
    WHERE node = :node AND until > {_NOW}
    AND (room, epoch) IN (SELECT * FROM unnest(CAST(:rooms AS varchar[]), CAST(:epochs AS bigint[])))
    RETURNING room
""")  # noqa: S608
_RELEASE = _on_rooms("""
    DELETE FROM leases WHERE node = :node
    AND (room, epoch) IN (SELECT * FROM unnest(CAST(:rooms AS varchar[]), CAST(:epochs AS bigint[])))
""")
_DUE = text(f"""
    SELECT room FROM rooms WHERE wake <= {_NOW}
    AND NOT EXISTS (SELECT 1 FROM leases WHERE leases.room = rooms.room AND leases.until > {_NOW})
    ORDER BY wake LIMIT :limit
""")  # noqa: S608


class Leases:
    """The leases of one node. Every method may raise Unavailable, and those that write InDoubt."""

    def __init__(self, database: "Database", node: str, seconds: float) -> None:
        """`node` names the process, and no other one ever. Raises BadStore."""
        if not database.shared:
            raise BadStore("several nodes need PostgreSQL: postgresql://USER:PASSWORD@HOST/DATABASE")
        self._database = database
        self._node = node
        self._ttl = int(seconds * 1000)

    async def create(self, created: bytes, line: Line) -> None:
        """Write a new room, which this node has from the beginning. Raises RoomExists."""

        def work(connection: Connection) -> bool:
            if commit(connection, [Birth(line, created)]) != [Outcome.DONE]:
                return False
            self._take(connection, line.room)
            connection.execute(_OF_EPOCH, {"room": line.room, "epoch": 1})
            return True

        if not await self._database.write(work):
            raise RoomExists(line.room)

    async def claim(self, room: str) -> Stored:
        """Take a room that nobody has, and load it. Raises Elsewhere, NoSuchRoom, Torn."""

        def work(connection: Connection) -> Rows:
            self._take(connection, room)
            rows = Rows(connection, room)
            connection.execute(_OF_EPOCH, {"room": room, "epoch": rows.room.epoch})
            return rows

        with torn(room):
            return verified(room, await self._database.write(work))

    async def watch(self) -> bool:
        """Whether this node looks after the deadlines of rooms that nobody has, from now on or still."""
        try:
            await self._database.write(lambda connection: self._take(connection, WATCH))
        except Elsewhere:
            return False
        return True

    async def due(self, limit: int) -> list[str]:
        """Rooms that have to do something by themselves and that nobody has."""
        found = await self._database.read(lambda connection: connection.execute(_DUE, {"limit": limit}).scalars().all())
        return list(found)

    async def renew(self, held: Mapping[str, int]) -> set[str]:
        """Keep rooms, given with their epochs, for another while; those of them that are still this node's."""
        asked = {**self._rooms(held), "ttl": self._ttl}
        return set(await self._database.write(lambda connection: connection.execute(_RENEW, asked).scalars().all()))

    async def release(self, held: Mapping[str, int]) -> None:
        """Let rooms go, given with their epochs, for whoever asks for them next."""
        await self._database.write(lambda connection: connection.execute(_RELEASE, self._rooms(held)))

    def _rooms(self, held: Mapping[str, int]) -> dict[str, object]:
        return {"node": self._node, "rooms": list(held), "epochs": list(held.values())}

    def _take(self, connection: Connection, room: str) -> None:
        if connection.execute(_TAKE, {"room": room, "node": self._node, "ttl": self._ttl}).first() is None:
            node = connection.execute(_WHOSE, {"room": room}).scalar()
            raise Elsewhere(node or "")
