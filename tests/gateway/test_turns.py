"""A crowd goes to work a few at a time, and full collections are seldom."""

import asyncio
import gc

from server.gateway import garbage
from server.gateway.garbage import collect_garbage
from server.gateway.turns import Turns


async def turn() -> None:
    """Let the event loop turn once."""
    await asyncio.sleep(0)


async def test_a_few_start_at_once_and_the_rest_follow_in_order() -> None:
    turns, done = Turns(at_once=3), list[int]()
    work = [lambda n=n: done.append(n) for n in range(10)]
    for each in work:
        turns.start(each)
    assert done == [0, 1, 2]
    await turn()
    assert done == [0, 1, 2, 3, 4, 5]
    turns.start(lambda: done.append(100))
    assert done[-1] == 100
    for _ in range(3):
        await turn()
    assert done == [0, 1, 2, 3, 4, 5, 100, 6, 7, 8, 9]
    turns.start(lambda: done.append(200))
    assert done[-1] == 200


async def test_who_waits_already_waits_once() -> None:
    turns, done = Turns(at_once=1), list[int]()
    later = lambda: done.append(2)  # noqa: E731 - the same thing twice
    turns.start(lambda: done.append(1))
    turns.start(later)
    turns.start(later)
    for _ in range(4):
        await turn()
    assert done == [1, 2]


async def test_full_collections_take_their_share_of_time_and_no_more(monkeypatch) -> None:
    naps = list[float]()

    async def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 3:
            raise asyncio.CancelledError

    took = iter([0.0, 0.0, 10.0, 10.5, 20.0, 20.03])
    monkeypatch.setattr(garbage.asyncio, "sleep", nap)
    monkeypatch.setattr(garbage.time, "perf_counter", lambda: next(took))
    before, enabled = gc.get_threshold(), gc.isenabled()
    try:
        await asyncio.gather(collect_garbage(), return_exceptions=True)
        assert enabled
        assert gc.get_threshold()[0] == garbage.YOUNG
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
    assert naps == [60, 500, 60]
