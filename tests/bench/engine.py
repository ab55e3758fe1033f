"""What the rules alone cost: whole random games without rooms, views or frames."""

import time
from random import Random
from typing import NamedTuple

from protocol.legal import draw
from server.game.game import Game


class Figures(NamedTuple):
    """Of some whole random games on one core."""

    answers: int
    seconds_per_game: float
    us_per_answer: float


def measure(games: int, players: int = 6) -> Figures:
    """Times only `submit`, not the drawing of answers."""
    cpu, answers = 0.0, 0
    for number in range(games):
        rng, game = Random(number), Game.new(players, number.to_bytes(16, "big"))
        while not game.over:
            house = rng.choice(game.waiting)
            prompt = game.state.prompts[house]
            answer = draw(prompt, rng)
            start = time.process_time()
            game.submit(house, prompt.id, answer)
            cpu += time.process_time() - start
            answers += 1
    return Figures(answers, cpu / games, cpu / answers * 1e6)
