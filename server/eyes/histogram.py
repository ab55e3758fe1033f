"""How long things take, in buckets."""

from bisect import bisect_left
from typing import Final

SECONDS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of buckets: from a commit to a fast disk to what nobody has patience for."""


class Histogram:
    """Counts of durations by upper bound. Adding one costs a bisection and two sums, so that a hot path may do it."""

    __slots__ = ("_bounds", "_counts", "total")

    def __init__(self, bounds: tuple[float, ...] = SECONDS) -> None:
        """`bounds`: upper bounds in seconds, rising; what is longer than the last is counted too."""
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        """The sum of all durations, in seconds."""

    def __len__(self) -> int:
        return sum(self._counts)

    def add(self, seconds: float) -> None:
        """Count one."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Each upper bound as Prometheus writes it, with how many took so long at most; `+Inf` is the last."""
        found, below = list[tuple[str, float]](), 0
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            below += count
            found.append((bound, float(below)))
        return found
