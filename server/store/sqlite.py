"""SQLite: one file, one process, one thread that writes."""

import asyncio
import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from server.store.errors import BadStore, Damaged, StoreError, Unavailable

T = TypeVar("T")

READERS: Final = 2
BUSY_SECONDS: Final = 5
"""How long to wait for somebody who looks into the file with another program."""
NOT_ITS_FAULT: Final = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "cache_size=-512")
"""Half a mebibyte of pages a connection: what is read of a log is read once."""


class Sqlite:
    """An SQLite database as a `Database`.

    A transaction runs as a whole in a thread: going there and back for every statement costs several times as much.
    """

    shared = False

    def __init__(self, path: str, *, looking: bool = False) -> None:
        """Makes the file if there is none, and opens it; `looking` only reads, while another process may write.

        Raises BadStore if it cannot be used, or another process uses it; Unavailable.
        """
        if looking and not Path(path).exists():
            raise BadStore(f"there is no store {path}")
        self._lock = None if looking else _lock(Path(path))
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._engine = create_engine(
            URL.create("sqlite", database=path),
            pool_size=1 + READERS,
            pool_use_lifo=True,
            connect_args={"timeout": BUSY_SECONDS},
        )
        event.listen(self._engine, "connect", _only_look if looking else _prepare)
        try:
            self._fill_pool()
            self._writing = self._engine.connect()
        except DBAPIError as error:
            self._engine.dispose()
            self._unlock()
            raise _translated(error.orig) from error

    def _fill_pool(self) -> None:
        """Open every connection now, so that a node needs no more files later than at its start."""
        with contextlib.ExitStack() as stack:
            for _ in range(1 + READERS):
                connection = stack.enter_context(self._engine.connect())
                connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema")  # opens what lies beside the file

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that is durable when this returns. Raises Unavailable."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a transaction that only reads. Raises Unavailable."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def close(self) -> None:
        """Finish what runs, and let the file go."""
        for executor in (self._writer, self._readers):
            await asyncio.to_thread(executor.shutdown)
        self._writing.close()
        self._engine.dispose()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)

    def _write(self, work: Callable[[Connection], T]) -> T:
        """In the one thread that writes, on a connection that is kept for it: to borrow one costs as much as a statement."""
        return _run(self._writing, "BEGIN IMMEDIATE", work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self._engine.connect() as connection:
            return _run(connection, "BEGIN", work)


def _run(connection: Connection, begin: str, work: Callable[[Connection], T]) -> T:
    """Run a transaction. What is the database's fault is raised as one of the store's own errors."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    try:
        with connection.begin():
            driver.execute(begin)
            return work(connection)
    except BaseException as error:
        driver.rollback()  # a commit that fails leaves the transaction open
        cause = error.orig if isinstance(error, DBAPIError) else error
        if not isinstance(cause, sqlite3.Error) or isinstance(cause, NOT_ITS_FAULT):
            raise
        raise _translated(cause) from error


def _translated(error: BaseException | None) -> StoreError:
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:  # the rest are details
        case sqlite3.SQLITE_NOTADB:
            return BadStore("the store's file is no SQLite database; name another file")
        case sqlite3.SQLITE_CORRUPT:
            return Damaged(f"SQLite: {error}")
        case _:
            return Unavailable(f"SQLite: {error}")


def _lock(path: Path) -> int:
    """Make the file, and keep others away from it for as long as the returned descriptor is open. Raises BadStore."""
    try:
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise BadStore(
            f"the store {path} cannot be used: {error.strerror}; name a file in a directory of ours"
        ) from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            directory = os.open(path.parent, os.O_RDONLY | os.O_CLOEXEC)
            os.fsync(directory)
            os.close(directory)
    except BlockingIOError:
        os.close(lock)
        hint = "stop it, or give this one a store of its own; several nodes need PostgreSQL"
        raise BadStore(f"the store {path} is in use by another process; {hint}") from None
    except OSError as error:
        os.close(lock)
        raise BadStore(f"the store {path} cannot be made: {error.strerror}") from None
    return lock


def _only_look(connection: sqlite3.Connection, record: Any) -> None:
    connection.isolation_level = None
    connection.execute("PRAGMA query_only=ON")


def _prepare(connection: sqlite3.Connection, record: Any) -> None:
    connection.isolation_level = None  # the driver's own BEGIN would come too late, and would not be IMMEDIATE
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
