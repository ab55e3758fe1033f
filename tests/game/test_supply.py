"""Reconciling armies (SPL-5): every way to do it, and only those."""

from collections import Counter
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.answers import Remove
from protocol.legal import draw
from protocol.prompts import over_limits
from server.game.board import SUPPLY_LIMITS
from server.game.play import Play
from server.game.refused import Refused
from server.game.rules.losses import destroy
from server.game.rules.supply import cuts
from tests.game.games import asked, at_table
from tests.game.test_westeros import new_round

armies = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 4), max_size=5)


@settings(max_examples=200, deadline=None)
@given(armies, st.sampled_from(SUPPLY_LIMITS))
def test_the_ways_are_all_smallest_sets_of_losses(sizes, limits):
    needed = over_limits(limits, sizes.values())
    options = product(*(range(n + 1) for n in sizes.values()))
    within = [o for o in options if not over_limits(limits, [n - k for n, k in zip(sizes.values(), o, strict=True)])]
    assert min(map(sum, within)) == needed
    expected = {o for o in within if sum(o) == needed}
    found = [tuple(way.get(area, 0) for area in sizes) for way in cuts(limits, sizes, needed)]
    assert len(found) == len(set(found))
    assert set(found) == expected


LAND = ("winterfell", "castle-black", "karhold", "the-stony-shore", "widows-watch", "greywater-watch")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["footman", "knight"]), min_size=3, max_size=12), st.randoms(use_true_random=False))
def test_any_drawn_answer_is_exactly_enough(kinds, rng):
    areas = {}
    limit = {"footman": 10, "knight": 5}
    for kind in kinds:
        if limit[kind]:
            limit[kind] -= 1
            units = areas.setdefault(rng.choice(LAND), {"units": {"stark": {}}})["units"]["stark"]
            units[kind] = units.get(kind, 0) + 1
    game = new_round({"westeros_1": ["supply"]}, areas=areas, houses={"stark": {"supply": 6}})
    before = Counter({a: sum(here.units.values()) for a, here in game.state.areas.items() if here.house == "stark"})
    limits = SUPPLY_LIMITS[game.state.houses["stark"].supply]
    needed = over_limits(limits, before.values())
    if game.state.phase == "westeros":
        prompt = game.state.prompts["stark"]
        assert (prompt.kind, prompt.count) == ("reconcile", needed)
        answer = draw(prompt, Random(rng.random()))
        game.submit("stark", prompt.id, answer)
        after = Counter({a: sum(here.units.values()) for a, here in game.state.areas.items() if here.house == "stark"})
        assert (before - after).total() == needed
        assert not over_limits(limits, after.values())
    assert game.state.phase == "planning"


def test_one_legal_answer_is_not_asked():
    """Two armies of three footmen at supply 0: one of each must go; with a knight in one of them there is a choice."""
    areas = {
        "castle-black": {"units": {"stark": {"footman": 3}}},
        "karhold": {"units": {"stark": {"footman": 3}}},
        "winterfell": {"power": None, "units": {"lannister": {"footman": 1}}, "garrison": None},
    }
    setup = {"houses": {"stark": {"supply": 4}, "lannister": {"supply": 6}}}
    game = new_round({"westeros_1": ["supply"]}, areas=areas, **setup)
    assert game.state.phase == "planning"
    assert game.public()["areas"]["karhold"]["units"] == {"footman": 2}
    assert game.public()["areas"]["castle-black"]["units"] == {"footman": 2}
    areas["karhold"] = {"units": {"stark": {"footman": 2, "knight": 1}}}
    game = new_round({"westeros_1": ["supply"]}, areas=areas, **setup)
    assert game.waiting == ["stark"]
    assert game.state.prompts["stark"].units == {"castle-black": {"footman": 3}, "karhold": {"footman": 2, "knight": 1}}


@pytest.mark.parametrize(
    ("units", "path"),
    [
        ({"winterfell": {"footman": 1}}, "answer.units"),
        ({"karhold": {"footman": 2}}, "answer.units"),
        ({"winterfell": {"knight": 1, "siege_engine": 1}}, "answer.units.winterfell"),
        ({"kingswood": {"footman": 2}}, "answer.units.kingswood"),
        ({"no-such-area": {"footman": 2}}, "answer.units.no-such-area"),
    ],
)
def test_refusals_say_what_is_wrong(units, path):
    game = new_round(
        {"westeros_1": ["supply"]},
        areas={
            "winterfell": {"units": {"stark": {"footman": 3, "knight": 1}}},
            "karhold": {"units": {"stark": {"footman": 3}}},
            "kingswood": {"units": {"baratheon": {"footman": 2}}},
        },
        houses={"stark": {"supply": 6}},
    )
    before = game.dump()
    with pytest.raises(Refused) as refused:
        game.submit("stark", asked(game, "stark"), Remove(units))
    assert refused.value.path == path
    assert refused.value.hint
    assert game.dump() == before


def test_routed_units_go_first():
    game = at_table(
        areas={
            "karhold": {
                "units": {"stark": {"footman": 2, "knight": 1}},
                "routed": {"stark": {"footman": 1}},
                "order": "march-0",
            }
        }
    )
    play = Play(game.state.fork())
    destroy(play, "stark", {"karhold": {"footman": 2}}, "SPL-5", why="supply")
    assert play.state.areas["karhold"].units == {"footman": 1, "knight": 1}
    assert play.state.areas["karhold"].routed == {}
