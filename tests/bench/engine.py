"""(c) What the rules alone cost: whole random games without rooms, views or frames."""

import time
from random import Random
from typing import NamedTuple

from protocol.legal import draw
from server.game.game import Game
from tests.bench.bench import Bench
from tests.bench.spread import Figure, alone

SIZES = {"full": (5, 6), "quick": (3, 4), "tiny": (1, 1)}
"""How many runs, of how many games."""


class Played(NamedTuple):
    """Of some whole random games on one core."""

    answers: int
    seconds_per_game: float
    us_per_answer: float


def measure(bench: Bench) -> list[Figure]:
    runs, games = SIZES[bench.size]
    found = []
    for n in range(runs):
        bench.say(f"the engine alone: run {n + 1} of {runs}")
        found.append(play(games, first=n * games))
    return [
        alone(
            "cpu_s_per_game",
            "the engine alone: CPU s a game",
            *(each.seconds_per_game for each in found),
            mark="at most 0.05",
        ),
        alone("engine_games_a_second", "   games a second", *(1 / each.seconds_per_game for each in found)),
        alone("engine_us_per_answer", "   us an answer", *(each.us_per_answer for each in found)),
    ]


def play(games: int, players: int = 6, first: int = 0) -> Played:
    """Times only `submit`, not the drawing of answers."""
    cpu, answers = 0.0, 0
    for number in range(first, first + games):
        rng, game = Random(number), Game.new(players, number.to_bytes(16, "big"))
        while not game.over:
            house = rng.choice(game.waiting)
            prompt = game.state.prompts[house]
            answer = draw(prompt, rng)
            start = time.process_time()
            game.submit(house, prompt.id, answer)
            cpu += time.process_time() - start
            answers += 1
    return Played(answers, cpu / games, cpu / answers * 1e6)
