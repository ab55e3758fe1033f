"""What every store does, on both databases."""

import sqlite3
from typing import Literal

import pytest
from sqlalchemy.exc import IntegrityError

from server.store.errors import NoSuchRoom, RoomExists, Torn
from server.store.records import Birth, Entry, Outcome, Said, Snapshot, Work
from server.store.store import Store
from tests.store.rows import entry, line, tamper, work

DONE, STALE = Outcome.DONE, Outcome.STALE


async def test_a_new_room_is_there_for_whoever_claims_it(store: Store):
    told = line("a", private=True, phase="playing", round=3, free=["stark", "tyrell"], touched=7, wake=9)
    await store.create(b"seed and seats", told)
    first = await store.claim("a")
    assert (first.epoch, first.n, first.created, first.line) == (2, 0, b"seed and seats", told)
    assert (first.snapshot, first.entries) == (None, [])
    assert (await store.claim("a")).epoch == 3


async def test_an_id_is_given_once(store: Store):
    await store.create(b"first", line())
    with pytest.raises(RoomExists):
        await store.create(b"second", line(phase="over"))
    assert (await store.claim("a")).created == b"first"
    twins = [Birth(line("b"), b"one"), Birth(line("b"), b"two"), Birth(line("a"), b"three")]
    assert await store.commit(twins) == [DONE, STALE, STALE]
    assert (await store.claim("b")).created == b"one"


async def test_no_such_room(store: Store):
    with pytest.raises(NoSuchRoom):
        await store.claim("a")
    assert await store.commit([work()]) == [STALE]
    assert (await store.entries("a"), await store.press("a")) == ([], [])


async def test_a_room_goes_on_in_the_commit_that_makes_it(store: Store):
    assert await store.commit([Birth(line(), b""), work(count=2), work(after=2)]) == [DONE] * 3
    assert (await store.claim("a")).entries == [entry(1), entry(2), entry(3)]


async def test_who_looks_sees_the_whole_log_and_disturbs_nobody(url: str):
    async with await Store.open(url) as store:
        await store.create(b"seed", line())
        epoch = (await store.claim("a")).epoch
        log = [entry(n, epoch=epoch) for n in (1, 2, 3)]
        await store.commit([Work(epoch, 0, line(), log[:2], snapshot=b"image")])
        async with Store.look(url) as looking:
            seen = await looking.whole("a")
            assert (seen.epoch, seen.n, seen.created, seen.snapshot) == (epoch, 2, b"seed", None)
            assert seen.entries == log[:2], "those before the snapshot, too"
            assert await store.commit([Work(epoch, 2, line(), log[2:])]) == [DONE], "its owner goes on"
            assert (await looking.whole("a")).entries == log
            assert [each.room for each in await looking.rooms()] == ["a"]
            with pytest.raises(NoSuchRoom):
                await looking.whole("b")
            assert await tamper(store, "UPDATE entries SET at = at + 1 WHERE n = 2") == 1
            with pytest.raises(Torn, match="entry 2"):
                await looking.whole("a")


async def test_nothing_to_write(store: Store):
    assert await store.commit([]) == []


async def test_what_is_written_comes_back_byte_for_byte(store: Store):
    strange = Entry(1, 1, -1, "", "nul \0, half \ud800, whole \U0001f409", bytes(range(256)))
    empty = Entry(2, 1, 2**53, "mace tyrell", "", b"")
    await store.create(b"", line())
    await store.commit([Work(1, 0, line(), [strange, empty])])
    assert (await store.claim("a")).entries == [strange, empty]
    assert await store.entries("a") == [strange, empty]


async def test_a_snapshot_saves_the_entries_before_it(store: Store):
    await store.create(b"", line())
    await store.commit([work(count=3, snapshot=b"after three"), work(after=3, count=2)])
    stored = await store.claim("a")
    assert (stored.n, stored.snapshot) == (5, Snapshot(3, b"after three"))
    assert stored.entries == [entry(4), entry(5)]
    await store.commit([work(epoch=2, after=5, count=0, snapshot=b"after five")])
    stored = await store.claim("a")
    assert (stored.n, stored.snapshot, stored.entries) == (5, Snapshot(5, b"after five"), [])
    assert [each.n for each in await store.entries("a", after=1, limit=3)] == [2, 3, 4]


