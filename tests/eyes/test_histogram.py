"""Durations in buckets, and the lateness of an event loop whose clock is turned."""

import asyncio

import pytest

from server.eyes.histogram import Histogram
from server.eyes.lag import EVERY_SECONDS, measure_lag
from server.eyes.meters import SAMPLED, Meters


def test_a_duration_counts_in_every_bucket_that_it_fits_in() -> None:
    histogram = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 7.0):
        histogram.add(seconds)
    assert histogram.buckets() == [("0.1", 2.0), ("1.0", 3.0), ("+Inf", 4.0)]
    assert len(histogram) == 4
    assert histogram.total == pytest.approx(7.65)


async def test_lag_is_what_the_loop_was_late_by() -> None:
    now, late = 0.0, iter([0.0, 0.003, 0.7])
    lag = Histogram((0.001, 0.01, 1.0))

    async def sleep(seconds: float) -> None:
        nonlocal now
        try:
            now += seconds + next(late)
        except StopIteration:
            raise asyncio.CancelledError from None

    with pytest.raises(asyncio.CancelledError):
        await measure_lag(lag, lambda: now, sleep)
    assert lag.buckets() == [("0.001", 1.0), ("0.01", 2.0), ("1.0", 3.0), ("+Inf", 3.0)]
    assert now == pytest.approx(3 * EVERY_SECONDS + 0.703)


def test_one_commit_in_so_many_is_followed() -> None:
    meters, followed = Meters(), 0
    for n in range(3 * SAMPLED):
        meters.wrote(10.0 + n, 10.25 + n, ["done", "stale"])
        followed += meters.committed == 10.25 + n
        assert meters.committed in (0.0, 10.25 + n)
    assert followed == 3
    assert (meters.commits["done"], meters.commits["stale"]) == (3 * SAMPLED, 3 * SAMPLED)
    assert len(meters.commit_seconds) == 3 * SAMPLED
