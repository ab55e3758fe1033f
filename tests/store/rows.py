"""Rooms, entries and press for tests, and a way to put a hand into the database."""

from typing import Any

from sqlalchemy import text

from server.store.records import Entry, Line, Work
from server.store.store import Store


def line(room: str = "a", **values: Any) -> Line:
    told = {"players": 6, "private": False, "phase": "lobby", "round": 0, "free": ["stark"], "touched": 1, "wake": None}
    return Line(room, **told | values)


def entry(n: int, epoch: int = 1, body: bytes = b"march") -> Entry:
    return Entry(n, epoch, 1_700_000_000_000 + n, "stark", f"id{n}", body)


def work(room: str = "a", epoch: int = 1, after: int = 0, count: int = 1, **more: Any) -> Work:
    entries = [entry(n, epoch) for n in range(after + 1, after + count + 1)]
    return Work(epoch, after, line(room), entries, **more)


async def tamper(store: Store, sql: str, **values: Any) -> int:
    """Run a statement of ours behind the store's back; how many rows it touched."""
    return await store._database.write(lambda connection: connection.execute(text(sql), values).rowcount)
