"""The rest of a round on a copy of the game, every house played by a steward."""

from random import Random

from protocol.answers import AnyAnswer
from server.bots.player import View
from server.bots.regent.outlook import outlook
from server.bots.steward.player import answer
from server.game.game import Game
from server.game.refused import Refused

MOST_ANSWERS = 400


def seen(game: Game, house: str) -> View:
    """What a steward looks at: the public part, and whose eyes it is seen with."""
    return {**game.public(), "you": {"house": house}}


def play_out(game: Game, me: str, first: AnyAnswer, rng: Random) -> float | None:
    """How good it turns out for me to give this answer now; nothing if the copy refuses it. The game given stays as it is."""
    copy = Game(game.state)
    prompt = copy.state.prompts[me]
    try:
        copy.submit(me, prompt.id, first)
    except Refused:
        return None
    round_, bidding = copy.state.round, game.state.phase == "westeros"
    for _ in range(MOST_ANSWERS):
        if copy.over or copy.state.round > round_ or (bidding and copy.state.phase == "planning"):
            break
        house = copy.waiting[0]
        prompt = copy.state.prompts[house]
        copy.submit(house, prompt.id, answer(prompt, seen(copy, house), rng))
    return outlook(copy.public(), me)
