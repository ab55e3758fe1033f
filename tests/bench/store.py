"""What durability costs: appends a second when works share a commit or not, and how long a room takes to load."""

import asyncio
import os
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from server.store.records import Birth, Entry, Line, Work
from server.store.store import Store

BODY = bytes(range(250)) + bytes(50)
LONG = 2000


class Commits(NamedTuple):
    """One size of batch."""

    batch: int
    appends_a_second: float
    ms_a_commit: float
    cpu_us_per_append: float


class Figures(NamedTuple):
    """Of one store."""

    commits: list[Commits]
    load_ms: float
    """A room of 2,000 entries with a snapshot 20 entries before the end."""
    load_without_snapshot_ms: float
    fsync_ms: float
    """What the disk itself takes to make one page durable."""


def measure(url: str | None = None, seconds: float = 2, sizes: Sequence[int] = (1, 20, 200)) -> Figures:
    """Measures a store that may be written to; by default SQLite in a directory that is deleted afterwards."""
    with TemporaryDirectory() as directory:
        fsync = _fsync(Path(directory) / "page")
        return asyncio.run(_measure(url or f"sqlite:///{directory}/bench.db", seconds, sizes, fsync))


async def _measure(url: str, seconds: float, sizes: Sequence[int], fsync: float) -> Figures:
    async with await Store.open(url) as store:
        commits = [await _commits(store, size, seconds) for size in sizes]
        load = await _load(store, "long", snapshot_at=LONG - 20)
        return Figures(commits, load, await _load(store, "bare", snapshot_at=0), fsync)


async def _commits(store: Store, size: int, seconds: float) -> Commits:
    lines = [_line(f"b{size}-{number}") for number in range(size)]
    await store.commit([Birth(line, b"") for line in lines])
    end = time.perf_counter() + seconds
    start, cpu, rounds = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() < end:
        await store.commit([Work(1, rounds, line, [_entry(rounds + 1)]) for line in lines])
        rounds += 1
    took, cpu = time.perf_counter() - start, time.process_time() - cpu
    return Commits(size, rounds * size / took, took / rounds * 1e3, cpu / rounds / size * 1e6)


async def _load(store: Store, room: str, snapshot_at: int) -> float:
    line = _line(room)
    await store.create(b"", line)
    first = [_entry(n) for n in range(1, snapshot_at + 1)]
    then = [_entry(n) for n in range(snapshot_at + 1, LONG + 1)]
    await store.commit([Work(1, 0, line, first, bytes(5000) if first else None), Work(1, snapshot_at, line, then)])
    took = []
    for _ in range(10):
        start = time.perf_counter()
        await store.claim(room)
        took.append(time.perf_counter() - start)
    return min(took) * 1e3


def _fsync(path: Path) -> float:
    with path.open("wb", buffering=0) as file:
        start = time.perf_counter()
        for number in range(100):
            os.pwrite(file.fileno(), bytes(4096), number * 4096)
            os.fdatasync(file.fileno())
        return (time.perf_counter() - start) / 100 * 1e3


def _line(room: str) -> Line:
    return Line(room, 6, False, "playing", 1, [], 1, 2)


def _entry(n: int) -> Entry:
    return Entry(n, 1, 1, "stark", f"id{n}", BODY)
