"""Whole games by stewards and regents: never refused, and they win against those who draw."""

import msgspec
import pytest

from server.bots.kinds import KINDS, player
from server.bots.player import Choose, View
from server.bots.regent.player import regent
from server.bots.steward.player import steward
from server.lab.lab import Lab


def play(lab: Lab, players: dict[str, Choose]) -> None:
    """To the end; a refusal raises. The view that a player gets may not be changed by it."""
    while not lab.over:
        house = lab.waiting[0]
        view = lab.observe(house)
        before = msgspec.msgpack.encode(view)
        answer = players[house](lab.prompt(house), view)
        assert msgspec.msgpack.encode(view) == before
        lab.play(house, answer)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("tides", [False, True])
def test_stewards_are_never_refused(players, tides):
    lab = Lab.new(players, players, tides=tides)
    play(lab, {house: steward(house) for house in lab.houses})


@pytest.mark.parametrize("number", range(10))
def test_a_steward_is_never_refused_among_those_who_draw(number):
    """Random players bring it into positions that stewards never reach."""
    lab = Lab.new(3 + number % 4, 100 + number, tides=number % 2 == 0)
    ours = lab.houses[number % len(lab.houses)]
    kinds = {house: "steward" if house == ours else "random" for house in lab.houses}
    play(lab, {house: player(kind, house) for house, kind in kinds.items()})


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_regent_is_never_refused(players):
    lab = Lab.new(players, players, tides=players == 6)
    ours, *rest = lab.houses
    others = {house: player(("steward", "random")[n % 2], house) for n, house in enumerate(rest)}
    play(lab, {ours: regent(ours, playouts=2), **others})


def test_a_steward_beats_those_who_draw():
    won = 0
    for number in range(6):
        lab = Lab.new(6, number)
        ours = lab.houses[number]
        play(lab, {house: player("steward" if house == ours else "random", house) for house in lab.houses})
        assert lab.result
        won += lab.result.winner == ours
    assert won >= 4


def test_every_kind_makes_players():
    lab = Lab.new(3, 1)
    house = lab.waiting[0]
    for kind in KINDS:
        answer = player(kind, "seed", budget=1)(lab.prompt(house), lab.observe(house))
        lab.copy().play(house, answer)


def test_a_budget_is_kept():
    """With next to no time a regent still answers: after one world, with what it has."""
    lab = Lab.new(6, 1)
    house = lab.waiting[0]
    view: View = lab.observe(house)
    lab.play(house, regent("seed", budget=0.001)(lab.prompt(house), view))
