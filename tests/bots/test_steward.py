"""Rules of thumb in positions where it is plain what is good."""

from random import Random

from protocol.answers import AnyAnswer, Choose, March, Move
from protocol.prompts import BidPrompt
from server.bots.steward.bidding import bid
from server.bots.steward.chance import win_chance
from server.bots.steward.player import steward
from server.bots.steward.sight import Sight
from server.game.game import Game
from tests.game.games import asked, at_table


def answered(game: Game, house: str) -> AnyAnswer:
    return steward("seed")(game.state.prompts[house], {**game.public(), "you": game.you(house)})


def test_a_neutral_force_is_taken_by_just_enough():
    """Sunspear's 5: knight and footman at +1 with the ship's support; the second footman need not go (NEU-18)."""
    game = at_table(
        players=5,
        areas={
            "yronwood": {"neutral": None, "units": {"tyrell": {"knight": 1, "footman": 2}}, "order": "march-plus-1"},
            "sea-of-dorne": {"units": {"tyrell": {"ship": 1}}, "order": "support"},
        },
        houses={"tyrell": {"supply": 6}},
    )
    answer = answered(game, "tyrell")
    assert isinstance(answer, March)
    assert Move("sunspear", {"knight": 1, "footman": 1}) in answer.moves
    game.submit("tyrell", asked(game, "tyrell"), answer)
    assert game.public()["areas"]["sunspear"]["owner"] == "tyrell"


def test_an_empty_stronghold_is_taken_and_a_token_kept_behind():
    game = at_table(
        areas={"stoney-sept": {"units": {"lannister": {"footman": 1}}, "order": "march-0"}},
        houses={"lannister": {"power": 5}},
    )
    answer = answered(game, "lannister")
    assert answer == March("stoney-sept", [Move("riverrun", {"footman": 1})], leave_power=True)


def test_a_hopeless_attack_is_left():
    game = at_table(
        areas={
            "riverrun": {"units": {"lannister": {"footman": 1}}, "order": "march-minus-1"},
            "seagard": {"units": {"stark": {"knight": 3}}, "order": "defense-plus-2"},
            "harrenhal": {"units": {"stark": {"knight": 2}}},
            "stoney-sept": {"units": {"stark": {"knight": 2}}},
        }
    )
    answer = answered(game, "lannister")
    assert isinstance(answer, March)
    assert not {move.to for move in answer.moves} & {"seagard", "harrenhal", "stoney-sept"}


def fighting(**lannister: object) -> Game:
    """Lannister attacks Stark in Riverrun, and cards are to be chosen."""
    game = at_table(
        areas={
            "lannisport": {"units": {"lannister": {"knight": 1}}, "order": "march-0"},
            "riverrun": {"units": {"stark": {"footman": 1}}},
        },
        houses={"lannister": lannister, "stark": {"hand": ["greatjon-umber", "roose-bolton"]}},
        tracks={"fiefdoms": ["lannister", "stark", "baratheon"]},
    )
    game.submit("lannister", asked(game, "lannister"), March("lannisport", [Move("riverrun", {"knight": 1})]))
    return game


def test_a_card_that_wins_is_played_rather_than_one_that_loses():
    """The knight leads by 1: against cards of 2, Gregor's 3 wins and Cersei's 0 does not."""
    game = fighting(hand=["ser-gregor-clegane", "cersei-lannister"])
    assert answered(game, "lannister") == Choose("ser-gregor-clegane")


def test_the_blade_is_used_when_it_decides_and_only_then():
    for cards, wanted in (
        (["tywin-lannister", "the-hound"], "pass"),
        (["cersei-lannister", "ser-kevan-lannister"], "use"),
    ):
        game = fighting(hand=cards)
        game.submit("stark", asked(game, "stark"), Choose("greatjon-umber"))
        game.submit("lannister", asked(game, "lannister"), Choose(cards[0]))
        assert game.state.prompts["lannister"].kind == "blade"
        assert answered(game, "lannister") == Choose(wanted)


def test_chances_grow_with_the_lead():
    chances = [win_chance(("the-hound",), ("eddard-stark", "catelyn-stark"), lead, False) for lead in range(-4, 5)]
    assert chances == sorted(chances)
    assert chances[0] == 0 and chances[-1] == 1
    assert win_chance((), (), 0, True) > win_chance((), (), 0, False)


def test_no_bid_is_more_than_there_is():
    game = at_table(houses={"stark": {"power": 3}})
    sight = Sight({**game.public(), "you": game.you("stark")}, "stark")
    for subject in ("iron_throne", "fiefdoms", "kings_court", "wildlings"):
        for number in range(30):
            prompt = BidPrompt(id=1, kind="bid", subject=subject, power=3, strength=12)
            assert 0 <= bid(sight, prompt, Random(number)).power <= 3
