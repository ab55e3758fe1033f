"""Taking back: the game before an answer comes back whole, but never over a moment in which something came to light."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.answers import Choose, March, Move
from server.game.refused import Refused
from tests.game import invariants
from tests.game.games import asked, at_table, new_game, play_on, twin


def without_ids(game):
    """What everybody sees, but for the ids of prompts."""
    seats = {h: game.you(h) for h in game.houses}
    return game.public(), {h: {**you, "prompt": {**you.get("prompt", {}), "id": 0}} for h, you in seats.items()}


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.booleans())
def test_undoing_brings_the_game_before_the_answer_back(number, tides):
    game = new_game(number, 6, tides=tides)
    rng = Random(number)
    shown = [without_ids(game)]
    undone = 0
    for _ in play_on(game, rng):
        shown = [*shown, without_ids(game)][-game.undoable - 1 :]
        if game.undoable and rng.random() < 0.2:
            last = game.state.next_prompt
            (event,) = game.undo()
            assert event["type"] == "undone"
            shown.pop()
            assert without_ids(game) == shown[-1]
            assert all(p.id >= last for p in game.state.prompts.values()), "an id has come back"
            invariants.check(game)
            assert twin(game).public() == game.public()
            undone += 1
    assert undone > 5


def test_what_came_to_light_is_not_undone():
    game = at_table(
        areas={
            "harrenhal": {"units": {"lannister": {"footman": 2}}, "order": "march-0"},
            "crackclaw-point": {"units": {"baratheon": {"footman": 1}}},
            "castle-black": {"units": {"stark": {"footman": 1}}, "order": "march-0"},
        },
        tokens={"blade": "used"},
    )
    game.submit("lannister", asked(game, "lannister"), March("harrenhal", [Move("riverrun", {"footman": 1})]))
    assert game.undoable == 1
    game.undo()
    stale = asked(game, "lannister") - 1
    with pytest.raises(Refused, match="that prompt is over"):
        game.submit("lannister", stale, March("harrenhal", []))
    game.submit("lannister", asked(game, "lannister"), March("harrenhal", [Move("crackclaw-point", {"footman": 2})]))
    game.submit("baratheon", asked(game, "baratheon"), Choose("melisandre"))
    with pytest.raises(Refused) as refused:
        game.undo()
    assert refused.value.code == "too_late"
