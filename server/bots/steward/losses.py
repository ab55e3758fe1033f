"""Units to be given up: the least useful ones, where they are missed least."""

from collections import Counter

from msgspec import UNSET

from protocol.answers import Remove
from protocol.prompts import RemovePrompt, over_limits
from server.bots.steward.sight import Sight
from server.bots.steward.value import UNIT, Values


def remove(sight: Sight, values: Values, prompt: RemovePrompt) -> Remove:
    """The cheapest losses, one after another; for supply only from armies that are too large."""
    areas = [a for a, units in prompt.units.items() if not prompt.one_area or sum(units.values()) >= prompt.count]
    if prompt.one_area:
        ways = [_cheapest(sight, values, prompt, [area]) for area in areas]
        return Remove(min(ways, key=lambda way: way[0])[1])  # type: ignore[arg-type]  # ids of units are Unit
    return Remove(_cheapest(sight, values, prompt, areas)[1])  # type: ignore[arg-type]


def _cheapest(
    sight: Sight, values: Values, prompt: RemovePrompt, areas: list[str]
) -> tuple[float, dict[str, dict[str, int]]]:
    left = {area: dict(prompt.units[area]) for area in areas}
    standing = {area: dict(sight.army(area)) for area in areas}
    armies = Counter[str]() if prompt.supply is UNSET else Counter(prompt.supply.armies)
    gone: dict[str, dict[str, int]] = {}
    total = 0.0
    for _ in range(prompt.count):
        able = [(a, u) for a, units in left.items() for u, n in units.items() if n]
        if prompt.supply is not UNSET:
            limits, before = prompt.supply.limits, over_limits(prompt.supply.limits, armies.values())
            able = [(a, u) for a, u in able if over_limits(limits, (armies - Counter({a: 1})).values()) < before]
        costs = {each: _cost(values, each[0], each[1], standing[each[0]], prompt.becomes) for each in able}
        area, unit = min(costs, key=costs.__getitem__)
        total += costs[area, unit]
        left[area][unit] -= 1
        armies[area] -= 1
        standing[area][unit] = standing[area].get(unit, 1) - 1
        lost = gone.setdefault(area, {})
        lost[unit] = lost.get(unit, 0) + 1
    return total, gone


def _cost(values: Values, area: str, unit: str, standing: dict[str, int], becomes: str) -> float:
    """What it costs to lose a unit there: its price, and the hold on the area."""
    rest = {**standing, unit: max(0, standing.get(unit, 1) - 1)}
    rest = {u: n for u, n in rest.items() if n}
    hold = values.hold(area, rest) if rest else values.abandoned(area, token=False)
    return UNIT[unit] - (UNIT[becomes] if becomes else 0.0) + 0.5 * (values.hold(area, standing) - hold)
