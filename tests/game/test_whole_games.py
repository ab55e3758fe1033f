"""Whole random games: nothing impossible ever happens, no drawn answer is refused, a game can be stored anywhere."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.legal import default
from tests.game import invariants
from tests.game.games import new_game, play_on, twin

games = st.tuples(st.integers(0, 2**32), st.integers(3, 6), st.booleans())
few = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(games)
def test_invariants_hold_after_every_answer(which):
    number, players, tides = which
    game = new_game(number, players, tides=tides)
    memory = invariants.Remembering(game)
    invariants.check(game)
    for _ in play_on(game, Random(number)):
        invariants.check(game)
        memory.check(game)
    assert game.state.result
    assert sorted(game.state.result.standing) == sorted(game.houses)


@few
@given(games)
def test_a_stored_game_goes_on_the_same(which):
    number, players, tides = which
    game = new_game(number, players, tides=tides)
    copy = twin(game)
    rng = Random(number)
    for house, prompt, answer, events in play_on(game, rng):
        assert copy.submit(house, prompt, answer) == events
        assert copy.dump() == game.dump()
        assert copy.public() == game.public()
        copy = twin(copy)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_defaults_play_a_game_to_its_end(players):
    game = new_game(players, players, tides=True)
    answers = 0
    while not game.over:
        house = game.waiting[0]
        prompt = game.state.prompts[house]
        game.submit(house, prompt.id, default(prompt))
        answers += 1
    assert answers > 10 * players


@few
@given(games)
def test_views_are_made_of_the_parts_that_changed(which):
    """The remembered parts are those that a fresh projector makes of the same game."""
    number, players, tides = which
    game = new_game(number, players, tides=tides)
    game.public()
    for n, _ in enumerate(play_on(game, Random(number))):
        document = game.public()
        seats = {h: game.you(h) for h in game.houses}
        if n % 7 == 0:
            fresh = twin(game)
            assert document == fresh.public()
            assert seats == {h: fresh.you(h) for h in game.houses}
