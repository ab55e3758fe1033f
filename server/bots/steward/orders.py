"""Raids and the Messenger Raven."""

from msgspec import UNSET

from protocol.answers import Raid, Raven
from protocol.prompts import RaidPrompt, RavenPrompt
from server.bots.steward.sight import Sight, strength
from server.bots.steward.value import Values
from server.game.board import AREAS, NEXT, ORDERS, SUPPORTED_FROM


def raid(sight: Sight, values: Values, prompt: RaidPrompt) -> Raid:
    """The order whose loss hurts most, or helps me most."""
    pairs = [
        (_hurt(sight, values, target), option.from_, target) for option in prompt.raids for target in option.targets
    ]
    if not pairs:
        return Raid(prompt.raids[0].from_)
    _, from_, target = max(pairs)
    return Raid(from_, target)


def _hurt(sight: Sight, values: Values, area: str) -> float:
    """What it is worth to me that the order in an area is gone."""
    order = sight.orders.get(area)
    if not order:
        return 0.0
    facts, owner = ORDERS[order], sight.owner[area]
    danger = 1 + 0.1 * sight.structures[owner]
    match facts.kind:
        case "support":
            force = strength(sight.units(area)) + facts.modifier
            targets = _my_targets(sight)
            attacked = any(area in SUPPORTED_FROM.get(t, ()) and sight.owner.get(t) == owner for t in targets)
            near = any(area in SUPPORTED_FROM.get(mine, ()) for mine in sight.mine)
            return danger * force * (1.5 if attacked else 0.8 if near else 0.2)
        case "defense":
            return danger * facts.modifier * (1.6 if area in _my_targets(sight) else 0.1)
        case "consolidate_power":
            muster = facts.starred and AREAS[area].points > 0
            return danger * (1.6 + (2.0 * AREAS[area].points if muster else 0.0) + 0.4 * AREAS[area].crowns)
        case _:
            return danger * (1.2 if any(n in sight.mine for n in NEXT[area]) else 0.3)


def _my_targets(sight: Sight) -> set[str]:
    """Where my marches could go."""
    marching = [a for a in sight.mine if sight.orders.get(a, "").startswith("march")]
    return {target for area in marching for target in sight.reach(area)}


def raven(sight: Sight, values: Values, prompt: RavenPrompt) -> Raven:
    """A defense where an enemy marches against a structure that has none; else a look at the wildlings."""
    best, best_area, best_order = 1.2, "", ""
    for area, tokens in prompt.exchanges.items():
        if sight.orders.get(area, "").startswith(("march", "defense")):
            continue
        for order in tokens:
            if ORDERS[order].kind != "defense":
                continue
            units = sight.units(area)
            gain = values.hold(area, units, more=ORDERS[order].modifier) - values.hold(area, units)
            if gain > best:
                best, best_area, best_order = gain, area, order
    if best_area:
        return Raven("replace", best_area, best_order)
    return Raven("look", UNSET, UNSET)
