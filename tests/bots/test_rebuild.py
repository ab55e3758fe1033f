"""The game that a regent imagines from its view shows it the same view."""

from random import Random
from typing import Any

import pytest

from protocol.answers import AnyAnswer, Choose, March, Move
from protocol.prompts import AnyPrompt
from server.bots.kinds import player
from server.bots.regent.rebuild import rebuild
from server.game.game import Game
from server.lab.lab import Lab
from tests.game.games import asked, at_table

SEARCHED = {"place_orders", "raven", "raid", "march", "house_card", "support", "bid"}


def seen(game: Game) -> dict[str, Any]:
    """The public document but for what only looks different: who has answered, and that orders lie hidden."""
    document = {name: part for name, part in game.public().items() if name != "waiting"}
    document["areas"] = {
        area: {name: thing for name, thing in part.items() if thing != "hidden"}
        for area, part in document["areas"].items()
    }
    return document


def question(prompt: AnyPrompt) -> dict[str, Any]:
    return {name: getattr(prompt, name) for name in prompt.__struct_fields__ if name not in ("id", "deadline")}


@pytest.mark.parametrize("tides", [False, True])
def test_it_is_the_same_position_with_the_same_question(tides):
    rebuilt = set()
    for number in range(3):
        lab = Lab.new(6, number, tides=tides)
        players = {house: player("steward", house) for house in lab.houses}
        while not lab.over:
            house = lab.waiting[-1]
            prompt = lab.prompt(house)
            game = rebuild(prompt, lab.observe(house), Random(number))
            if game and prompt.kind in SEARCHED:
                rebuilt.add(prompt.kind)
                assert question(game.state.prompts[house]) == question(prompt)
                assert seen(game) == seen(lab._game)
            lab.play(house, players[house](prompt, lab.observe(house)))
    assert rebuilt == SEARCHED


def test_a_card_that_was_sent_back_is_not_played_again():
    """After Tyrion the question is rebuilt without the card that went back to hand (HCD-X1)."""
    game = at_table(
        areas={
            "lannisport": {"units": {"lannister": {"knight": 2}}, "order": "march-0"},
            "riverrun": {"units": {"stark": {"footman": 1}}},
        },
        houses={"stark": {"hand": ["eddard-stark", "robb-stark", "catelyn-stark"]}},
    )
    turns: list[tuple[str, AnyAnswer]] = [
        ("lannister", March("lannisport", [Move("riverrun", {"knight": 2})])),
        ("lannister", Choose("tyrion-lannister")),
        ("stark", Choose("eddard-stark")),
        ("lannister", Choose("use")),
    ]
    for house, answer in turns:
        game.submit(house, asked(game, house), answer)
    prompt = game.state.prompts["stark"]
    imagined = rebuild(prompt, {**game.public(), "you": game.you("stark")}, Random(1))
    assert imagined and imagined.state.prompts["stark"].options == ["robb-stark", "catelyn-stark"]
    assert imagined.state.fight.cards == {"lannister": "tyrion-lannister"}
