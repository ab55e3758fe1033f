"""Wildling attacks (WIL), where the rule cases do not look: few pieces, ties of tracks, lost areas, the card on its way."""

import pytest

from protocol.answers import Bid, Choose, Muster, Rank, Recruit, Remove
from protocol.legal import default
from protocol.prompts import ChoosePrompt, MusterPrompt, RankPrompt, RemovePrompt
from server.game.board import DECKS
from server.game.refused import Refused
from server.game.rules.wildling_cards import CARDS
from tests.game.games import asked, twin
from tests.game.test_westeros import new_round

LOST = {"baratheon": 1, "lannister": 1, "stark": 0}
WON = {"baratheon": 1, "lannister": 1, "stark": 2}


def attacked_by(*cards, **setup):
    """Wildlings of strength 4 before the bids."""
    decks = {"westeros_3": ["wildlings-attack"], "wildling": list(cards)}
    return new_round(decks, threat=setup.pop("threat", 0), **setup)


def bid(game, bids):
    """Bids for all houses that are asked; gives the events of the last one."""
    events = []
    for house in game.waiting:
        events = game.submit(house, asked(game, house), Bid(bids[house]))
    return events


def refusal(game, house, answer):
    before = game.dump()
    with pytest.raises(Refused) as caught:
        game.submit(house, asked(game, house), answer)
    assert game.dump() == before
    return caught.value


def test_the_cards_are_those_of_the_deck():
    assert sorted(CARDS) == sorted(DECKS["wildling"])


def test_the_card_goes_under_the_deck_and_all_is_told():
    game = attacked_by("mammoth-riders")
    assert game.state.prompts["stark"].strength == 4
    events = bid(game, LOST)
    assert game.state.decks["wildling"][-1] == "mammoth-riders"
    assert sorted(game.state.decks["wildling"]) == sorted(DECKS["wildling"])
    assert [e["type"] for e in events] == ["bids_revealed", "wildling_battle", "wildling_card", "units_destroyed"]
    assert events[1] == {
        "type": "wildling_battle",
        "victor": "wildlings",
        "strength": 4,
        "total": 2,
        "card": "mammoth-riders",
        "threat": 0,
        "rules": ["WIL-3", "WIL-5", "WIL-6"],
    }
    assert events[2]["house"] == "stark"
    assert events[2]["bidder"] == "lowest"


def test_nobody_is_named_for_silence():
    game = attacked_by("silence-at-the-wall")
    bid(game, {"baratheon": 0, "lannister": 0, "stark": 0})
    assert game.state.phase == "planning"


@pytest.mark.parametrize(("bids", "lowest"), [(LOST, False), (WON, True)])
def test_a_tie_prompt_says_what_for_and_defaults_spare_the_holder(bids, lowest):
    """The holder is Baratheon; its absent player gets the reward and not the harm."""
    bids = {**bids, "stark": 5} if lowest else {"baratheon": 2, "lannister": 2, "stark": 0}
    game = attacked_by("skinchanger-scout", threat=8 if lowest else 0)
    bid(game, bids)
    prompt = game.state.prompts["baratheon"]
    assert isinstance(prompt, RankPrompt)
    assert (prompt.subject, prompt.pick, prompt.card, prompt.lowest) == ("wildlings", 1, "skinchanger-scout", lowest)
    assert set(prompt.houses) == {"baratheon", "lannister"}
    assert default(prompt) == Rank(["lannister"] if lowest else ["baratheon"])
    assert refusal(game, "baratheon", Rank(["stark"])).rules == ("BID-3", "DOM-1")
    assert refusal(game, "baratheon", Rank(["baratheon", "lannister"])).code == "illegal"


def test_the_house_left_out_of_the_second_attack_still_settles_its_ties():
    game = attacked_by("preemptive-raid", "skinchanger-scout")
    bid(game, {"baratheon": 4, "lannister": 0, "stark": 0})
    assert game.waiting == ["lannister", "stark"]
    assert {p.strength for p in game.state.prompts.values()} == {6}
    bid(game, {"lannister": 1, "stark": 1})
    assert game.waiting == ["baratheon"]
    assert refusal(game, "baratheon", Rank(["baratheon"])).code == "illegal"
    game.submit("baratheon", asked(game, "baratheon"), Rank(["stark"]))
    assert {h: has.power for h, has in game.state.houses.items()} == {"baratheon": 1, "lannister": 2, "stark": 0}
    assert game.state.decks["wildling"][-2:] == ("preemptive-raid", "skinchanger-scout")


def test_preemptive_raid_with_several_best_tracks_is_for_the_throne_to_settle():
    game = attacked_by(
        "preemptive-raid",
        tracks={
            "iron_throne": ["baratheon", "lannister", "stark"],
            "fiefdoms": ["baratheon", "stark", "lannister"],
            "kings_court": ["lannister", "stark", "baratheon"],
        },
    )
    bid(game, {"baratheon": 1, "lannister": 1, "stark": 0})
    assert game.state.prompts["stark"].options == ["units", "track"]
    game.submit("stark", asked(game, "stark"), Choose("track"))
    prompt = game.state.prompts["baratheon"]
    assert isinstance(prompt, ChoosePrompt)
    assert prompt.options == ["fiefdoms", "kings_court"]
    game.submit("baratheon", prompt.id, Choose("kings_court"))
    assert game.state.tracks["kings_court"] == ("lannister", "baratheon", "stark")
    assert game.state.tracks["fiefdoms"] == ("baratheon", "stark", "lannister")
    assert game.state.phase == "planning"


