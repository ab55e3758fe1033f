"""PostgreSQL, for several nodes."""

import asyncio
from collections.abc import Callable
from typing import Any, Final, NoReturn, TypeVar

from sqlalchemy import Connection, bindparam, event, func, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import create_async_engine

from server.store.errors import BadStore, InDoubt, Unavailable

T = TypeVar("T")

POOL: Final = 5
CONNECT_SECONDS: Final = 10
COMMAND_SECONDS: Final = 30
DOUBT_SECONDS: Final = 20
"""How long to ask for the fate of a transaction whose commit was not answered."""
SSL: Final = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
SETTINGS: Final = {
    "application_name": "marchwarden",
    "synchronous_commit": "on",  # whatever the server's default: acknowledged is durable
    "idle_in_transaction_session_timeout": "10s",  # what a lost node has locked becomes free
}

_XID = select(func.txid_current())
_FATE = select(func.txid_status(bindparam("xid")))


class Postgres:
    """A PostgreSQL database as a `Database`."""

    shared = True

    def __init__(self, url: URL) -> None:
        """Does not connect yet. Raises BadStore."""
        query = dict(url.query)
        ssl = query.pop("sslmode", "prefer")
        if query:
            raise BadStore(f"the store's URL has the unknown option {min(query)}; only sslmode is known")
        if ssl not in SSL:
            raise BadStore(f"the store's URL has an unknown sslmode; it is one of {', '.join(SSL)}")
        try:
            self._engine = create_async_engine(
                url.set(drivername="postgresql+asyncpg", query={"ssl": ssl}),
                pool_size=POOL,
                connect_args={
                    "timeout": CONNECT_SECONDS,
                    "command_timeout": COMMAND_SECONDS,
                    "server_settings": SETTINGS,
                },
            )
        except ModuleNotFoundError:
            raise BadStore("PostgreSQL needs asyncpg; install marchwarden[postgres]") from None
        event.listen(self._engine.sync_engine, "checkout", _still_open)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that is durable when this returns. Raises Unavailable, InDoubt, BadStore."""
        xid = None
        try:
            async with self._engine.connect() as connection:
                number = await connection.scalar(_XID)
                result = await connection.run_sync(work)
                xid = number  # from here on, no answer does not mean no
                await connection.commit()
                return result
        except Exception as error:
            if xid is None:
                _raise_translated(error)
            fault = error
        if await self._committed(xid):
            return result
        raise Unavailable("PostgreSQL did not commit") from fault

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that only reads. Raises Unavailable, BadStore."""
        try:
            async with self._engine.connect() as connection:
                return await connection.run_sync(work)
        except Exception as error:
            _raise_translated(error)

    async def close(self) -> None:
        """Let go of every connection."""
        await self._engine.dispose()

    async def _committed(self, xid: int) -> bool:
        """Whether a transaction was committed whose commit was not answered. Raises InDoubt if nobody can tell."""
        clock = asyncio.get_running_loop().time
        deadline, pause = clock() + DOUBT_SECONDS, 0.05
        while clock() < deadline:
            try:
                async with self._engine.connect() as connection:
                    fate = await connection.scalar(_FATE, {"xid": xid})
            except (OSError, DBAPIError, PoolTimeout):
                fate = None
            if fate in {"committed", "aborted"}:
                return bool(fate == "committed")
            await asyncio.sleep(pause)
            pause = min(2 * pause, 2)
        raise InDoubt("PostgreSQL was lost while it committed")


def _still_open(connection: Any, record: Any, proxy: Any) -> None:
    """Have the pool replace a connection that was closed by the other end; unlike a ping it costs nothing."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _raise_translated(error: Exception) -> NoReturn:
    """Raise one of the store's own errors if it is the database's, or else the error as it is."""
    if isinstance(error, OSError | PoolTimeout):
        raise Unavailable(f"PostgreSQL cannot be reached: {error}") from error
    if not isinstance(error, DBAPIError):
        raise error
    state: str = getattr(error.orig, "sqlstate", None) or ""
    if state[:2] in {"28", "3D"}:
        raise BadStore(f"PostgreSQL lets nobody in with the store's URL: {error.orig}") from error
    if state in {"42P01", "42703"}:  # a table or a column is not there
        raise BadStore("the database has not the tables of this version; let a server of it run there first") from error
    if error.connection_invalidated or (state and state[:2] not in {"22", "23", "42"}):
        raise Unavailable(f"PostgreSQL: {error.orig}") from error
    raise error  # bad data, a constraint, bad SQL: not the database's fault
