"""Statements that are written out once, and given to SQLite's driver: SQLAlchemy takes longer for each than SQLite itself."""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, Executable, LargeBinary
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.expression import ClauseElement

Row = Mapping[str, Any]


class Prepared:
    """A statement that is run often, with parameters by name."""

    def __init__(self, statement: ClauseElement, *, columns: Sequence[str] = ()) -> None:
        """`columns` are those of an `INSERT`."""
        assert isinstance(statement, Executable)
        self._statement = statement
        self._columns = list(columns) or None
        self._written: tuple[str, _Values] | None = None

    def run(self, connection: Connection, rows: Row | Sequence[Row]) -> Iterable[Any]:
        """Run it once, or once for every row of a list; the rows that it gives."""
        driver = connection.connection.driver_connection
        if not isinstance(driver, sqlite3.Connection):
            return connection.execute(self._statement, rows)
        if self._written is None:
            self._written = self._write(connection.dialect)
        text, values = self._written
        if isinstance(rows, Mapping):
            return driver.execute(text, values(rows))
        return driver.executemany(text, map(values, rows))

    def _write(self, dialect: Dialect) -> "tuple[str, _Values]":
        """The statement as text, and what makes its values of a row."""
        assert isinstance(self._statement, ClauseElement)
        written = self._statement.compile(dialect=dialect, column_keys=self._columns)
        assert isinstance(written, SQLCompiler)
        return str(written), _Values(written, dialect)


class _Values:
    """The values of a row at their places."""

    def __init__(self, written: SQLCompiler, dialect: Dialect) -> None:
        names = written.positiontup or []
        self._get = itemgetter(*names) if len(names) > 1 else lambda row: (row[names[0]],)
        self._made: list[tuple[int, Callable[[Any], Any]]] = []
        """Places of values that the database has otherwise, with what makes them."""
        for place, name in enumerate(names):
            kind = written.binds[name].type.dialect_impl(dialect)
            make = kind.bind_processor(dialect)
            if make and not isinstance(kind, LargeBinary):  # the driver takes bytes as they are
                self._made.append((place, make))

    def __call__(self, row: Row) -> Sequence[Any]:
        if not self._made:
            return self._get(row)
        values = list(self._get(row))
        for place, make in self._made:
            values[place] = make(values[place])
        return values
