"""Leases: one node has a room, by the clock of the database (PostgreSQL alone)."""

import asyncio

import pytest

from server.store.errors import BadStore, Elsewhere, NoSuchRoom, RoomExists
from server.store.leases import WATCH
from server.store.records import Outcome
from server.store.store import Store
from tests.store.rows import line, tamper, work


@pytest.fixture
async def shared(postgres_url: str):
    async with await Store.open(postgres_url) as opened:
        yield opened


async def run_out(store: Store, room: str) -> None:
    await tamper(store, f"UPDATE leases SET until = 0 WHERE room = '{room}'")


async def test_a_file_is_for_one_node(sqlite_url: str):
    async with await Store.open(sqlite_url) as store:
        with pytest.raises(BadStore, match="several nodes need PostgreSQL"):
            store.leases("n", 6)


async def test_who_makes_a_room_has_it(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    await one.create(b"birth", line())
    with pytest.raises(RoomExists):
        await other.create(b"birth", line())
    with pytest.raises(Elsewhere) as caught:
        await other.claim("a")
    assert caught.value.node == "one"
    assert await shared.commit([work("a")]) == [Outcome.DONE]  # the epoch is still the first: nothing was taken


async def test_a_lease_that_is_over_is_taken_with_a_new_epoch(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    await one.create(b"birth", line())
    await run_out(shared, "a")
    assert (await other.claim("a")).epoch == 2
    assert await shared.commit([work("a")]) == [Outcome.STALE]
    assert await one.renew({"a": 1}) == set()
    with pytest.raises(Elsewhere):
        await one.claim("a")


async def test_a_lease_that_is_over_is_not_renewed_though_nobody_took_it(shared: Store):
    one = shared.leases("one", 60)
    await one.create(b"birth", line())
    assert await one.renew({"a": 1}) == {"a"}
    await run_out(shared, "a")
    assert await one.renew({"a": 1}) == set()
    assert (await one.claim("a")).epoch == 2


async def test_what_is_released_is_free_at_once_unless_it_was_claimed_again(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    await one.create(b"birth", line())
    assert (await one.claim("a")).epoch == 2
    await one.release({"a": 1})  # of before: too late
    with pytest.raises(Elsewhere):
        await other.claim("a")
    await one.release({"a": 2})
    assert (await other.claim("a")).epoch == 3


async def test_of_many_that_claim_at_once_one_has_it(shared: Store):
    await shared.create(b"birth", line())
    nodes = [shared.leases(f"n{n}", 60) for n in range(8)]
    found = await asyncio.gather(*(node.claim("a") for node in nodes), return_exceptions=True)
    assert sorted(type(each).__name__ for each in found) == ["Elsewhere"] * 7 + ["Stored"]


async def test_no_lease_is_left_of_a_room_that_is_not_there(shared: Store):
    one = shared.leases("one", 60)
    with pytest.raises(NoSuchRoom):
        await one.claim("nowhere")
    await shared.create(b"birth", line(room="nowhere"))
    assert (await shared.leases("other", 60).claim("nowhere")).epoch == 2


async def test_a_room_that_is_deleted_takes_its_lease_with_it(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    await one.create(b"birth", line())
    await shared.forget("a")
    await other.create(b"birth", line())


async def test_one_node_watches_the_rooms_that_nobody_has(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    assert [await one.watch(), await other.watch(), await one.watch()] == [True, False, True]
    await run_out(shared, WATCH)
    assert await other.watch()
    await shared.create(b"birth", line(room="due", wake=1))
    await shared.create(b"birth", line(room="later", wake=10**15))
    assert await one.due(10) == ["due"]
    await one.claim("due")
    assert await one.due(10) == []
    await run_out(shared, "due")
    assert await one.due(10) == ["due"]


async def test_a_room_is_born_on_another_node(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    await one.create(b"birth", line(), "other")
    assert await shared.holder("a") == "other"
    with pytest.raises(Elsewhere):
        await one.claim("a")
    assert (await other.claim("a")).epoch == 2


async def test_a_room_is_given_to_another_node_and_nobody_else_comes_between(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    await one.create(b"birth", line())
    assert await other.hand({"a": 1}, {"a": "other"}) == set()  # it is not its own
    assert await one.hand({"a": 7}, {"a": "other"}) == set()
    assert await one.hand({"a": 1, "b": 1}, {"a": "other", "b": "other"}) == {"a"}
    assert await shared.holders() == {"a": "other"}
    with pytest.raises(Elsewhere) as caught:
        await one.claim("a")
    assert caught.value.node == "other" and caught.value.until > 0
    assert (await other.claim("a")).epoch == 2


async def test_whoever_leaves_lets_everything_go(shared: Store):
    one, other = shared.leases("one", 60), shared.leases("other", 60)
    await one.create(b"birth", line())
    await other.create(b"birth", line("b"))
    assert await one.watch()
    await one.leave()
    assert await shared.holders() == {"b": "other"}
    assert await other.watch()
    assert await shared.holder("a") == ""
    with pytest.raises(NoSuchRoom):
        await shared.holder("c")


async def test_an_old_room_is_not_deleted_while_a_node_has_it(shared: Store):
    one = shared.leases("one", 60)
    await one.create(b"birth", line())
    assert not await shared.forget("a", idle_since=2**40)
    assert await shared.holder("a") == "one"
    await run_out(shared, "a")
    assert await shared.forget("a", idle_since=2**40)
    with pytest.raises(NoSuchRoom):
        await one.claim("a")


async def test_a_room_that_is_deleted_and_claimed_at_once_is_one_of_both(shared: Store):
    for n in range(20):
        room = f"r{n}"
        await shared.create(b"birth", line(room))
        claimed, forgotten = await asyncio.gather(
            shared.leases("one", 60).claim(room), shared.forget(room, idle_since=2**40), return_exceptions=True
        )
        assert forgotten is isinstance(claimed, NoSuchRoom), (claimed, forgotten)
