"""The Westeros phase, where the rule cases do not look: decks, threat, restrictions, income."""

from collections import Counter
from random import Random

import pytest

from protocol.answers import Choose, Muster, PlaceOrders, Recruit
from server.game.board import DECKS
from server.game.refused import Refused
from server.game.rules.westeros_cards import CHOICES, EFFECTS
from tests.game.games import asked, at_table, new_game, play_on

QUIET = {
    "westeros_1": ["last-days-of-summer-1"],
    "westeros_2": ["last-days-of-summer-2"],
    "westeros_3": ["rains-of-autumn"],
}


def new_round(decks=None, **setup):
    """A game at the first decision of a Westeros phase; a lone footman keeps the game waiting after it."""
    areas = {"castle-black": {"units": {"stark": {"footman": 1}}}, **setup.pop("areas", {})}
    return at_table(step="consolidate", areas=areas, decks={**QUIET, **(decks or {})}, **setup)


def test_every_card_of_the_decks_has_an_effect():
    cards = {card for deck in ("westeros_1", "westeros_2", "westeros_3") for card in DECKS[deck]}
    assert cards == {*EFFECTS, *CHOICES, "winter-is-coming-1", "winter-is-coming-2"}
    assert not EFFECTS.keys() & CHOICES.keys()


def test_winter_shuffles_the_used_cards_back_and_may_come_twice():
    game = new_round({"westeros_1": ["winter-is-coming-1", "winter-is-coming-1", "last-days-of-summer-1"]})
    assert game.state.westeros[0] == "last-days-of-summer-1"
    left = Counter(game.state.decks["westeros_1"])
    assert left == Counter(DECKS["westeros_1"]) - Counter(["last-days-of-summer-1"])


def test_no_winter_in_a_document_and_no_card_is_lost_in_whole_games():
    for number in range(20):
        game = new_game(number, 3 + number % 4)
        for _, _, _, events in play_on(game, Random(number)):
            for event in events:
                if event["type"] == "westeros_replaced":
                    left = Counter(game.state.decks["westeros_1" if event["card"][-1] == "1" else "westeros_2"])
                    assert left.total() in (9, 10)
            assert not {"winter-is-coming-1", "winter-is-coming-2"} & set(game.public().get("westeros", []))
            assert sorted(game.state.decks["wildling"]) == sorted(DECKS["wildling"])


def test_the_restriction_ends_with_the_round():
    game = new_round({"westeros_3": ["web-of-lies", "storm-of-swords"]})
    assert game.public()["restrictions"] == ["support"]
    for _ in play_on(game, Random(1)):
        if game.state.round == 3 and game.state.phase == "planning":
            break
    assert game.public()["restrictions"] == ["defense"]


def test_with_put_to_the_sword_the_holder_picks_for_everybody():
    game = new_round({"westeros_3": ["put-to-the-sword"]})
    game.submit("stark", asked(game, "stark"), Choose("rains-of-autumn"))
    with pytest.raises(Refused) as refused:
        game.submit("stark", asked(game, "stark"), PlaceOrders({"castle-black": "march-plus-1"}))
    assert refused.value.rules == ("PLN-6",)


def test_a_house_at_the_limit_collects_no_power_beyond_it():
    game = new_round({"westeros_2": ["game-of-thrones"]}, houses={"stark": {"power": 19}, "baratheon": {"power": 20}})
    assert game.public()["houses"]["stark"]["power"] == 20
    assert game.public()["houses"]["baratheon"]["power"] == 20


def test_a_house_that_can_muster_nothing_is_not_asked():
    """Without supply for a second army, Stark can put nothing into Winterfell or its seas; Lannister has no structure."""
    game = new_round(
        {"westeros_1": ["mustering"]},
        areas={
            "lannisport": {"units": {"baratheon": {"footman": 1}}, "garrison": None},
            "winterfell": {"units": {"stark": {"knight": 2}}},
            "the-shivering-sea": {"units": {"stark": {"ship": 2}}},
            "bay-of-ice": {"units": {"lannister": {"ship": 1}}},
            "port-of-winterfell": {"units": {"stark": {"ship": 1}}},
        },
        houses={"stark": {"supply": 0}},
    )
    assert game.waiting == ["baratheon"]
    game.submit("baratheon", asked(game, "baratheon"), Muster([]))
    assert game.state.phase == "planning"


def test_one_muster_uses_pieces_freed_by_an_upgrade_elsewhere():
    """All ten footmen stand; one is upgraded in Winterfell, so a new one can come to White Harbor (MUS-5)."""
    game = new_round(
        {"westeros_1": ["mustering"]},
        areas={
            "winterfell": {"units": {"stark": {"footman": 3}}},
            "karhold": {"units": {"stark": {"footman": 2}}},
            "the-stony-shore": {"units": {"stark": {"footman": 2}}},
            "widows-watch": {"units": {"stark": {"footman": 2}}},
            "white-harbor": {"power": "stark"},
            "moat-cailin": {"power": "stark"},
        },
        houses={"stark": {"supply": 6}},
    )
    for house in ("baratheon", "lannister"):
        game.submit(house, asked(game, house), Muster([]))
    two = [Recruit("white-harbor", "footman"), Recruit("moat-cailin", "footman")]
    with pytest.raises(Refused) as refused:
        game.submit("stark", asked(game, "stark"), Muster([Recruit("winterfell", "knight", upgrade=True), *two]))
    assert refused.value.rules == ("MUS-5",)
    game.submit("stark", asked(game, "stark"), Muster([two[0], Recruit("winterfell", "knight", upgrade=True)]))
    assert game.public()["areas"]["white-harbor"]["units"] == {"footman": 1}
    assert game.public()["areas"]["winterfell"]["units"] == {"footman": 2, "knight": 1}
