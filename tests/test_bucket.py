"""The token bucket."""

from server.bucket import Bucket
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
