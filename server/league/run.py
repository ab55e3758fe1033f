"""Playing a league, over processes if there are several."""

from collections.abc import Iterator
from multiprocessing import get_context

from server.league.match import Fixture, Score, play


def scores(fixtures: list[Fixture], workers: int) -> Iterator[Score]:
    """The games as they end, in any order."""
    if workers == 1:
        yield from map(play, fixtures)
        return
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap_unordered(play, fixtures)