def test_going_down_two_places_passes_two_houses():
    game = attacked_by(
        "preemptive-raid",
        players=6,
        tracks={
            "iron_throne": ["baratheon", "lannister", "stark", "martell", "greyjoy", "tyrell"],
            "fiefdoms": ["martell", "stark", "tyrell", "greyjoy", "baratheon", "lannister"],
            "kings_court": ["lannister", "martell", "stark", "baratheon", "greyjoy", "tyrell"],
        },
    )
    bids = dict.fromkeys(game.houses, 0) | {"martell": 1, "tyrell": 1}
    bid(game, bids)
    holder = game.state.tracks["iron_throne"][0]
    game.submit(holder, asked(game, holder), Rank(["stark"]))
    assert game.state.prompts["stark"].options == ["units", "fiefdoms"]
    game.submit("stark", asked(game, "stark"), Choose("fiefdoms"))
    assert game.state.tracks["fiefdoms"] == ("martell", "tyrell", "greyjoy", "stark", "baratheon", "lannister")


CROWDED = {
    "winterfell": {"units": {"stark": {"footman": 4}}},
    "karhold": {"units": {"stark": {"footman": 3}}},
    "castle-black": {"units": {"stark": {"footman": 2}}},
    "widows-watch": {"units": {"stark": {"knight": 1}}},
    "the-stony-shore": {"units": {"stark": {"knight": 2}}},
}


def test_crow_killers_with_too_few_footmen_the_owner_chooses_the_dead():
    """Nine footmen stand, one piece is left for three knights: two die, the third is a footman."""
    game = attacked_by("crow-killers", areas=CROWDED, houses={"stark": {"supply": 6}})
    bid(game, LOST)
    prompt = game.state.prompts["stark"]
    assert isinstance(prompt, RemovePrompt)
    assert (prompt.count, prompt.becomes, prompt.card) == (2, "", "crow-killers")
    assert prompt.units == {"the-stony-shore": {"knight": 2}, "widows-watch": {"knight": 1}}
    game = twin(game)
    game.submit("stark", prompt.id, Remove({"the-stony-shore": {"knight": 2}}))
    assert game.state.phase == "planning"
    assert "the-stony-shore" not in game.public()["areas"]
    assert game.public()["areas"]["widows-watch"]["units"] == {"footman": 1}


def test_crow_killers_everyone_else_chooses_two_of_its_knights():
    game = attacked_by(
        "crow-killers",
        areas={
            "winterfell": {"units": {"stark": {"knight": 1}}},
            "widows-watch": {"units": {"stark": {"knight": 1}}},
            "the-stony-shore": {"units": {"stark": {"knight": 2, "footman": 1}}},
        },
        houses={"stark": {"supply": 6}},
    )
    bid(game, {"baratheon": 0, "lannister": 1, "stark": 1})
    prompt = game.state.prompts["stark"]
    assert (prompt.count, prompt.becomes) == (2, "footman")
    assert refusal(game, "stark", Remove({"the-stony-shore": {"footman": 1, "knight": 1}})).rules == ("WIL-13", "WIL-7")
    game.submit("stark", prompt.id, Remove({"the-stony-shore": {"knight": 1}, "winterfell": {"knight": 1}}))
    areas = game.public()["areas"]
    assert areas["winterfell"]["units"] == {"footman": 1}
    assert areas["the-stony-shore"]["units"] == {"footman": 2, "knight": 1}
    assert areas["widows-watch"]["units"] == {"knight": 1}


def test_crow_killers_stops_when_no_knight_is_left():
    game = attacked_by(
        "crow-killers",
        areas={
            "winterfell": {"units": {"stark": {"knight": 2}}},
            "widows-watch": {"units": {"stark": {"knight": 2}}},
            "karhold": {"units": {"stark": {"footman": 2}}},
        },
        houses={"stark": {"supply": 6}},
    )
    bid(game, WON)
    assert game.state.prompts["stark"].options == ["castle-black", "karhold", "pass"]
    game.submit("stark", asked(game, "stark"), Choose("castle-black"))
    assert game.state.phase == "planning"
    assert game.public()["areas"]["castle-black"]["units"] == {"knight": 1}


