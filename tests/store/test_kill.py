"""A process that is killed while it writes loses nothing that it had acknowledged."""

import asyncio
import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from random import Random

from server.store.journal import Journal
from server.store.records import Outcome, Work
from server.store.store import Store
from tests.store.rows import entry, line

KILLS = 20
ROOMS = ("a", "b", "c")


def test_killed_at_any_moment(url: str):
    """Every life of the process goes on where the one before was killed."""
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([__name__])
    rng = Random(7)
    asyncio.run(_make(url))
    written = dict.fromkeys(ROOMS, 0)
    for _ in range(KILLS):
        ours, theirs = processes.Pipe(duplex=False)
        child = processes.Process(target=_write, args=(url, theirs))
        child.start()
        theirs.close()
        acknowledged = dict(written)
        for _ in range(rng.randrange(1, 60)):
            room, n = ours.recv()
            acknowledged[room] = n
        os.kill(child.pid or 0, signal.SIGKILL)
        child.join()
        acknowledged |= dict(_rest(ours))
        written = asyncio.run(_read(url))
        for room in ROOMS:
            assert written[room] >= acknowledged[room]
    assert min(written.values()) > KILLS


async def _make(url: str) -> None:
    async with await Store.open(url) as store:
        for room in ROOMS:
            await store.create(b"", line(room))


def _rest(pipe: Connection) -> list[tuple[str, int]]:
    """What it had still acknowledged, whole messages only."""
    rest = []
    try:
        while True:
            rest.append(pipe.recv())
    except (EOFError, OSError):
        return rest


async def _read(url: str) -> dict[str, int]:
    """How far every log goes; claiming it checks that it is whole."""
    async with await Store.open(url) as store:
        return {room: await _checked(store, room) for room in ROOMS}


async def _checked(store: Store, room: str) -> int:
    stored = await store.claim(room)
    found = await store.entries(room, limit=100_000)
    assert [each.body for each in found] == [b"%d" % n for n in range(1, stored.n + 1)]
    if stored.snapshot is not None:
        assert stored.snapshot.body == b"%d" % stored.snapshot.n
    return stored.n


def _write(url: str, acknowledged: Connection) -> None:
    asyncio.run(_append(url, acknowledged))


async def _append(url: str, acknowledged: Connection) -> None:
    async with await Store.open(url) as store, Journal(store) as journal:

        async def play(room: str) -> None:
            stored = await store.claim(room)
            for n in range(stored.n + 1, 1_000_000):
                done: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
                snapshot = b"%d" % n if n % 10 == 0 else None
                added = entry(n, stored.epoch, b"%d" % n)
                journal.add(Work(stored.epoch, n - 1, line(room), [added], snapshot), done.set_result)
                assert await done is Outcome.DONE
                acknowledged.send((room, n))

        await asyncio.gather(*(play(room) for room in ROOMS))
