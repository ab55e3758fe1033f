"""The journal: who asked hears what became of it, in order, and nothing is said to be done that is not."""

import asyncio
import io
from collections.abc import Callable, Sequence

import pytest

from server import log
from server.store import journal as module
from server.store.errors import InDoubt, Unavailable
from server.store.journal import Journal
from server.store.records import Birth, Outcome, Writing
from server.store.store import Store
from tests.store.rows import line, tamper, work

DONE, STALE = Outcome.DONE, Outcome.STALE


class Slow:
    """A store whose every commit waits until the test says what becomes of it."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.answers: asyncio.Queue[Exception | Callable[[Writing], Outcome]] = asyncio.Queue()

    async def commit(self, batch: Sequence[Writing]) -> list[Outcome]:
        self.batches.append([each.room for each in batch])
        answer = await self.answers.get()
        if isinstance(answer, Exception):
            raise answer
        return [answer(each) for each in batch]

    def take_all(self, times: int = 1) -> None:
        for _ in range(times):
            self.answers.put_nowait(lambda each: DONE)

    def fail(self, error: Exception) -> None:
        self.answers.put_nowait(error)


class Told:
    """What the callbacks were told."""

    def __init__(self) -> None:
        self.all: list[tuple[str, Outcome]] = []

    def add(self, journal: Journal, rooms: str) -> None:
        for room in rooms:
            journal.add(work(room), lambda outcome, room=room: self.all.append((room, outcome)))

    @property
    def rooms(self) -> str:
        return "".join(room for room, _ in self.all)

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome for _, outcome in self.all]


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def logged() -> io.StringIO:
    stream = io.StringIO()
    log.configure("info", stream)
    return stream


async def _started(slow: Slow, batches: int) -> None:
    """Wait until so many commits have begun."""
    async with asyncio.timeout(5):
        while len(slow.batches) < batches:  # noqa: ASYNC110 - the journal does not tell when it begins
            await asyncio.sleep(0)


async def test_what_comes_during_a_commit_gathers_for_the_next(slow: Slow, told: Told):
    async with Journal(slow) as journal:
        told.add(journal, "a")
        await _started(slow, 1)
        told.add(journal, "bcd")
        assert told.rooms == ""
        slow.take_all()
        await _started(slow, 2)
        assert told.rooms == "a"
        told.add(journal, "ef")
        slow.take_all(2)
    assert slow.batches == [["a"], ["b", "c", "d"], ["e", "f"]]
    assert told.all == [(room, DONE) for room in "abcdef"]


async def test_no_commit_is_without_bounds(slow: Slow, told: Told, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_BATCH", 2)
    slow.take_all(3)
    async with Journal(slow) as journal:
        told.add(journal, "abcde")
    assert slow.batches == [["a", "b"], ["c", "d"], ["e"]]
    assert told.rooms == "abcde"


async def test_what_comes_in_the_same_moment_shares_a_commit(slow: Slow, told: Told, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "GATHER_SECONDS", 1000)
    async with Journal(slow) as journal:
        for room in "abcdef":
            told.add(journal, room)
            for _ in range(module.QUIET_TURNS - 1):
                await asyncio.sleep(0)
        slow.take_all()
        await journal.flush()
    assert slow.batches == [list("abcdef")]


@pytest.mark.parametrize("bound", ["GATHER_SECONDS", "MAX_BATCH"])
async def test_what_never_ends_is_not_waited_for(slow: Slow, told: Told, monkeypatch: pytest.MonkeyPatch, bound: str):
    monkeypatch.setattr(module, bound, 3 if bound == "MAX_BATCH" else 0.0)
    monkeypatch.setattr(module, "GATHER_SECONDS" if bound == "MAX_BATCH" else "MAX_BATCH", 1000)
    async with Journal(slow) as journal:
        slow.take_all(100)
        for _ in range(50):
            told.add(journal, "a")
            await asyncio.sleep(0)
        assert slow.batches
        assert max(map(len, slow.batches)) <= 3


@pytest.mark.parametrize(
    ("error", "outcome"), [(Unavailable("gone"), Outcome.UNAVAILABLE), (InDoubt("gone"), Outcome.IN_DOUBT)]
)
async def test_a_batch_that_fails_is_told_so_and_the_journal_goes_on(
    slow: Slow, told: Told, logged: io.StringIO, error: Exception, outcome: Outcome
):
    async with Journal(slow) as journal:
        told.add(journal, "ab")
        await _started(slow, 1)
        slow.fail(error)
        told.add(journal, "c")
        slow.take_all()
    assert told.all == [("a", outcome), ("b", outcome), ("c", DONE)]
    assert '"works": 2' in logged.getvalue()


async def test_a_work_that_no_database_takes_does_not_harm_the_others(slow: Slow, told: Told, logged: io.StringIO):
    async with Journal(slow) as journal:
        told.add(journal, "abc")
        slow.fail(TypeError("secret orders"))
        slow.take_all()
        slow.fail(TypeError("secret orders"))
        slow.take_all()
    assert slow.batches == [["a", "b", "c"], ["a"], ["b"], ["c"]]
    assert told.outcomes == [DONE, Outcome.UNAVAILABLE, DONE]
    assert '"room": "b"' in logged.getvalue()
    assert "secret" not in logged.getvalue()


async def test_a_callback_that_raises_stops_nobody(slow: Slow, told: Told, logged: io.StringIO):
    orders = "secret"

    def fail(outcome: Outcome) -> None:
        raise ValueError(orders)

    slow.take_all(2)
    async with Journal(slow) as journal:
        journal.add(work("x"), fail)
        told.add(journal, "a")
        await journal.flush()
        told.add(journal, "b")
    assert told.rooms == "ab"
    assert "ValueError" in logged.getvalue()
    assert "secret" not in logged.getvalue()


async def test_a_callback_may_add(slow: Slow, told: Told):
    slow.take_all(2)
    async with Journal(slow) as journal:
        journal.add(work("x"), lambda outcome: told.add(journal, "a"))
        await journal.flush()
        await journal.flush()
        assert told.rooms == "a"


async def test_flush_waits_for_what_was_added_before_and_no_longer(slow: Slow, told: Told):
    async with Journal(slow) as journal:
        await journal.flush()
        told.add(journal, "a")
        await _started(slow, 1)
        told.add(journal, "b")
        flushing = asyncio.create_task(journal.flush())
        await asyncio.sleep(0)
        told.add(journal, "c")
        slow.take_all()
        await _started(slow, 2)
        assert not flushing.done()
        told.add(journal, "d")
        slow.take_all()
        await flushing
        assert told.rooms == "abc"
        slow.take_all()


async def test_after_keeps_its_place_among_the_works(slow: Slow):
    order: list[str] = []
    async with Journal(slow) as journal:
        journal.after(lambda: order.append("at once"))
        assert order == ["at once"]
        journal.add(work("a"), lambda _: order.append("a"))
        journal.after(lambda: order.append("after a"))
        journal.add(work("b"), lambda _: order.append("b"))
        assert order == ["at once"]
        slow.take_all()
    assert order == ["at once", "a", "after a", "b"]
    assert slow.batches == [["a", "b"]]


async def test_a_closed_journal_has_written_everything_and_takes_nothing(slow: Slow, told: Told):
    slow.take_all()
    async with Journal(slow) as journal:
        told.add(journal, "ab")
        await journal.close()
        assert told.rooms == "ab"
        with pytest.raises(RuntimeError, match="closed"):
            told.add(journal, "c")
    assert told.rooms == "ab"


async def test_rooms_share_commits_on_a_real_database(store: Store):
    outcomes: list[Outcome] = []
    rooms = [f"r{number}" for number in range(50)]
    async with Journal(store) as journal:
        for room in rooms:
            journal.add(Birth(line(room), b""), outcomes.append)
        for n in range(10):
            for room in rooms:
                journal.add(work(room, after=n), outcomes.append)
            await asyncio.sleep(0)
    assert outcomes == [DONE] * 550
    for room in rooms:
        assert (await store.claim(room)).n == 10


async def test_a_real_conflict_harms_one_room_only(store: Store, told: Told, logged: io.StringIO):
    """A place that is taken though the room's row says it is free: the batch is written one by one."""
    await store.commit([Birth(line(room), b"") for room in "abc"] + [work("b")])
    await tamper(store, "UPDATE rooms SET n = 0 WHERE room = 'b'")
    async with Journal(store) as journal:
        told.add(journal, "abc")
    assert told.outcomes == [DONE, Outcome.UNAVAILABLE, DONE]


async def test_after_a_failure_what_was_built_on_it_is_stale(store: Store, monkeypatch: pytest.MonkeyPatch):
    outcomes: list[Outcome] = []
    await store.create(b"", line())
    real = store.commit

    async def fail_once(batch: Sequence[Writing]) -> list[Outcome]:
        monkeypatch.setattr(store, "commit", real)
        raise Unavailable

    monkeypatch.setattr(store, "commit", fail_once)
    async with Journal(store) as journal:
        journal.add(work(), outcomes.append)
        await journal.flush()
        journal.add(work(after=1), outcomes.append)
        journal.add(work(after=0), outcomes.append)
        await journal.flush()
        journal.add(work(after=0), outcomes.append)
    assert outcomes == [Outcome.UNAVAILABLE, STALE, STALE, DONE]
