"""Rules that no rule case can show: properties of the set-up, of secrecy and of moments that need a made-up position."""

from random import Random

from protocol.answers import Bid, Choose, March, Move, Remove
from server.game.board import AREAS, DECKS, SETUPS
from server.game.pieces import tokens_on_board
from server.game.play import Play
from server.game.rules import victory
from server.game.state import Area
from tests.game.games import asked, at_table, new_game, play_on


def test_CTL_4_only_a_march_leaves_a_power_token():
    """CTL-4: tokens on the board grow by a march that says so, and by nothing else."""
    for number in range(6):
        game = new_game(number)
        before = dict.fromkeys(game.houses, 0)
        for _, _, _, events in play_on(game, Random(number)):
            left = [e["house"] for e in events if e["type"] == "marched" and e.get("left_power")]
            after = {h: tokens_on_board(game.state, h) for h in game.houses}
            assert all(after[h] <= before[h] + left.count(h) for h in game.houses)
            before = after


def test_TRK_1_one_house_a_position():
    """TRK-1: every track is always a permutation of the houses in play."""
    game = new_game(7)
    for _ in play_on(game, Random(7)):
        assert all(sorted(order) == sorted(game.houses) for order in game.state.tracks.values())


def test_WES_6_decks_last_ten_rounds():
    """WES-6: nine draws from ten cards, or more cards after each Winter Is Coming."""
    assert all(len(DECKS[f"westeros_{n}"]) == 10 for n in (1, 2, 3))
    game = new_game(3)
    fewest = 10
    for _ in play_on(game, Random(3)):
        fewest = min(fewest, *(len(game.state.decks[f"westeros_{n}"]) for n in (1, 2, 3)))
    assert fewest >= 1


def attacked_by_wildlings(**setup):
    decks = {
        "westeros_1": ["last-days-of-summer-1"],
        "westeros_2": ["last-days-of-summer-2"],
        "westeros_3": ["wildlings-attack"],
        "wildling": ["silence-at-the-wall"],
    }
    return at_table(step="consolidate", threat=0, decks=decks, **setup)


def test_WIL_1_the_attack_has_the_strength_of_the_threat():
    """WIL-1: the two icons raise the threat from 0 to 4, and that is what the bids must reach."""
    game = attacked_by_wildlings()
    assert {p.strength for p in game.state.prompts.values()} == {4}
    assert game.public()["threat"] == 4


def test_WIL_2_PWR_3_bids_are_hidden_with_the_power_that_pays_for_them():
    """WIL-2, PWR-3: while bids are being chosen neither bid nor wildling card nor changed power shows anywhere."""
    game = attacked_by_wildlings()
    before = game.public()["houses"]
    game.submit("stark", asked(game, "stark"), Bid(3))
    assert game.public()["houses"] == before
    assert "silence" not in str(game.public())
    game.submit("lannister", asked(game, "lannister"), Bid(0))
    events = game.submit("baratheon", asked(game, "baratheon"), Bid(1))
    assert [e["type"] for e in events[:2]] == ["bids_revealed", "wildling_battle"]
    assert game.public()["houses"]["stark"]["power"] == 2


def test_NEU_1_tokens_stand_on_land_and_come_only_with_the_set_up():
    """NEU-1: every neutral force is on a land area of the set-up of the player count."""
    for players, setup in SETUPS.items():
        game = new_game(players, players)
        shown = {a: part["neutral"] for a, part in game.public()["areas"].items() if "neutral" in part}
        assert shown == dict(sorted(setup.neutral.items()))
        assert all(AREAS[area].kind == "land" for area in shown)


def test_GAR_1_every_house_in_play_starts_with_a_garrison_of_two():
    """GAR-1: in its home area, and nowhere else."""
    for players in SETUPS:
        game = new_game(players, players)
        shown = {a: part["garrison"] for a, part in game.public()["areas"].items() if "garrison" in part}
        assert shown == {a: 2 for a, f in AREAS.items() if f.home_of in game.houses}


def test_TID_1_tides_are_drawn_only_where_they_were_agreed():
    """TID-1: a game without the option never draws one."""
    for tides in (False, True):
        game = new_game(2, tides=tides)
        types = [e["type"] for _, _, _, events in play_on(game, Random(2)) for e in events]
        assert ("tides_revealed" in types) == (tides and "combat_began" in types)


