"""The regent as a player: where it matters it searches within its budget, elsewhere it is a steward."""

from collections.abc import Callable, Iterator
from random import Random
from time import thread_time

from protocol.answers import AnyAnswer
from protocol.prompts import AnyPrompt, PlaceOrdersPrompt
from server.bots.player import Choose as Player
from server.bots.player import View
from server.bots.regent.candidates import candidates
from server.bots.regent.playout import play_out
from server.bots.regent.worlds import worlds
from server.bots.steward.player import answer as steward_answer
from server.game.game import Game

PLANNING_SHARES = 4
"""Planning comes once a round and decides it: it gets so many budgets."""
TRUSTED = 0.4
"""The lead that the steward's own choice starts with: it is right more often than a few playouts tell."""
SURE = 24
"""Playouts of each candidate after which more would change nothing."""

Deadline = Callable[[int], bool]
"""Whether after so many playouts it is time to answer."""


def regent(seed: str, *, budget: float = 50.0, playouts: int | None = None) -> Player:
    """A player that thinks for `budget` milliseconds of its processor a decision that matters (four times that for a plan).

    With `playouts`, it thinks for so many playouts instead and its answers depend on seed, prompt and view alone.
    """

    def choose(prompt: AnyPrompt, view: View) -> AnyAnswer:
        rng = Random(f"{seed}:{prompt.id}")  # noqa: S311 - the bots' own dice
        shares = PLANNING_SHARES if isinstance(prompt, PlaceOrdersPrompt) else 1
        return _answer(prompt, view, rng, _deadline(budget, playouts, shares))

    return choose


def _deadline(budget: float, playouts: int | None, shares: int) -> Deadline:
    if playouts is not None:
        return lambda played: played >= playouts * shares
    end = thread_time() + budget * shares / 1000
    return lambda played: thread_time() >= end


def _answer(prompt: AnyPrompt, view: View, rng: Random, over: Deadline) -> AnyAnswer:
    choices = candidates(prompt, view, rng)
    if not choices:
        return steward_answer(prompt, view, rng)
    imagined = worlds(prompt, view, rng) if len(choices) > 1 else None
    return _search(choices, imagined, view["you"]["house"], rng, over) if imagined else choices[0]


def _search(choices: list[AnyAnswer], imagined: Iterator[Game], me: str, rng: Random, over: Deadline) -> AnyAnswer:
    """Plays all choices out in one world after another; after every second world the worse half of them is dropped."""
    totals = dict.fromkeys(range(len(choices)), 0.0)
    totals[0] = TRUSTED * 2
    played = 0
    for tried, world in enumerate(imagined, 1):
        luck = rng.getrandbits(64)
        results: dict[int, float] = {}
        for n in totals:
            if (result := play_out(world, me, choices[n], Random(luck))) is not None:  # noqa: S311
                results[n] = result
            played += 1
            if over(played):
                break
        if len(results) == len(totals) or tried == 1:
            totals = {n: totals[n] + result for n, result in results.items()}
        if not totals or tried == SURE or over(played):
            break
        if tried % 2 == 0:
            best = sorted(totals, key=lambda n: -totals[n])[: max(2, (len(totals) + 1) // 2)]
            totals = {n: totals[n] for n in sorted(best)}
    return choices[max(totals, key=totals.__getitem__, default=0)]
