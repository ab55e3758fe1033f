"""A short run of the players that try everything; the long one is `make soak`."""

from tests.soak.kinds import ALL
from tests.soak.run import play


def test_a_few_seeking_games_reach_most_kinds_with_every_invariant_held():
    tally = play(range(24))
    reached = ALL & tally.kinds.keys()
    assert len(reached) > 0.85 * len(ALL), sorted(ALL - reached)
