"""Busy connections are served one a turn, and full collections are seldom."""

import asyncio
import gc

from server.gateway import garbage
from server.gateway.garbage import collect_garbage
from server.gateway.turns import Turns


async def turn() -> None:
    """Let the event loop turn once."""
    await asyncio.sleep(0)


async def test_one_starts_at_once_and_the_rest_follow_one_a_turn_in_order() -> None:
    turns, done = Turns(), list[int]()
    for n in range(4):
        turns.start(lambda n=n: done.append(n))
    assert done == [0]
    await turn()
    assert done == [0, 1]
    turns.start(lambda: done.append(100))
    assert done == [0, 1]
    for _ in range(3):
        await turn()
    assert done == [0, 1, 2, 3, 100]
    turns.start(lambda: done.append(200))
    assert done[-1] == 100
    await turn()
    assert done[-1] == 200
    await turn()
    turns.start(lambda: done.append(300))
    assert done[-1] == 300


async def test_what_fails_does_not_hold_up_the_rest() -> None:
    turns, done = Turns(), list[int]()
    turns.start(lambda: done.append(0))
    turns.start(lambda: done[7])
    turns.start(lambda: done.append(1))
    failed = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: failed.append(context["exception"]))
    for _ in range(4):
        await turn()
    assert done == [0, 1]
    assert [type(each) for each in failed] == [IndexError]


async def test_who_waits_for_a_turn_has_it_when_it_comes() -> None:
    turns, done = Turns(), list[int]()

    async def take(n: int) -> None:
        await turns.turn()
        done.append(n)

    async with asyncio.TaskGroup() as group:
        for n in range(5):
            group.create_task(take(n))
    assert done == [0, 1, 2, 3, 4]


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
