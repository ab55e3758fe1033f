"""A database as the store uses it, and how a URL becomes one."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from server.store.errors import BadStore
from server.store.sqlite import Sqlite

T = TypeVar("T")


class Database(Protocol):
    """Runs transactions: functions of a connection, off the event loop or without blocking it.

    An exception of the function rolls everything back and is passed on. Both raise Unavailable if the database failed.
    """

    shared: bool
    """Whether several processes may write."""

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that is durable when this returns. Raises InDoubt too."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that only reads."""

    async def close(self) -> None:
        """Let go of every connection."""


def open_database(url: str, *, looking: bool = False) -> Database:
    """The database of a URL. A file is made and opened; of a server nothing is asked yet. Raises BadStore, Unavailable.

    Whoever is `looking` does not write, and is in nobody's way.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise BadStore(f"the store's URL cannot be read; {_FORMS}") from None
    match parsed.drivername:
        case "sqlite":
            return _sqlite(parsed, looking)
        case "postgresql" | "postgres":
            from server.store.postgres import Postgres  # noqa: PLC0415 - some megabytes that SQLite does not need

            return Postgres(parsed)
        case other:
            raise BadStore(f"the store's URL names the unknown database {other}; {_FORMS}")


def _sqlite(url: URL, looking: bool) -> Sqlite:
    if not url.database or url.database == ":memory:" or url.host or url.query:
        raise BadStore(f"the store's URL has to name a file, and nothing else; {_FORMS}")
    return Sqlite(url.database, looking=looking)


_FORMS = "use sqlite:///DIRECTORY/marchwarden.db or postgresql://USER:PASSWORD@HOST/DATABASE"
