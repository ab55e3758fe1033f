"""An answer that is refused changes nothing and says what is wrong, where, and what to do."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.answers import Choose, Consolidate, March, Move, PlaceOrders, Plan, Raid
from protocol.legal import draw
from server.game.refused import Refused
from tests.game.games import asked, at_table, new_game, play_on

few = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(st.integers(0, 2**32), st.integers(3, 6))
def test_answers_meant_for_another_moment_change_nothing(number, players):
    """Answers of other houses and earlier prompts, thrown at whatever is open now."""
    game = new_game(number, players)
    rng = Random(number)
    old = []
    for _, _, answer, _ in play_on(game, rng):
        old = [*old[-20:], answer]
        if game.over:
            break
        house = rng.choice(game.waiting)
        before = game.dump()
        try:
            game.submit(house, asked(game, house), rng.choice(old))
        except Refused as refused:
            assert game.dump() == before
            assert refused.code in {"illegal", "insufficient_strength", "bad_message"}
            assert refused.path.startswith("answer")
            assert refused.message


def refusal(game, house, answer, prompt=None):
    before = game.dump()
    with pytest.raises(Refused) as caught:
        game.submit(house, prompt or asked(game, house), answer)
    assert game.dump() == before
    return caught.value


def test_insufficient_strength_says_how_much_is_missing():
    game = at_table(
        players=5,
        areas={
            "yronwood": {"neutral": None, "units": {"tyrell": {"knight": 1, "footman": 1}}, "order": "march-plus-1"},
            "sea-of-dorne": {"units": {"tyrell": {"ship": 1}}},
        },
    )
    refused = refusal(game, "tyrell", March("yronwood", [Move("sunspear", {"knight": 1, "footman": 1})]))
    assert (refused.code, refused.total, refused.needed) == ("insufficient_strength", 4, 5)
    assert refused.rules == ("NEU-2", "NEU-3")
    assert refused.path == "answer.moves[0]"


def test_a_target_nobody_would_help_against_stays_closed_until_the_order_is_resolved():
    game = at_table(
        areas={
            "white-harbor": {"units": {"stark": {"knight": 2}}, "order": "march-0"},
            "the-narrow-sea": {"units": {"stark": {"ship": 1}}},
            "the-mountains-of-the-moon": {"units": {"baratheon": {"knight": 2}}, "order": "support"},
            "castle-black": {"units": {"stark": {"footman": 1}}, "order": "march-minus-1"},
        },
    )
    eyrie = March("white-harbor", [Move("the-eyrie", {"knight": 2})])
    (target,) = [t for m in game.state.prompts["stark"].marches for t in m.targets if t.to == "the-eyrie"]
    assert (target.needed, target.bonus, target.offers) == (6, 0, {"baratheon": 4})
    game.submit("stark", asked(game, "stark"), eyrie)
    events = game.submit("baratheon", asked(game, "baratheon"), Choose("none"))
    assert events[-1]["type"] == "neutral_held"
    refused = refusal(game, "stark", eyrie)
    assert (refused.code, refused.total, refused.needed) == ("insufficient_strength", 4, 6)
    assert "NEU-14" in refused.rules
    assert all(t.to != "the-eyrie" for m in game.state.prompts["stark"].marches for t in m.targets)


@pytest.mark.parametrize("name", ["", "__proto__", "Sunspear", "sunspear ", "sunspеar", "x" * 40])  # noqa: RUF001
def test_unknown_areas_are_refused_alike(name):
    game = at_table(areas={"castle-black": {"units": {"stark": {"footman": 1}}, "order": "march-0"}})
    refused = [
        refusal(game, "stark", March(name, [])),
        refusal(game, "stark", March("castle-black", [Move(name, {"footman": 1})])),
    ]
    assert {(r.code, r.message) for r in refused} == {("bad_message", "there is no such area")}
    assert [r.path for r in refused] == ["answer.from", "answer.moves[0].to"]


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        (March("castle-black", [Move("karhold", {"footman": 2}), Move("winterfell", {"footman": 1})]), "answer.moves"),
        (
            March("castle-black", [Move("karhold", {"footman": 1}), Move("karhold", {"footman": 1})]),
            "answer.moves[1].to",
        ),
        (March("castle-black", [Move("castle-black", {"footman": 1})]), "answer.moves[0].to"),
        (March("castle-black", [Move("karhold", {"knight": 1})]), "answer.moves"),
        (Raid("castle-black"), "answer.type"),
        (Choose("pass"), "answer.type"),
    ],
)
def test_impossible_marches(answer, path):
    game = at_table(areas={"castle-black": {"units": {"stark": {"footman": 2}}, "order": "march-0"}})
    assert refusal(game, "stark", answer).path == path


def test_prompts_that_are_not_open():
    game = at_table(
        areas={
            "castle-black": {"units": {"stark": {"footman": 1}}, "order": "march-0"},
            "stoney-sept": {"units": {"lannister": {"footman": 1}}, "order": "march-0"},
        },
    )
    lannister = asked(game, "lannister")
    march = March("castle-black", [])
    assert refusal(game, "stark", march, lannister).code == "not_your_prompt"
    assert refusal(game, "stark", march, 999).code == "not_your_prompt"
    game.submit("lannister", lannister, March("stoney-sept", []))
    stale = refusal(game, "stark", march, lannister)
    assert (stale.code, stale.prompt) == ("stale_prompt", asked(game, "stark"))
    assert refusal(game, "lannister", March("stoney-sept", []), lannister).code == "stale_prompt"


def test_plans_must_fit_their_order():
    game = at_table(step="planning", areas={"castle-black": {"units": {"stark": {"footman": 1}}}})
    for order, plan, path in (
        ("march-0", Plan(target="karhold"), "answer.plans.castle-black.target"),
        ("raid", Plan(moves=[]), "answer.plans.castle-black.moves"),
        ("consolidate-power", Plan(muster=[]), "answer.plans.castle-black.muster"),
        ("defense-plus-1", Plan(help=["stark"]), "answer.plans.castle-black.help"),
        ("march-0", Plan(moves=[Move("nowhere", {"footman": 1})]), "answer.plans.castle-black.moves[0].to"),
    ):
        orders = PlaceOrders({"castle-black": order}, {"castle-black": plan})
        assert refusal(game, "stark", orders).path == path
    stray = PlaceOrders({"castle-black": "raid"}, {"karhold": Plan()})
    assert refusal(game, "stark", stray).path == "answer.plans.karhold"


def test_an_exception_inside_changes_nothing(monkeypatch):
    game = at_table(areas={"castle-black": {"units": {"stark": {"footman": 1}}, "order": "march-0"}})
    before = game.dump()

    def broken(*_: object) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("server.game.rules.march.ports.settle", broken)
    with pytest.raises(RuntimeError):
        game.submit("stark", asked(game, "stark"), March("castle-black", [Move("karhold", {"footman": 1})]))
    assert game.dump() == before


def test_consolidate_without_such_an_order():
    game = at_table(
        step="consolidate",
        areas={"dragonstone": {"units": {"baratheon": {"footman": 1}}, "order": "consolidate-power-special"}},
    )
    assert refusal(game, "baratheon", Consolidate("kingswood")).path == "answer.from"
    assert game.waiting == ["baratheon"]
    draw(game.state.prompts["baratheon"], Random(0))
