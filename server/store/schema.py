"""The tables, as the code uses them. They are made by the migrations; a test compares the two."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    TypeDecorator,
)


class Exact(TypeDecorator[str]):
    """Text from outside, kept as bytes: PostgreSQL's own text holds no NUL."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> bytes | None:
        """To the database."""
        return None if value is None else value.encode("utf-8", "surrogatepass")

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> str | None:
        """From the database."""
        return None if value is None else value.decode("utf-8", "surrogatepass")


metadata = MetaData()

rooms = Table(
    "rooms",
    metadata,
    Column("room", String, primary_key=True),
    # Who may write, and where the log ends: every commit locks this row and looks here first.
    Column("epoch", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("head", LargeBinary, nullable=False),  # the check of entry n
    Column("said", BigInteger, nullable=False),
    # How it was made.
    Column("made", BigInteger, nullable=False),
    Column("created", LargeBinary, nullable=False),
    Column("birth", LargeBinary, nullable=False),  # the check of `created`
    # What is told of it without loading it.
    Column("players", Integer, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("phase", String, nullable=False),
    Column("round", Integer, nullable=False),
    Column("free", JSON, nullable=False),
    Column("touched", BigInteger, nullable=False),
    Column("wake", BigInteger),
)
Index("rooms_by_age", rooms.c.private, rooms.c.made)
Index("rooms_by_phase", rooms.c.phase, rooms.c.made)
Index("rooms_by_wake", rooms.c.wake, sqlite_where=rooms.c.wake.is_not(None), postgresql_where=rooms.c.wake.is_not(None))

entries = Table(
    "entries",
    metadata,
    Column("room", String, primary_key=True),
    Column("n", BigInteger, primary_key=True),
    Column("epoch", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seat", String, nullable=False),
    Column("client_id", Exact, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("check", LargeBinary, nullable=False),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("room", String, primary_key=True),
    Column("n", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("check", LargeBinary, nullable=False),  # the check of entry n
    Column("seal", LargeBinary, nullable=False),  # the check of this row
)

press = Table(
    "press",
    metadata,
    Column("room", String, primary_key=True),
    Column("m", BigInteger, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("sender", String, nullable=False),
    Column("to", String, nullable=False),  # JSON: "all" or a list of houses
    Column("text", Exact, nullable=False),
    Column("asked", LargeBinary),  # empty in what was said before there was this column
)

leases = Table(
    "leases",
    metadata,
    Column("room", String, primary_key=True),
    Column("node", String, nullable=False),  # of the process, not of the machine: it has another one after a restart
    Column("epoch", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),  # milliseconds since 1970 by the clock of the database
)
Index("leases_by_node", leases.c.node)
