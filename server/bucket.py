"""Token buckets: one, and one for everybody who comes along.

All that is kept of a bucket is when it will be full again.
"""

from collections import OrderedDict
from collections.abc import Callable

SLACK = 0.01
"""What is missing of a thing by rounding is not missing."""


class Bucket:
    """Lets `burst` things through at once, and `rate` a second in the long run."""

    __slots__ = ("_burst", "_clock", "_each", "_full_at")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """`rate` is above 0; `clock` gives seconds and never runs backwards."""
        self._each = 1 / rate
        self._burst = burst
        self._clock = clock
        self._full_at = 0.0

    def take(self) -> bool:
        """Whether one more is let through now."""
        now, full_at = self._clock(), self._full_at
        full_at = (full_at if full_at > now else now) + self._each
        if full_at - now > (self._burst + SLACK) * self._each:
            return False
        self._full_at = full_at
        return True

    @property
    def wait(self) -> float:
        """Seconds until one more is let through."""
        return max(0.0, self._missing + (1 - self._burst) * self._each)

    @property
    def spent(self) -> float:
        """How much was taken and has not come back yet."""
        return self._missing / self._each

    @property
    def _missing(self) -> float:
        """Seconds until it is full."""
        return max(0.0, self._full_at - self._clock())


class Buckets:
    """A bucket for every key. Those that are full again are forgotten, so only the busy ones take up memory."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """All alike: see `Bucket`."""
        self._each = 1 / rate
        self._burst = burst
        self._clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()
        """Those that were used last are the last."""

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: str) -> bool:
        """Whether one more of this key is let through now."""
        now, known = self._clock(), self._full_at
        before = known.get(key, now)
        after = (before if before > now else now) + self._each
        taken = after - now <= (self._burst + SLACK) * self._each
        known[key] = after if taken else before
        known.move_to_end(key)
        for _ in (1, 2):  # more than come in, so that a crowd that has left is forgotten in steps
            oldest = next(iter(known))
            if known[oldest] > now or oldest == key:
                break
            del known[oldest]
        return taken

    def charge(self, key: str, count: float) -> None:
        """Take more of this key than there may be: it has to fill up again first. The debt is never larger than a burst."""
        now = self._clock()
        full_at = max(self._full_at.get(key, now), now) + count * self._each
        self._full_at[key] = min(full_at, now + 2 * self._burst * self._each)
        self._full_at.move_to_end(key)

    def spent(self, key: str) -> float:
        """How much of this key was taken and has not come back yet."""
        return self._missing(key) / self._each

    def wait(self, key: str) -> float:
        """Seconds until one more of this key is let through."""
        return max(0.0, self._missing(key) + (1 - self._burst) * self._each)

    def forget(self, key: str) -> None:
        """Let this key begin anew."""
        self._full_at.pop(key, None)

    def _missing(self, key: str) -> float:
        """Seconds until a key has all again."""
        return max(0.0, self._full_at.get(key, 0.0) - self._clock())
