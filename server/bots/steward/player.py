"""The steward as a player: each prompt goes to the rule of thumb for it."""

from random import Random

from protocol.answers import AnyAnswer, Choose
from protocol.legal import draw
from protocol.prompts import (
    AnyPrompt,
    BidPrompt,
    ChoosePrompt,
    ConsolidatePrompt,
    MarchPrompt,
    MusterPrompt,
    PlaceOrdersPrompt,
    RaidPrompt,
    RankPrompt,
    RavenPrompt,
    RemovePrompt,
)
from server.bots.player import Choose as Player
from server.bots.player import View
from server.bots.steward import bidding, choices, losses, march, muster, orders, planning
from server.bots.steward.sight import Sight
from server.bots.steward.value import Values


def steward(seed: str) -> Player:
    """A player whose answers depend on its seed, the prompt and the view alone, not on what it was asked before."""

    def choose(prompt: AnyPrompt, view: View) -> AnyAnswer:
        return answer(prompt, view, Random(f"{seed}:{prompt.id}"))  # noqa: S311 - the bots' own dice

    return choose


def answer(prompt: AnyPrompt, view: View, rng: Random) -> AnyAnswer:
    """What a steward answers."""
    sight = Sight(view, view["you"]["house"])
    values = Values(sight)
    match prompt:
        case PlaceOrdersPrompt():
            return planning.Planner(sight, values, prompt).plan(rng)
        case RavenPrompt():
            return orders.raven(sight, values, prompt)
        case RaidPrompt():
            return orders.raid(sight, values, prompt)
        case MarchPrompt():
            return march.marches(sight, values, prompt)[0][1]
        case ConsolidatePrompt():
            return muster.consolidate(sight, values, prompt)
        case MusterPrompt():
            return muster.muster(sight, values, prompt)
        case BidPrompt():
            return bidding.bid(sight, prompt, rng)
        case RankPrompt():
            return bidding.rank(sight, prompt)
        case RemovePrompt():
            return losses.remove(sight, values, prompt)
        case ChoosePrompt():
            option = choices.choose(sight, values, prompt, rng)
            return Choose(option) if option in prompt.options else draw(prompt, rng)
