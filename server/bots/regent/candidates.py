"""What a regent thinks about: the steward's choice, and others that are worth a playout."""

from random import Random

from protocol.answers import AnyAnswer, Bid, Choose, Raid, Raven
from protocol.prompts import AnyPrompt, BidPrompt, ChoosePrompt, MarchPrompt, PlaceOrdersPrompt, RaidPrompt, RavenPrompt
from server.bots.player import View
from server.bots.steward.march import marches
from server.bots.steward.planning import Planner
from server.bots.steward.player import answer as steward_answer
from server.bots.steward.sight import Sight
from server.bots.steward.value import Values

PLANS, MARCHES, BIDS, SWAPS = 8, 7, 7, 14
"""How many of each are thought about at most, beside the steward's choice."""
PLAN_NOISE = 0.9
"""How much the plans differ from what a steward thinks best."""


def candidates(prompt: AnyPrompt, view: View, rng: Random) -> list[AnyAnswer]:
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
