"""The regent as a player: where it matters it searches within its budget, elsewhere it is a steward."""

from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from time import thread_time

from protocol.answers import AnyAnswer, Bid, Choose, Raid, Raven
from protocol.prompts import AnyPrompt, BidPrompt, ChoosePrompt, MarchPrompt, PlaceOrdersPrompt, RaidPrompt, RavenPrompt
from server.bots.player import Choose as Player
from server.bots.player import View
from server.bots.regent.playout import play_out, seen
from server.bots.regent.rebuild import rebuild
from server.bots.steward.march import marches
from server.bots.steward.planning import Planner
from server.bots.steward.player import answer as steward_answer
from server.bots.steward.sight import Sight
from server.bots.steward.value import Values
from server.game.game import Game

PLANNING_SHARES = 4
"""Planning comes once a round and decides it: it gets so many budgets."""
PLANS, PLAN_NOISE = 8, 0.9
RIVAL_NOISE = (0.05, 0.5)
"""How much other houses' plans differ from what a steward would think best: in every other world little, then more."""
MARCHES = 7
BIDS = 7
SWAPS = 14
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
    me = view["you"]["house"]
    candidates = _candidates(prompt, view, rng)
    if len(candidates) > 1:
        worlds = _worlds(prompt, view, rng)
        if worlds is not None:
            return _search(candidates, worlds, me, rng, over)
    return candidates[0] if candidates else steward_answer(prompt, view, rng)


def _candidates(prompt: AnyPrompt, view: View, rng: Random) -> list[AnyAnswer]:
    """What to think about, the steward's choice first; nothing where it is not worth a thought."""
    found: list[AnyAnswer] = []
    match prompt:
        case PlaceOrdersPrompt():
            sight = Sight(view, view["you"]["house"])
            planner = Planner(sight, Values(sight), prompt)
            found = [planner.plan(rng), *(planner.plan(rng, PLAN_NOISE) for _ in range(PLANS - 1))]
        case MarchPrompt():
            sight = Sight(view, view["you"]["house"])
            found = [m for _, m in marches(sight, Values(sight), prompt)[:MARCHES]]
        case RaidPrompt():
            first = steward_answer(prompt, view, rng)
            found = [first, *(Raid(raid.from_, target) for raid in prompt.raids for target in raid.targets)]
        case RavenPrompt():
            ways = [(area, order) for area, orders in prompt.exchanges.items() for order in orders]
            swaps = [Raven("replace", area, order) for area, order in rng.sample(ways, min(SWAPS, len(ways)))]
            found = [steward_answer(prompt, view, rng), *swaps]
        case BidPrompt():
            first = steward_answer(prompt, view, rng)
            found = [first, *(Bid(round(prompt.power * n / (BIDS - 1))) for n in range(BIDS))]
        case ChoosePrompt(kind="house_card" | "support"):
            first = steward_answer(prompt, view, rng)
            found = [first, *(c for o in prompt.options if (c := Choose(o)) != first)]
    return [c for n, c in enumerate(found) if c not in found[:n]]


def _worlds(prompt: AnyPrompt, view: View, rng: Random) -> Iterator[Game] | None:
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


def _search(candidates: list[AnyAnswer], worlds: Iterator[Game], me: str, rng: Random, over: Deadline) -> AnyAnswer:
    """Plays all candidates out in one world after another; after every second world the worse half of them is dropped."""
    totals = dict.fromkeys(range(len(candidates)), 0.0)
    totals[0] = TRUSTED * 2
    played = 0
    for tried, world in enumerate(worlds, 1):
        luck = rng.getrandbits(64)
        results: dict[int, float] = {}
        for n in totals:
            if (result := play_out(world, me, candidates[n], Random(luck))) is not None:  # noqa: S311
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
    return candidates[max(totals, key=totals.__getitem__, default=0)]