@pytest.mark.parametrize(
    "stale",
    [
        work("a", epoch=0, after=1),
        work("a", epoch=2, after=1),
        work("a", after=0),
        work("a", after=2),
        work("a", after=2, count=0),
        work("nowhere"),
    ],
    ids=["older epoch", "epoch to come", "place taken", "gap", "empty, but ahead", "no such room"],
)
async def test_a_work_that_does_not_fit_leaves_no_trace_and_does_no_harm(store: Store, stale: Work):
    await store.commit([Birth(line(room), b"") for room in ("a", "b", "c")] + [work("a")])
    loud = Work(stale.epoch, stale.after, line(stale.room, phase="over"), stale.entries, b"x", [_said("all", "x")])
    assert await store.commit([work("b"), loud, work("c")]) == [DONE, STALE, DONE]
    stored = await store.claim("a")
    assert (stored.entries, stored.snapshot, stored.line.phase) == ([entry(1)], None, "lobby")
    assert await store.press("a") == []
    assert (await store.claim("b")).n == (await store.claim("c")).n == 1


async def test_after_a_refused_work_nothing_of_the_room_is_taken(store: Store):
    await store.create(b"", line())
    batch = [work(after=0), work(after=2), work(after=1), work(after=1, count=0)]
    assert await store.commit(batch) == [DONE, STALE, STALE, STALE]
    assert (await store.claim("a")).n == 1


async def test_who_claims_fences_the_owner_before(store: Store):
    await store.create(b"", line())
    assert await store.commit([work()]) == [DONE]
    assert (await store.claim("a")).epoch == 2
    assert await store.commit([work(after=1)]) == [STALE]
    assert await store.commit([work(epoch=2, after=1)]) == [DONE]
    assert [each.epoch for each in await store.entries("a")] == [1, 2]


async def test_the_database_itself_takes_no_place_twice(store: Store):
    """Were the look at the epoch ever lost, the primary key still stands, and the other rooms of that batch with it."""
    await store.commit([Birth(line("a"), b""), Birth(line("b"), b""), work("a")])
    await tamper(store, "UPDATE rooms SET n = 0 WHERE room = 'a'")
    with pytest.raises((IntegrityError, sqlite3.IntegrityError)):
        await store.commit([work("b"), work("a")])
    assert await store.entries("b") == []


@pytest.mark.parametrize(
    ("entries", "told"),
    [([entry(2)], "expected entry 1"), ([entry(1), entry(3)], "expected entry 2"), ([entry(1, epoch=2)], "of epoch 1")],
)
def test_a_work_that_contradicts_itself_cannot_be_made(entries: list[Entry], told: str):
    with pytest.raises(ValueError, match=told):
        Work(1, 0, line(), entries)


# ---- press


def _said(to: Literal["all"] | list[str], text: str, sender: str = "stark") -> Said:
    return Said(5, sender, to, text)


async def test_press_is_told_to_those_it_is_for(store: Store):
    await store.commit([Birth(line("a"), b""), Birth(line("b"), b"")])
    told = [
        _said("all", "winter is coming"),
        _said(["lannister"], "to one"),
        _said(["tyrell", "martell"], "to two"),
        _said(["stark"], "answer", sender="lannister"),
        _said("all", "nul \0, half \ud800, %_\\"),
    ]
    await store.commit([work("a", said=told[:2]), work("a", after=1, count=0, said=told[2:])])
    await store.commit([work("b", said=[_said("all", "elsewhere")])])

    async def heard(viewer: str | None) -> list[int]:
        return [said.m for said in await store.said("a", viewer)]

    assert [said.text for said in await store.press("a")] == [said.text for said in told]
    assert await heard(None) == [1, 5]
    assert await heard("stark") == [1, 2, 3, 4, 5]
    assert await heard("lannister") == [1, 2, 4, 5]
    assert await heard("martell") == [1, 3, 5]
    assert await heard("greyjoy") == [1, 5]


