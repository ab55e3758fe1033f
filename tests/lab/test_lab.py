"""The laboratory keeps its laws: undo takes back exactly, copies go their own way, listed answers are legal and all."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.answers import Choose
from protocol.prompts import ChoosePrompt
from server.game.refused import Refused
from server.lab.answers import all_answers
from server.lab.lab import Lab

few = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
games = st.tuples(st.integers(0, 2**32), st.integers(3, 6), st.booleans(), st.integers(0, 120))


def some_game(drawn: tuple[int, int, bool, int], rng: Random) -> Lab:
    """A game in which so many answers were given, if it lasted that long."""
    seed, players, tides, answers = drawn
    lab = Lab.new(players, seed, tides=tides)
    for _ in range(answers):
        if lab.over:
            break
        step(lab, rng)
    return lab


def step(lab: Lab, rng: Random) -> None:
    house = rng.choice(lab.waiting)
    lab.play(house, rng.choice(lab.legal(house, 4, rng)))


def everything(lab: Lab) -> tuple[object, ...]:
    return lab.hash(), lab.waiting, lab.spectate(), {house: lab.observe(house) for house in lab.houses}


@few
@given(games, st.integers(1, 30))
def test_undoing_takes_back_exactly_what_was_played(drawn, more):
    rng = Random(drawn[0])
    lab = some_game(drawn, rng)
    seen = [everything(lab)]
    for _ in range(more):
        if lab.over:
            break
        step(lab, rng)
        seen.append(everything(lab))
    for before in reversed(seen[:-1]):
        lab.undo()
        assert everything(lab) == before


@few
@given(games)
def test_a_copy_goes_its_own_way(drawn):
    rng = Random(drawn[0])
    lab = some_game(drawn, rng)
    before = everything(lab)
    copy = lab.copy()
    assert everything(copy) == before
    for _ in range(10):
        if copy.over:
            break
        step(copy, rng)
    assert everything(lab) == before


@few
@given(games)
def test_the_same_answers_bring_a_copy_to_the_same_end(drawn):
    rng = Random(drawn[0])
    lab = some_game(drawn, rng)
    copy = lab.copy()
    luck = rng.random()
    for each in (lab, copy):
        dice = Random(luck)
        while not each.over:
            step(each, dice)
    assert lab.hash() == copy.hash()
    assert lab.result == copy.result


@few
@given(games)
def test_listed_answers_are_legal_and_different(drawn):
    rng = Random(drawn[0])
    lab = some_game(drawn, rng)
    for house in lab.waiting:
        answers = lab.legal(house, 8, rng)
        assert 1 <= len(answers) <= 8
        assert all(answer not in answers[:n] for n, answer in enumerate(answers))
        for answer in answers:
            lab.copy().play(house, answer)


@few
@given(games)
def test_where_all_answers_are_listed_all_are_legal_and_a_few_are_enough(drawn):
    rng = Random(drawn[0])
    lab = some_game(drawn, rng)
    for house in lab.waiting:
        answers = all_answers(lab.prompt(house))
        if answers is None:
            continue
        listed = list(answers)
        assert len(lab.legal(house, len(listed), rng)) == len(listed)
        for answer in listed[:40]:
            lab.copy().play(house, answer)
        prompt = lab.prompt(house)
        if isinstance(prompt, ChoosePrompt):
            assert listed == [Choose(option) for option in prompt.options]


def test_what_is_refused_changes_nothing():
    lab = Lab.new(3, 1)
    before = everything(lab)
    with pytest.raises(Refused) as refused:
        lab.play(lab.waiting[0], Choose("nonsense"))
    assert refused.value.code == "bad_message"
    with pytest.raises(Refused) as refused:
        lab.play("martell", Choose("nonsense"))
    assert refused.value.code == "not_your_prompt"
    assert everything(lab) == before
    with pytest.raises(IndexError):
        lab.undo()


def test_a_seat_observes_what_a_client_is_shown():
    lab = Lab.new(4, 1, tides=True)
    view = lab.observe("stark")
    assert view["options"] == {"players": 4, "tides": True}
    assert view["you"]["house"] == "stark"
    assert view["you"]["prompt"]["answer"] == "place_orders"
    assert "you" not in lab.spectate()
