"""Bids and ties (BID), for all bids."""

from itertools import groupby
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.answers import Bid, Rank
from protocol.prompts import BidPrompt, RankPrompt
from server.game.board import TRACKS
from server.game.refused import Refused
from tests.game.games import asked, twin
from tests.game.test_westeros import new_round


def clash(players=3, **setup):
    return new_round({"westeros_2": ["clash-of-kings"]}, players=players, **setup)


def bid_all(game, bids):
    """All houses that are asked bid; the others have no power. Where nobody has any, a tie may be asked at once."""
    for house in game.waiting:
        prompt = game.state.prompts[house]
        if isinstance(prompt, BidPrompt):
            game.submit(house, prompt.id, Bid(min(bids[house], prompt.power)))
        else:
            assert isinstance(prompt, RankPrompt) and not any(game.state.houses[h].power for h in game.houses)


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 6), st.data())
def test_higher_bids_come_first_ties_by_the_holder_and_all_power_is_paid(players, data):
    check_clash(players, lambda house, most: data.draw(st.integers(0, min(3, most)), label=house))


@pytest.mark.parametrize("players", range(3, 7))
def test_who_has_spent_everything_is_not_asked_and_ties_for_the_rest(players):
    """The bids of nothing for King's Court follow by themselves from the last tie of the track before."""
    check_clash(players, lambda house, most: min(3, most))


def check_clash(players, choose):
    """A whole Clash of Kings with bids that `choose(house, most)` gives."""
    game = clash(players)
    rng = Random(players)
    for track in TRACKS:
        before = {h: game.state.houses[h].power for h in game.houses}
        old = game.state.tracks[track]
        holder = game.state.tracks["iron_throne"][0]
        bids = {h: choose(h, before[h]) for h in game.houses}
        bid_all(game, bids)
        tied = []
        while any(isinstance(p, RankPrompt) and p.subject == track for p in game.state.prompts.values()):
            assert game.waiting == [holder]
            assert game.state.tracks[track] == old
            prompt = game.state.prompts[holder]
            assert prompt.subject == track and prompt.pick == len(prompt.houses) > 1
            assert prompt.houses == [h for h in old if bids[h] == bids[prompt.houses[0]]]
            order = rng.sample(prompt.houses, prompt.pick)
            tied.append(order)
            game = twin(game)
            game.submit(holder, prompt.id, Rank(order))
        new = game.state.tracks[track]
        assert sorted(new) == sorted(old)
        assert [bids[h] for h in new] == sorted(bids.values(), reverse=True)
        groups = [list(group) for _, group in groupby(new, key=bids.__getitem__)]
        assert tied == [group for group in groups if len(group) > 1]
        assert {h: before[h] - bids[h] for h in game.houses} == {h: game.state.houses[h].power for h in game.houses}
    assert game.state.phase == "planning"


@pytest.mark.parametrize(
    "order",
    [[], ["lannister"], ["lannister", "lannister"], ["lannister", "stark"], ["lannister", "baratheon", "stark"]],
)
def test_a_ranking_names_every_tied_house_once(order):
    game = clash()
    bid_all(game, {"baratheon": 2, "lannister": 2, "stark": 1})
    before = game.dump()
    with pytest.raises(Refused) as refused:
        game.submit("baratheon", asked(game, "baratheon"), Rank(order))
    assert (refused.value.code, refused.value.path) == ("illegal", "answer.houses")
    assert "lannister" in refused.value.hint
    assert game.dump() == before


def test_bids_are_secret_until_all_are_in_and_may_be_changed():
    game = clash()
    prompt = asked(game, "lannister")
    shown = None
    for power in (0, 5, 3):
        assert game.submit("lannister", prompt, Bid(power)) == []
        assert game.you("lannister")["answer"] == {"type": "bid", "power": power} or power == 0
        assert shown in (None, game.public())
        shown = game.public()
    assert shown["houses"]["lannister"]["power"] == 5
    game.submit("stark", asked(game, "stark"), Bid(1))
    events = game.submit("baratheon", asked(game, "baratheon"), Bid(2))
    assert events[0] == {
        "type": "bids_revealed",
        "subject": "iron_throne",
        "bids": {"baratheon": 2, "lannister": 3, "stark": 1},
        "rules": ["BID-2"],
    }


def test_without_any_power_the_holder_ranks_everybody_unbidden():
    game = clash(houses={h: {"power": 0} for h in ("baratheon", "lannister", "stark")})
    for track in TRACKS:
        prompt = game.state.prompts[game.waiting[0]]
        assert isinstance(prompt, RankPrompt)
        assert prompt.subject == track
        game.submit(game.waiting[0], prompt.id, Rank(prompt.houses[::-1]))
    assert game.state.phase == "planning"
