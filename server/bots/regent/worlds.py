"""Games that could be the true one: rebuilt from the view, with answers of the others to what is still secret."""

from collections.abc import Iterator
from itertools import cycle
from random import Random

from protocol.prompts import AnyPrompt, PlaceOrdersPrompt
from server.bots.player import View
from server.bots.regent.playout import seen
from server.bots.regent.rebuild import rebuild
from server.bots.steward.planning import Planner
from server.bots.steward.player import answer as steward_answer
from server.bots.steward.sight import Sight
from server.bots.steward.value import Values
from server.game.game import Game

RIVAL_NOISE = (0.05, 0.5)
"""How much other houses' plans differ from what a steward would think best: in every other world little, then more."""


def worlds(prompt: AnyPrompt, view: View, rng: Random) -> Iterator[Game] | None:
    """Games that could be the true one, without end; nothing if none can be imagined."""
    first = rebuild(prompt, view, rng)
    if first is None:
        return None
    if isinstance(prompt, PlaceOrdersPrompt):
        return _planned(first, view, prompt, rng)
    return _others(first, prompt, view, rng)


def _others(first: Game, prompt: AnyPrompt, view: View, rng: Random) -> Iterator[Game]:
    """The same position with other luck."""
    game: Game | None = first
    me = view["you"]["house"]
    while game is not None:
        for house in [h for h in game.waiting if h != me]:
            theirs = game.state.prompts[house]
            game.submit(house, theirs.id, steward_answer(theirs, seen(game, house), rng))
        yield game
        game = rebuild(prompt, view, rng)


def _planned(game: Game, view: View, prompt: PlaceOrdersPrompt, rng: Random) -> Iterator[Game]:
    """The same position with plans of the other houses: the best of each first, then others."""
    me = view["you"]["house"]
    planners: dict[str, Planner] = {}
    for house, theirs in game.state.prompts.items():
        if house != me and isinstance(theirs, PlaceOrdersPrompt):
            sight = Sight(seen(game, house), house)
            planners[house] = Planner(sight, Values(sight), theirs)
    for noise in cycle(RIVAL_NOISE):
        world = rebuild(prompt, view, rng)
        assert world is not None
        for house, planner in planners.items():
            plan = planner.plan(rng, noise)
            world.submit(house, world.state.prompts[house].id, plan)
        yield world