def test_the_horde_takes_both_units_from_one_structure():
    game = attacked_by(
        "the-horde-descends",
        areas={
            "winterfell": {"units": {"stark": {"footman": 2}}},
            "white-harbor": {"units": {"stark": {"footman": 1, "knight": 1}}},
        },
    )
    bid(game, LOST)
    prompt = game.state.prompts["stark"]
    assert prompt.one_area
    refused = refusal(game, "stark", Remove({"winterfell": {"footman": 1}, "white-harbor": {"footman": 1}}))
    assert refused.rules == ("WIL-18", "WIL-7")
    game.submit("stark", prompt.id, Remove({"white-harbor": {"footman": 1, "knight": 1}}))
    assert "white-harbor" not in game.public()["areas"]


def test_the_horde_musters_at_one_site_that_can_muster():
    game = attacked_by(
        "the-horde-descends",
        areas={"white-harbor": {"power": "stark"}, "winterfell": {"units": {"stark": {"knight": 2}}}},
        houses={"stark": {"supply": 1}},
    )
    bid(game, WON)
    prompt = game.state.prompts["stark"]
    assert isinstance(prompt, MusterPrompt)
    assert prompt.one_site
    assert [site.at for site in prompt.sites] == ["white-harbor", "winterfell"]
    both = Muster([Recruit("white-harbor", "footman"), Recruit("winterfell", "footman")])
    assert refusal(game, "stark", both).rules == ("WIL-18",)
    game.submit("stark", prompt.id, Muster([]))
    assert game.state.phase == "planning"


def test_a_lost_area_takes_its_port_along():
    """Baratheon's last unit in Lannisport dies: Lannister has its home again and may take the ships over (PRT-6)."""
    game = attacked_by(
        "the-horde-descends",
        areas={
            "lannisport": {"units": {"baratheon": {"footman": 1}}, "garrison": None},
            "port-of-lannisport": {"units": {"baratheon": {"ship": 1}}},
            "riverrun": {"units": {"lannister": {"footman": 1}}},
        },
    )
    bid(game, {"baratheon": 1, "lannister": 1, "stark": 0})
    assert game.waiting == ["baratheon"]
    game.submit("baratheon", asked(game, "baratheon"), Remove({"lannisport": {"footman": 1}}))
    assert game.waiting == ["lannister"]
    assert game.state.prompts["lannister"].options == ["0", "1"]
    game.submit("lannister", asked(game, "lannister"), Choose("1"))
    game.submit("lannister", asked(game, "lannister"), Remove({"riverrun": {"footman": 1}}))
    assert game.public()["areas"]["port-of-lannisport"] == {"owner": "lannister", "units": {"ship": 1}}
    assert game.state.phase == "planning"


def test_a_home_that_comes_back_can_be_the_seventh_structure():
    """VIC-4: the check comes with the loss, before the next house suffers."""
    six = ("white-harbor", "moat-cailin", "seagard", "riverrun", "harrenhal", "crackclaw-point")
    game = attacked_by(
        "mammoth-riders",
        areas={
            **{area: {"power": "stark"} for area in six},
            "winterfell": {"units": {"baratheon": {"footman": 1}}, "garrison": None},
            "karhold": {"units": {"lannister": {"footman": 2, "knight": 2}}},
        },
    )
    events = bid(game, {"baratheon": 0, "lannister": 1, "stark": 1})
    assert game.over
    assert game.public()["result"]["winner"] == "stark"
    assert events[-1]["type"] == "game_over"


def test_rattleshirt_lowers_all_markers_before_anybody_reconciles():
    army = {"footman": 2, "knight": 1}
    game = attacked_by(
        "rattleshirts-raiders",
        areas={
            "winterfell": {"units": {"stark": army}},
            "castle-black": {"units": {"stark": army}},
            "dragonstone": {"units": {"baratheon": army}},
            "kingswood": {"units": {"baratheon": army}},
        },
        houses={"stark": {"supply": 4}, "baratheon": {"supply": 4}, "lannister": {"supply": 0}},
    )
    bid(game, LOST)
    assert {h: has.supply for h, has in game.state.houses.items()} == {"baratheon": 3, "lannister": 0, "stark": 2}
    for house in ("baratheon", "stark"):
        assert game.waiting == [house]
        prompt = game.state.prompts[house]
        assert prompt.count == 1
        game.submit(house, prompt.id, default(prompt))
    assert game.state.phase == "planning"


def test_milkwater_leaves_a_last_card():
    """With a single card, or none, nobody discards; the winner of an empty pile takes nothing."""
    hands = {"stark": {"hand": ["robb-stark"], "discard": []}, "lannister": {"hand": [], "discard": []}}
    game = attacked_by("massing-on-the-milkwater", houses=hands)
    bid(game, LOST)
    assert game.waiting == ["baratheon"]
    game.submit("baratheon", asked(game, "baratheon"), Choose("patchface"))
    assert game.state.houses["baratheon"].discard == ("patchface",)
    assert game.state.houses["stark"].hand == ("robb-stark",)
    game = attacked_by("massing-on-the-milkwater", houses=hands)
    bid(game, WON)
    assert game.state.phase == "planning"


def test_an_empty_discard_pile_is_not_asked_about():
    game = attacked_by("mammoth-riders")
    events = bid(game, WON)
    assert game.state.phase == "planning"
    assert any(e["type"] == "reward_passed" for e in events)
