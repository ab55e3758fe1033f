"""What the laboratory does in a second: answers played, copies, undoing, steps of the environment, one by one and in batches."""

import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np

from protocol.legal import draw
from server.bots.steward.player import steward
from server.lab.env import MarchwardenEnv
from server.lab.lab import Lab
from server.lab.vector import SelfPlay, random_actions
from tests.bench.bench import Bench
from tests.bench.spread import Figure, alone

LONG = 10_000


class Figures(NamedTuple):
    """Per second; all on one core but the last, and with the time to find an answer."""

    random_games: float
    random_answers: float
    steward_games: float
    steward_answers: float
    copies: float
    undone: float
    env_steps: float
    vector_steps: float


SECONDS = {"full": 3.0, "quick": 1.0, "tiny": 0.1}


def measure(bench: Bench) -> list[Figure]:
    bench.say("the laboratory")
    found = play(SECONDS[bench.size])
    return [alone(f"lab_{k}", f"the laboratory: {k.replace('_', ' ')} a second", v) for k, v in found._asdict().items()]


def play(seconds: float, workers: int = 2) -> Figures:
    """Measures each figure for about this long."""
    games, answers = _games(seconds, lambda lab, house, rng: lab.play(house, draw(lab.prompt(house), rng)))
    wise = steward("bench")
    steward_games, steward_answers = _games(
        seconds, lambda lab, house, rng: lab.play(house, wise(lab.prompt(house), lab.observe(house)))
    )
    lab = Lab.new(6, 0)
    start = time.perf_counter()
    for _ in range(LONG):
        lab.copy()
    copies = LONG / (time.perf_counter() - start)
    return Figures(
        games,
        answers,
        steward_games,
        steward_answers,
        copies,
        _undone(seconds),
        _env(seconds),
        _vector(seconds, workers),
    )


def _games(seconds: float, turn: Callable[[Lab, str, Random], object]) -> tuple[float, float]:
    """Whole games and answers a second."""
    games = answers = 0
    start, rng = time.perf_counter(), Random(0)
    while time.perf_counter() - start < seconds:
        lab = Lab.new(6, games)
        while not lab.over:
            turn(lab, lab.waiting[0], rng)
            answers += 1
        games += 1
    spent = time.perf_counter() - start
    return games / spent, answers / spent


def _undone(seconds: float) -> float:
    """Answers played and taken back a second."""
    lab, rng, undone = Lab.new(6, 0), Random(0), 0
    house = lab.waiting[0]
    answer = draw(lab.prompt(house), rng)
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        lab.play(house, answer)
        lab.undo()
        undone += 1
    return undone / (time.perf_counter() - start)


def _env(seconds: float) -> float:
    env, rng, steps = MarchwardenEnv(), np.random.default_rng(0), 0
    env.reset(0)
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        if env.lab.over:
            env.reset()
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
        steps += 1
    return steps / (time.perf_counter() - start)


def _vector(seconds: float, workers: int) -> float:
    games, rng, steps = 16, np.random.default_rng(0), 0
    with SelfPlay(games, workers=workers) as play:
        start = time.perf_counter()
        while time.perf_counter() - start < seconds:
            play.step(random_actions(play.batch, rng))
            steps += games
        return steps / (time.perf_counter() - start)
