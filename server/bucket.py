"""Token buckets: one, and one for everybody who comes along.

All that is kept of a bucket is when it will be full again.
"""

from collections import OrderedDict
from collections.abc import Callable

SLACK = 0.01
"""So much of a thing may be missing to let it through: times are rounded, and a burst is not one less for it."""


class _Pace:
    """`burst` things at once and `rate` a second in the long run, for whatever is full again at a given time."""

    __slots__ = ("_burst", "_clock", "_each")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """`rate` is above 0; `clock` gives seconds and never runs backwards."""
        self._each = 1 / rate
        self._burst = burst
        self._clock = clock

    def _taken(self, full_at: float, now: float) -> float | None:
        """When it will be full again if one more is let through now; None if that may not be."""
        after = (full_at if full_at > now else now) + self._each
        return after if after - now <= (self._burst + SLACK) * self._each else None

    def _missing(self, full_at: float) -> float:
        """Seconds until it is full."""
        return max(0.0, full_at - self._clock())

    def _wait(self, full_at: float) -> float:
        return max(0.0, self._missing(full_at) + (1 - self._burst) * self._each)

    def _spent(self, full_at: float) -> float:
        return self._missing(full_at) / self._each


class Bucket(_Pace):
    """Lets `burst` things through at once, and `rate` a second in the long run."""

    __slots__ = ("_full_at",)

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """`rate` is above 0; `clock` gives seconds and never runs backwards."""
        super().__init__(rate, burst, clock)
        self._full_at = 0.0

    def take(self) -> bool:
        """Whether one more is let through now."""
        after = self._taken(self._full_at, self._clock())
        if after is None:
            return False
        self._full_at = after
        return True

    @property
    def wait(self) -> float:
        """Seconds until one more is let through."""
        return self._wait(self._full_at)

    @property
    def spent(self) -> float:
        """How much was taken and has not come back yet."""
        return self._spent(self._full_at)


class Buckets(_Pace):
    """A bucket for every key. Those that are full again are forgotten, so only the busy ones take up memory."""

    __slots__ = ("_full_at",)

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """All alike: see `Bucket`."""
        super().__init__(rate, burst, clock)
        self._full_at: OrderedDict[str, float] = OrderedDict()
        """Those that were used last are the last."""

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: str) -> bool:
        """Whether one more of this key is let through now."""
        now, known = self._clock(), self._full_at
        before = known.get(key, now)
        after = self._taken(before, now)
        known[key] = before if after is None else after
        known.move_to_end(key)
        for _ in (1, 2):  # more than come in, so that a crowd that has left is forgotten in steps
            oldest = next(iter(known))
            if known[oldest] > now or oldest == key:
                break
            del known[oldest]
        return after is not None

    def charge(self, key: str, count: float) -> None:
        """Take more of this key than there may be: it has to fill up again first. The debt is never larger than a burst."""
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + count * self._each
        self._full_at[key] = min(full_at, now + 2 * self._burst * self._each)
        self._full_at.move_to_end(key)

    def spent(self, key: str) -> float:
        """How much of this key was taken and has not come back yet."""
        return self._spent(self._full_at.get(key, 0.0))

    def wait(self, key: str) -> float:
        """Seconds until one more of this key is let through."""
        return self._wait(self._full_at.get(key, 0.0))

    def forget(self, key: str) -> None:
        """Let this key begin anew."""
        self._full_at.pop(key, None)
