"""A bot's answer depends on prompt, view and seed alone: on nothing that a remote client could not know."""

from functools import partial
from random import Random

import msgspec
import pytest

from protocol.legal import draw
from server.bots.regent.player import regent
from server.bots.steward.player import steward
from server.game.game import Game
from tests.game.games import new_game, play_on, twin

KINDS = {"steward": steward, "regent": partial(regent, playouts=1)}


def otherwise(game: Game, house: str, rng: Random) -> Game:
    """The same game, different in everything that a house may not know: decks, luck to come, what others have sealed."""
    other = twin(game)
    for rival in list(other.state.sealed):
        if rival != house:
            prompt = other.state.prompts[rival]
            other.submit(rival, prompt.id, draw(prompt, rng))
    state = other.state.fork()
    state.decks = {deck: tuple(rng.sample(cards, len(cards))) for deck, cards in state.decks.items()}
    state.chance = type(state.chance)(rng.randbytes(16).hex(), 3)
    other.state = state
    return other


def view(game: Game, house: str) -> dict[str, object]:
    return {**game.public(), "you": game.you(house)}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_hidden_changes_no_answer(kind):
    rng = Random(5)
    asked = 0
    for _ in range(2 if kind == "steward" else 1):
        game = new_game(rng.randrange(1000), 6)
        for n, _ in enumerate(play_on(game, rng)):
            if not game.waiting or (kind == "regent" and n % 9):
                continue
            house = rng.choice(game.waiting)
            prompt = game.state.prompts[house]
            other = otherwise(game, house, rng)
            assert view(other, house) == view(game, house)
            answer = KINDS[kind]("seed")(prompt, view(game, house))
            assert KINDS[kind]("seed")(prompt, view(other, house)) == answer
            asked += 1
    assert asked > 15


@pytest.mark.parametrize("kind", KINDS)
def test_the_view_as_it_comes_over_the_wire_is_enough(kind):
    """A plain document, decoded from bytes, gives the same answer: no object of the game is needed."""
    rng = Random(6)
    game = new_game(7, 5)
    for n, _ in enumerate(play_on(game, rng)):
        if not game.waiting or n % 8:
            continue
        house = game.waiting[-1]
        prompt = game.state.prompts[house]
        plain = msgspec.json.decode(msgspec.json.encode(view(game, house)))
        read = msgspec.convert(msgspec.to_builtins(prompt), type(prompt))
        assert KINDS[kind]("seed")(read, plain) == KINDS[kind]("seed")(prompt, view(game, house))


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_asked_before_changes_no_answer(kind):
    game = new_game(8, 6)
    house, other = game.waiting[:2]
    fresh, seasoned = KINDS[kind]("seed"), KINDS[kind]("seed")
    seasoned(game.state.prompts[other], view(game, other))
    prompt = game.state.prompts[house]
    assert fresh(prompt, view(game, house)) == seasoned(prompt, view(game, house))
