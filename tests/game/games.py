"""Whole games for tests: played at random from a number, one answer at a time."""

from collections.abc import Iterator
from random import Random

from protocol.answers import AnyAnswer
from protocol.legal import draw
from server.game.game import Event, Game
from server.scenario.position import position

Turn = tuple[str, int, AnyAnswer, list[Event]]
"""The house, its prompt, its answer and the events that it brought."""


def new_game(number: int, players: int = 6, *, tides: bool = False) -> Game:
    return Game.new(players, number.to_bytes(16, "big"), tides=tides)


def play_on(game: Game, rng: Random) -> Iterator[Turn]:
    """Answers prompts at random until the game is over."""
    while not game.over:
        house = rng.choice(game.waiting)
        prompt = game.state.prompts[house]
        answer = draw(prompt, rng)
        yield house, prompt.id, answer, game.submit(house, prompt.id, answer)


def twin(game: Game) -> Game:
    """The same game, as stored and loaded."""
    return Game.load(game.dump())


def at_table(**setup: object) -> Game:
    """A game in the middle, as a rule case sets it up; three players without units unless said otherwise."""
    return position({"players": 3, "units": "none", "step": "march", **setup})


def asked(game: Game, house: str) -> int:
    """The id of the prompt that a house has open."""
    return game.state.prompts[house].id