def fight(**setup):
    """A Lannister footman is about to attack Crackclaw Point; the Tides deck was left with two cards."""
    areas = {
        "harrenhal": {"units": {"lannister": {"footman": 1}}, "order": "march-0"},
        "crackclaw-point": {"units": {"baratheon": {"knight": 3}}},
        "karhold": {"units": {"stark": {"footman": 1}}, "order": "march-0"},
    }
    return at_table(areas=areas, tokens={"blade": "used"}, **setup)


ATTACK = March("harrenhal", [Move("crackclaw-point", {"footman": 1})])


def test_TID_2_the_whole_deck_is_shuffled_for_every_combat():
    """TID-2: whatever was drawn before, a combat draws from all 24 cards."""
    game = fight(tides=True, houses={"lannister": {"hand": ["the-hound"]}, "baratheon": {"hand": ["melisandre"]}})
    game.state.decks["tides"] = ("zero", "zero")
    game.submit("lannister", asked(game, "lannister"), ATTACK)
    assert len(game.state.decks["tides"]) == len(DECKS["tides"]) - 2 == 22


def test_HCD_3_an_ability_works_once_a_combat():
    """HCD-3: Tyrion sends one card back; the replacement is not sent back as well."""
    game = fight(
        houses={
            "lannister": {"hand": ["tyrion-lannister"], "discard": []},
            "baratheon": {"hand": ["melisandre", "brienne-of-tarth", "renly-baratheon"], "discard": []},
        }
    )
    game.submit("lannister", asked(game, "lannister"), ATTACK)
    game.submit("baratheon", asked(game, "baratheon"), Choose("melisandre"))
    game.submit("lannister", asked(game, "lannister"), Choose("use"))
    assert game.state.prompts["baratheon"].options == ["renly-baratheon", "brienne-of-tarth"]
    events = game.submit("baratheon", asked(game, "baratheon"), Choose("brienne-of-tarth"))
    assert [e["type"] for e in events].count("card_cancelled") == 0
    assert "combat_decided" in [e["type"] for e in events]


def test_RET_13_a_return_that_breaks_supply_costs_units():
    """RET-13: the third group has joined an army meanwhile, so one of the two that come back finds no supply."""
    game = at_table(
        areas={
            "harrenhal": {"units": {"lannister": {"footman": 3, "knight": 1}}, "order": "march-0"},
            "riverrun": {"units": {"lannister": {"footman": 2}}},
            "seagard": {"units": {"lannister": {"footman": 3}}},
            "lannisport": {"units": {"lannister": {"knight": 2}}},
            "crackclaw-point": {"units": {"baratheon": {"knight": 3}}},
            "karhold": {"units": {"stark": {"footman": 1}}, "order": "march-0"},
        },
        houses={
            "lannister": {"supply": 5, "hand": ["the-hound"]},
            "baratheon": {"supply": 5, "hand": ["salladhor-saan"]},
        },
        tokens={"blade": "used"},
    )
    # limits 4,3,2,2: 3,3,2,2 after the march; with both back 3,3,3,2
    moves = [Move("crackclaw-point", {"footman": 1, "knight": 1}), Move("riverrun", {"footman": 1})]
    game.submit("lannister", asked(game, "lannister"), March("harrenhal", moves))
    prompt = game.state.prompts["lannister"]
    assert (prompt.kind, prompt.count, prompt.units) == ("retreat", 1, {"crackclaw-point": {"footman": 1, "knight": 1}})
    game.submit("lannister", prompt.id, Remove({"crackclaw-point": {"footman": 1}}))
    here = game.state.areas["harrenhal"]
    assert (here.units, here.routed) == ({"footman": 1}, {"knight": 1})


def test_VIC_5_two_houses_with_seven_structures_are_ranked_by_the_ties_of_the_end():
    """VIC-5: in the same instant, so VIC-3 decides: most structures, land areas, supply, Iron Throne."""
    state = at_table(players=6, step="planning", areas={"karhold": {"units": {"baratheon": {"footman": 1}}}}).state
    castles = [a for a, f in AREAS.items() if f.points and f.home_of not in state.houses]
    for n, area in enumerate(castles[:12]):
        state.areas[area] = Area(power="stark" if n % 2 else "tyrell")
    state.change_house("tyrell", supply=6)
    play = Play(state.fork())
    victory.check(play)
    assert play.state.result is not None
    assert play.state.result.reason == "structures"
    assert play.state.result.winner == "tyrell"
    assert play.state.result.standing[1] == "stark"
