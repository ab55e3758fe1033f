"""Which node of a cluster has a room, and for how long. All times are those of the database's clock.

Whoever has a lease alone may load the room; that nobody else writes to it is the epoch's affair, as ever.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import ARRAY, BigInteger, BindParameter, Connection, String, TextClause, bindparam, text

from server.store.commit import commit
from server.store.errors import BadStore, Elsewhere, RoomExists
from server.store.load import Rows, torn, verified
from server.store.records import Birth, Line, Outcome, Stored

if TYPE_CHECKING:
    from server.store.database import Database

WATCH: Final = ""
"""In place of a room: whoever has this lease looks after the deadlines of rooms that nobody has."""
_NOW: Final = "(extract(epoch from clock_timestamp()) * 1000)::bigint"


def _on_rooms(statement: str, *more: BindParameter[Any]) -> TextClause:
    rooms, epochs = bindparam("rooms", type_=ARRAY(String)), bindparam("epochs", type_=ARRAY(BigInteger))
    return text(statement).bindparams(rooms, epochs, *more)


_TAKE = text(f"""
    INSERT INTO leases (room, node, epoch, until) VALUES (:room, :node, 0, {_NOW} + :ttl)
    ON CONFLICT (room) DO UPDATE SET node = :node, until = {_NOW} + :ttl
    WHERE leases.node = :node OR leases.until <= {_NOW}
    RETURNING node
""")  # noqa: S608 - nothing of it comes from outside
_WHOSE = text("SELECT node, until FROM leases WHERE room = :room")
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
_HAND = _on_rooms(
    f"""
    UPDATE leases SET node = given.heir, until = {_NOW} + :ttl
    FROM unnest(CAST(:rooms AS varchar[]), CAST(:epochs AS bigint[]), CAST(:heirs AS varchar[])) AS given (room, epoch, heir)
    WHERE leases.node = :node AND leases.room = given.room AND leases.epoch = given.epoch
    RETURNING leases.room
""",  # noqa: S608
    bindparam("heirs", type_=ARRAY(String)),
)
_LEAVE = text("DELETE FROM leases WHERE node = :node")
_HOLDERS = text(f"SELECT room, node FROM leases WHERE until > {_NOW} AND room <> ''")  # noqa: S608
_HOLDER = text(f"SELECT node FROM leases WHERE room = :room AND until > {_NOW}")  # noqa: S608
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

    async def create(self, created: bytes, line: Line, node: str = "") -> None:
        """Write a new room, which another node has from the beginning, or this one. Raises RoomExists."""

        def work(connection: Connection) -> bool:
            if commit(connection, [Birth(line, created)]) != [Outcome.DONE]:
                return False
            self._take(connection, line.room, node)
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

    async def hand(self, held: Mapping[str, int], heirs: Mapping[str, str]) -> set[str]:
        """Give rooms, given with their epochs, to other nodes; those of them that were still this node's."""
        asked = {**self._rooms(held), "heirs": [heirs[room] for room in held], "ttl": self._ttl}
        return set(await self._database.write(lambda connection: connection.execute(_HAND, asked).scalars().all()))

    async def leave(self) -> None:
        """Let everything go: the process ends."""
        await self._database.write(lambda connection: connection.execute(_LEAVE, {"node": self._node}))

    def _rooms(self, held: Mapping[str, int]) -> dict[str, object]:
        return {"node": self._node, "rooms": list(held), "epochs": list(held.values())}

    def _take(self, connection: Connection, room: str, node: str = "") -> None:
        if connection.execute(_TAKE, {"room": room, "node": node or self._node, "ttl": self._ttl}).first() is None:
            found = connection.execute(_WHOSE, {"room": room}).first()
            raise Elsewhere(*found) if found else Elsewhere("")


def holders(connection: Connection) -> dict[str, str]:
    """Which node has which room."""
    return {row.room: row.node for row in connection.execute(_HOLDERS)}


def holder(connection: Connection, room: str) -> str:
    """Which node has a room; empty if none has."""
    return connection.execute(_HOLDER, {"room": room}).scalar() or ""
