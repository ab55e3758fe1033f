"""A token bucket."""

from collections.abc import Callable


class Bucket:
    """Lets `burst` things through at once, and `rate` a second in the long run."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """`clock` gives seconds and never runs backwards."""
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._left = burst
        self._at = clock()

    def take(self) -> bool:
        """Whether one more is let through now."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
