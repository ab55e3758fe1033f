"""A figure that was measured several times."""

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple, Self


class Spread(NamedTuple):
    """The median, the least and the most."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        found = list(values)
        return cls(median(found), min(found), max(found))

    def __str__(self) -> str:
        if self.least == self.most:
            return short(self.median)
        return f"{short(self.median)} ({short(self.least)}-{short(self.most)})"


def short(figure: float) -> str:
    """With three digits that count."""
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


class Figure(NamedTuple):
    """A line of the table: what, ours, the relay's, and ours over the relay's, run for run."""

    key: str
    """Its name in the JSON."""
    what: str
    ours: Spread
    relay: Spread | None = None
    ratio: Spread | None = None
    mark: str = ""
    """What it should be."""


def compared(key: str, what: str, ours: Iterable[float], relay: Iterable[float], mark: str = "") -> Figure:
    """A figure that was measured in turn here and of the relay."""
    mine, its = list(ours), list(relay)
    ratio = Spread.of(a / b for a, b in zip(mine, its, strict=True))
    return Figure(key, what, Spread.of(mine), Spread.of(its), ratio, mark)


def alone(key: str, what: str, *ours: float, mark: str = "") -> Figure:
    """A figure that the relay has nothing to set against."""
    return Figure(key, what, Spread.of(ours), mark=mark)
