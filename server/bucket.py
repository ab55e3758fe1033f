"""Token buckets: one, and one for everybody who comes along."""

from collections import OrderedDict
from collections.abc import Callable


class Bucket:
    """Lets `burst` things through at once, and `rate` a second in the long run."""

    __slots__ = ("_at", "_burst", "_clock", "_left", "_rate")

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """`clock` gives seconds and never runs backwards."""
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._at = clock()

    def take(self) -> bool:
        """Whether one more is let through now."""
        self._fill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def charge(self, count: float) -> None:
        """Take more than there may be: it has to fill up again first. The debt is never larger than a burst."""
        self._fill()
        self._left = max(-self._burst, self._left - count)

    @property
    def wait(self) -> float:
        """Seconds until one more is let through."""
        self._fill()
        return max(0.0, (1 - self._left) / self._rate)

    @property
    def spent(self) -> float:
        """How much was taken and has not come back yet."""
        self._fill()
        return self._burst - self._left

    @property
    def full(self) -> bool:
        """Whether nothing was taken for so long that it is as good as new."""
        self._fill()
        return self._left >= self._burst

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now


class Buckets:
    """A bucket for every key. Those that are full again are forgotten, so only the busy ones take up memory."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """All alike: see `Bucket`."""
        self._new: Callable[[], Bucket] = lambda: Bucket(rate, burst, clock)
        self._used: OrderedDict[str, Bucket] = OrderedDict()
        """Those that were used last are the last."""

    def __len__(self) -> int:
        return len(self._used)

    def take(self, key: str) -> bool:
        """Whether one more of this key is let through now."""
        taken = self._last(key).take()
        for _ in range(
            min(2, len(self._used))
        ):  # more than come in, so that a crowd that has left is forgotten in steps
            oldest, idle = next(iter(self._used.items()))
            if not idle.full:
                break
            del self._used[oldest]
        return taken

    def charge(self, key: str, count: float) -> None:
        """Take more of this key than there may be."""
        self._last(key).charge(count)

    def spent(self, key: str) -> float:
        """How much of this key was taken and has not come back yet."""
        return self._used[key].spent if key in self._used else 0.0

    def wait(self, key: str) -> float:
        """Seconds until one more of this key is let through."""
        return self._used[key].wait if key in self._used else 0.0

    def _last(self, key: str) -> Bucket:
        bucket = self._used.get(key)
        if bucket is None:
            bucket = self._used[key] = self._new()
        else:
            self._used.move_to_end(key)
        return bucket

    def forget(self, key: str) -> None:
        """Let this key begin anew."""
        self._used.pop(key, None)
