"""Orders with plans: what the server does by itself at the reveal, and what becomes of a plan that no longer works."""

from protocol.answers import Choose, March, Move, PlaceOrders, Plan, Raid, Recruit
from tests.game.games import asked, at_table


def names(events):
    return [event["type"] for event in events]


def test_a_whole_round_resolves_at_the_reveal():
    game = at_table(
        step="planning",
        tokens={"raven": "used"},
        areas={
            "crackclaw-point": {"units": {"baratheon": {"knight": 2, "footman": 1}}},
            "kingswood": {"units": {"baratheon": {"footman": 1}}},
            "dragonstone": {"units": {"baratheon": {"footman": 1}}},
            "castle-black": {"units": {"stark": {"footman": 1}}},
        },
    )
    game.submit(
        "baratheon",
        asked(game, "baratheon"),
        PlaceOrders(
            {"crackclaw-point": "march-minus-1", "kingswood": "support", "dragonstone": "consolidate-power-special"},
            {
                "crackclaw-point": Plan(moves=[Move("kings-landing", {"knight": 2, "footman": 1})], leave_power=True),
                "dragonstone": Plan(muster=[Recruit("dragonstone", "footman")]),
            },
        ),
    )
    assert game.you("baratheon")["plans"].keys() == {"crackclaw-point", "dragonstone"}
    events = game.submit("stark", asked(game, "stark"), PlaceOrders({"castle-black": "defense-plus-1"}))
    assert {"planned", "neutral_destroyed", "mustered", "round_ended"} <= set(names(events))
    areas = game.public()["areas"]
    assert areas["kings-landing"]["units"] == {"footman": 1, "knight": 2}
    assert areas["crackclaw-point"]["power"] == "baratheon"
    assert areas["dragonstone"]["units"] == {"footman": 2}
    assert game.state.round == 2


def test_a_plan_that_has_become_illegal_is_dropped_and_its_house_is_asked():
    game = at_table(
        step="planning",
        tokens={"raven": "used"},
        areas={
            "crackclaw-point": {"units": {"baratheon": {"footman": 1}}},
            "harrenhal": {"units": {"lannister": {"footman": 1}}},
            "castle-black": {"units": {"stark": {"footman": 1}}},
        },
    )
    game.submit(
        "baratheon",
        asked(game, "baratheon"),
        PlaceOrders({"crackclaw-point": "raid"}, {"crackclaw-point": Plan(target="harrenhal")}),
    )
    game.submit("lannister", asked(game, "lannister"), PlaceOrders({"harrenhal": "march-0"}))
    events = game.submit("stark", asked(game, "stark"), PlaceOrders({"castle-black": "support"}))
    dropped = next(event for event in events if event["type"] == "plan_dropped")
    assert dropped == {
        "type": "plan_dropped",
        "house": "baratheon",
        "area": "crackclaw-point",
        "code": "illegal",
        "rules": ["RAI-2"],
    }
    assert "march-0" in game.you("baratheon")["note"]
    # nothing is left to raid, so the order is discarded unasked and the march step goes on
    assert "raid_discarded" in names(events)
    assert game.waiting == ["lannister"]


def test_a_dropped_plan_leaves_the_choice_to_its_house():
    game = at_table(
        step="planning",
        tokens={"raven": "used"},
        areas={
            "crackclaw-point": {"units": {"baratheon": {"footman": 1}}},
            "blackwater": {"units": {"lannister": {"footman": 1}}},
            "harrenhal": {"units": {"lannister": {"footman": 1}}},
        },
    )
    plans = {"crackclaw-point": Plan(target="harrenhal")}
    game.submit("baratheon", asked(game, "baratheon"), PlaceOrders({"crackclaw-point": "raid"}, plans))
    orders = PlaceOrders({"harrenhal": "march-0", "blackwater": "support"})
    game.submit("lannister", asked(game, "lannister"), orders)
    assert game.waiting == ["baratheon"]
    game.submit("baratheon", asked(game, "baratheon"), Raid("crackclaw-point", "blackwater"))
    assert "order" not in game.public()["areas"]["blackwater"]


def test_rank_says_which_order_goes_first():
    game = at_table(
        step="planning",
        tokens={"raven": "used"},
        areas={
            "crackclaw-point": {"units": {"baratheon": {"footman": 1}}},
            "kingswood": {"units": {"baratheon": {"footman": 1}}},
        },
    )
    plans = {
        "crackclaw-point": Plan(moves=[Move("harrenhal", {"footman": 1})], rank=2),
        "kingswood": Plan(moves=[Move("the-reach", {"footman": 1})], rank=1),
    }
    orders = {"crackclaw-point": "march-0", "kingswood": "march-minus-1"}
    events = game.submit("baratheon", asked(game, "baratheon"), PlaceOrders(orders, plans))
    assert [e["from"] for e in events if e["type"] == "marched"] == ["kingswood", "crackclaw-point"]


def test_planned_support_is_given_without_a_question():
    for others, asks in (("ask", True), ("none", False)):
        game = at_table(
            step="planning",
            tokens={"raven": "used"},
            areas={
                "harrenhal": {"units": {"lannister": {"footman": 1}}},
                "crackclaw-point": {"units": {"baratheon": {"footman": 1}}},
                "blackwater": {"units": {"stark": {"footman": 1}}},
            },
            houses={"lannister": {"hand": ["the-hound"]}, "baratheon": {"hand": ["melisandre"]}},
        )
        game.submit("lannister", asked(game, "lannister"), PlaceOrders({"harrenhal": "march-0"}))
        game.submit("baratheon", asked(game, "baratheon"), PlaceOrders({"crackclaw-point": "defense-plus-1"}))
        plan = {"blackwater": Plan(help=[] if asks else ["baratheon"], others=others)}
        game.submit("stark", asked(game, "stark"), PlaceOrders({"blackwater": "support"}, plan))
        march = March("harrenhal", [Move("crackclaw-point", {"footman": 1})])
        events = game.submit("lannister", asked(game, "lannister"), march)
        if asks:
            assert game.waiting == ["stark"]
            events = game.submit("stark", asked(game, "stark"), Choose("defender"))
        declared = next(event for event in events if event["type"] == "support_declared")
        assert (declared["house"], declared["side"], declared.get("asked", False)) == ("stark", "defender", asks)


def test_a_planned_neutral_march_asks_other_houses_and_comes_back_if_they_refuse():
    game = at_table(
        step="planning",
        tokens={"raven": "used"},
        areas={
            "blackwater": {"units": {"stark": {"knight": 2}}},
            "crackclaw-point": {"units": {"baratheon": {"knight": 1}}},
        },
    )
    plan = {"blackwater": Plan(moves=[Move("kings-landing", {"knight": 2})])}
    game.submit("stark", asked(game, "stark"), PlaceOrders({"blackwater": "march-0"}, plan))
    game.submit("baratheon", asked(game, "baratheon"), PlaceOrders({"crackclaw-point": "support"}))
    assert game.waiting == ["baratheon"]
    game.submit("baratheon", asked(game, "baratheon"), Choose("none"))
    assert game.waiting == ["stark"]
    assert game.public()["areas"]["blackwater"]["order"] == "march-0"
