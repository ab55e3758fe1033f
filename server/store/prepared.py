"""Statements that are written out once, and given to SQLite's driver: SQLAlchemy takes longer for each than SQLite itself."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Dialect, Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

Row = Mapping[str, Any]
_Process = Callable[[Any], Any] | None


class Prepared:
    """A statement that is run often, with parameters by name."""

    def __init__(self, statement: ClauseElement, *, columns: Sequence[str] = ()) -> None:
        """`columns` are those of an `INSERT`."""
        assert isinstance(statement, Executable)
        self._statement = statement
        self._columns = list(columns) or None
        self._written: tuple[str, list[tuple[str, _Process]]] | None = None

    def run(self, connection: Connection, rows: Row | Sequence[Row]) -> Iterable[Any]:
        """Run it once, or once for every row of a list; the rows that it gives."""
        driver = connection.connection.driver_connection
        if not isinstance(driver, sqlite3.Connection):
            return connection.execute(self._statement, rows)
        if self._written is None:
            self._written = self._write(connection.dialect)
        text, places = self._written
        if isinstance(rows, Mapping):
            return driver.execute(text, _values(places, rows))
        return driver.executemany(text, [_values(places, row) for row in rows])

    def _write(self, dialect: Dialect) -> tuple[str, list[tuple[str, _Process]]]:
        """The statement as text, and which parameter stands at which place, with what makes a value of the database of it."""
        assert isinstance(self._statement, ClauseElement)
        written = self._statement.compile(dialect=dialect, column_keys=self._columns)
        assert isinstance(written, SQLCompiler)
        names = written.positiontup or []
        return str(written), [
            (name, written.binds[name].type.dialect_impl(dialect).bind_processor(dialect)) for name in names
        ]


def _values(places: Sequence[tuple[str, _Process]], row: Row) -> tuple[Any, ...]:
    return tuple(row[name] if process is None else process(row[name]) for name, process in places)
