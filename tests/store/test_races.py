"""Two stores on one database: each place of a log is taken once, by the owner of the room."""

import asyncio
import fcntl
from collections.abc import AsyncIterator

import pytest

from server.store.records import Birth, Outcome
from server.store.store import Store
from tests.store.rows import line, work

DONE, STALE = Outcome.DONE, Outcome.STALE
ROOMS = ("a", "b", "c")


@pytest.fixture
async def both(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Store, Store]]:
    # Two on one SQLite file are kept apart by a lock; here it fails, as on some network disks.
    monkeypatch.setattr(fcntl, "flock", lambda descriptor, how: None)
    async with await Store.open(url) as one, await Store.open(url) as other:
        yield one, other


async def test_of_two_writers_with_one_epoch_one_gets_each_place(both: tuple[Store, Store]):
    await both[0].commit([Birth(line(room), b"") for room in ROOMS])
    for n in range(20):
        batches = [[work(room, after=n) for room in ROOMS], [work(room, after=n) for room in reversed(ROOMS)]]
        first, second = await asyncio.gather(*(store.commit(batch) for store, batch in zip(both, batches, strict=True)))
        assert sorted([first, second], key=str) == [[DONE] * 3, [STALE] * 3]
    for room in ROOMS:
        assert (await both[1].claim(room)).n == 20


async def test_each_claim_gets_an_epoch_of_its_own(both: tuple[Store, Store]):
    await both[0].create(b"", line())
    stored = await asyncio.gather(*(both[number % 2].claim("a") for number in range(20)))
    assert sorted(each.epoch for each in stored) == list(range(2, 22))
    assert await both[0].commit([work(epoch=20)]) == [STALE]
    assert await both[0].commit([work(epoch=21)]) == [DONE]


async def test_an_owner_that_is_fenced_in_mid_flight_writes_nothing_more(both: tuple[Store, Store]):
    """One writes as fast as it can while the other takes over; what is in the log is what the first was told is done."""
    old, new = both
    await old.create(b"", line())
    done: list[int] = []
    some = asyncio.Event()

    async def write() -> None:
        for n in range(1000):
            if await old.commit([work(after=n)]) != [DONE]:
                return
            done.append(n + 1)
            if n == 5:
                some.set()

    writing = asyncio.create_task(write())
    await some.wait()
    stored = await new.claim("a")
    assert await new.commit([work(epoch=2, after=stored.n)]) == [DONE]
    await writing
    assert done == list(range(1, stored.n + 1))
    assert (await new.claim("a")).n == stored.n + 1


async def test_a_room_is_made_once(both: tuple[Store, Store]):
    for number in range(10):
        told = line(f"r{number}")
        outcomes = await asyncio.gather(*(store.commit([Birth(told, b"")]) for store in both))
        assert sorted(outcomes, key=str) == [[DONE], [STALE]]
