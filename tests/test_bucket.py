"""Token buckets."""

from functools import partial
from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from server.bucket import Bucket, Buckets
from tests.rooms.table import Clock


def test_a_burst_then_a_steady_pace() -> None:
    clock = Clock()
    bucket = Bucket(2, 5, clock)
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]
    clock.at += 1
    assert [bucket.take() for _ in range(3)] == [True, True, False]


def test_waiting_long_saves_no_more_than_a_burst() -> None:
    clock = Clock()
    bucket = Bucket(2, 5, clock)
    clock.at += 1000
    assert [bucket.take() for _ in range(6)] == [True] * 5 + [False]


def test_it_tells_how_long_to_wait() -> None:
    clock = Clock()
    bucket = Bucket(0.5, 1, clock)
    assert bucket.wait == 0
    assert bucket.take()
    assert bucket.wait == 2
    clock.at += 1.5
    assert bucket.wait == 0.5


def test_every_key_has_its_own() -> None:
    buckets = Buckets(1, 2, Clock())
    assert [buckets.take(key) for key in "aabab"] == [True, True, True, False, True]
    assert (buckets.wait("a"), buckets.wait("c")) == (1, 0)
    buckets.forget("a")
    assert buckets.take("a")


def test_a_hundred_thousand_that_are_idle_are_forgotten() -> None:
    clock = Clock()
    buckets = Buckets(1, 5, clock)
    for number in range(100_000):
        assert buckets.take(str(number))
    assert len(buckets) == 100_000
    clock.at += 1
    for number in range(100_000):
        assert buckets.take(f"other {number}")
    assert len(buckets) == 100_000
    clock.at += 1
    for _ in range(100_000):
        buckets.take("the last")
        clock.at += 1
    assert len(buckets) <= 1


def test_those_that_are_used_again_and_again_stay() -> None:
    clock = Clock()
    buckets = Buckets(1, 3, clock)
    taken = []
    for number in range(100):
        clock.at += 0.1
        taken.append(buckets.take("busy"))
        assert buckets.take(str(number))
    assert sum(taken) == 3 + 9
    assert len(buckets) < 15


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.floats(0, 3)), max_size=60))
def test_forgetting_changes_nothing(takes: list[tuple[str, float]]) -> None:
    clock = Clock(0)
    buckets, alone = Buckets(0.7, 3, clock), {key: Bucket(0.7, 3, clock) for key in "abcde"}
    for key, pause in takes:
        clock.at += pause
        assert buckets.take(key) == alone[key].take()


def test_time_passes_while_one_is_taken() -> None:
    buckets = Buckets(10, 2, partial(next, count()))
    assert all(buckets.take("a") for _ in range(10))
    assert len(buckets) == 1  # the clock is read once for each: by then the last is not full again


def test_no_burst_is_one_less_by_rounding() -> None:
    for at in (0.0, 12.3, 1e7 + 0.1, 1_700_000_000.7):
        clock = Clock(at)
        for rate, burst in ((50, 100), (1000, 2000), (1 / 3600, 5), (0.7, 1)):
            bucket, buckets = Bucket(rate, burst, clock), Buckets(rate, burst, clock)
            assert [bucket.take() for _ in range(burst + 1)] == [True] * burst + [False]
            assert [buckets.take("a") for _ in range(burst + 1)] == [True] * burst + [False]


def test_a_debt_has_to_be_paid_first() -> None:
    clock = Clock()
    buckets = Buckets(1, 5, clock)
    buckets.charge("a", 7)
    assert buckets.wait("a") == 3
    buckets.charge("a", 100)
    assert buckets.wait("a") == 6
    clock.at += 5
    assert not buckets.take("a")
    clock.at += 1
    assert buckets.take("a")