async def test_a_name_like_another_hears_nothing(store: Store):
    await store.create(b"", line())
    await store.commit([work(said=[_said(["tyrell"], "secret"), _said(["a_b"], "secret"), _said(["all"], "secret")])])
    for viewer in (None, "TYRELL", "tyrel", "yrell", "%", "_", "a%b", "axb", '"', ",", "", "al", 'tyrell"', "tyrel_"):
        assert await store.said("a", viewer) == []


async def test_the_last_press_comes_in_order(store: Store):
    await store.create(b"", line())
    await store.commit([work(said=[_said("all", str(m)) for m in range(1, 6)])])
    assert [said.m for said in await store.said("a", None, limit=2)] == [4, 5]
    assert [said.m for said in await store.said("a", "stark", after=3)] == [4, 5]
    assert [said.m for said in await store.press("a", after=1, limit=3)] == [3, 4, 5]


# ---- looking around


async def test_public_rooms_are_listed_newest_first(store: Store):
    phases = ["lobby", "playing", "lobby", "over", "lobby"]
    for number, phase in enumerate(phases):
        await store.create(b"", line(f"r{number}", phase=phase, touched=number, private=number == 2))

    async def ids(phase: str | None = None, **page: int) -> list[str]:
        return [each.room for each in await store.lines(phase, **page)]

    assert await ids() == ["r4", "r3", "r1", "r0"]
    assert await ids("lobby") == ["r4", "r0"]
    assert await ids(offset=1, limit=2) == ["r3", "r1"]
    assert await ids("nonsense") == []
    assert [each.room for each in await store.rooms()] == ["r4", "r3", "r2", "r1", "r0"]
    assert [each.room for each in await store.rooms("lobby", limit=2)] == ["r4", "r2"]
    assert [each.room for each in await store.rooms(idle_since=2)] == ["r0", "r1", "r2"]
    assert [each.room for each in await store.rooms("lobby", idle_since=2, limit=1)] == ["r0"]
    assert await store.count() == {"lobby": 3, "playing": 1, "over": 1}
    # Its place in the list is that of its making, however much happens there.
    told = line("r0", phase="over", touched=99)
    await store.commit([Work(1, 0, told)])
    assert await ids() == ["r4", "r3", "r1", "r0"]
    assert (await store.lines("over"))[1] == told


async def test_rooms_with_a_deadline_wait_in_order(store: Store):
    for room, wake in (("a", 30), ("b", None), ("c", 10), ("d", 20)):
        await store.create(b"", line(room, wake=wake, private=room == "d"))
    assert await store.wakes() == [("c", 10), ("d", 20), ("a", 30)]
    assert await store.wakes(until=20) == [("c", 10), ("d", 20)]
    await store.commit([Work(1, 0, line("c", wake=None)), Work(1, 0, line("b", wake=5))])
    assert await store.wakes() == [("b", 5), ("d", 20), ("a", 30)]


async def test_a_forgotten_room_is_gone_and_its_id_free(store: Store):
    await store.commit([Birth(line("a"), b""), Birth(line("b"), b"")])
    for room in ("a", "b"):
        await store.commit([work(room, snapshot=b"s", said=[_said("all", "x")]), work(room, after=1)])
    assert await store.forget("a")
    assert not await store.forget("a")
    assert await store.commit([work("a", after=2)]) == [STALE]
    await store.create(b"again", line("a"))
    stored = await store.claim("a")
    assert (stored.created, stored.n, stored.snapshot, stored.entries) == (b"again", 0, None, [])
    assert await store.press("a") == []
    assert (await store.claim("b")).n == 2


async def test_a_room_that_was_touched_in_the_meantime_is_not_forgotten(store: Store):
    await store.create(b"", line(touched=10))
    assert not await store.forget("a", idle_since=9)
    assert await store.commit([work(snapshot=b"s")]) == [DONE]  # touched at 1
    assert (await store.claim("a")).n == 1
    assert await store.forget("a", idle_since=1)
    assert (await store.rooms(), await store.entries("a")) == ([], [])


async def test_it_is_all_there_when_it_is_opened_again(url: str):
    async with await Store.open(url) as store:
        await store.create(b"x", line())
        await store.commit([work(count=3)])
    async with await Store.open(url) as store:
        await store.ping()
        assert (await store.claim("a")).entries == [entry(1), entry(2), entry(3)]
