"""Planning: which order lies where. Orders are valued alone and together, then improved by exchanging tokens."""

from collections import Counter
from math import sqrt
from random import Random

from msgspec import UNSET

from protocol.answers import PlaceOrders
from protocol.prompts import MarchOption, PlaceOrdersPrompt, SupplyRoom, Target
from server.bots.steward.march import Marcher, Sally, may_leave_power
from server.bots.steward.sight import FIELD, SIEGE, Sight, strength
from server.bots.steward.value import POWER, Values
from server.game.board import AREAS, ORDERS, PORT_OF, PORT_ROOM, RAIDED_FROM, SUPPORTED_FROM

RAID, STARRED_RAID = 0.7, 0.25
"""What a raid next to an enemy is worth, and what the star adds."""
HELP = 0.75
"""What a support order is worth of what it would do if it were called upon."""
MUSTERED = 2.1
"""What a point of mustering is worth."""
SWEEPS = 4


def targets(sight: Sight, area: str, order: str) -> list[Target]:
    """Where units in an area could march, with what resists them as far as it is known before the reveal."""
    found = []
    units = sight.units(area)
    for to in sight.reach(area):
        part, facts = sight.part(to), AREAS[to]
        if facts.kind == "port":
            room = PORT_ROOM - sum(sight.army(to).values())
            if sight.holds(facts.port_of) and room > 0:
                found.append(Target(to, room=room))
            continue
        counted = {u: (SIEGE if facts.points else FIELD)[u] for u in units}
        neutral = part.get("neutral", 0)
        if neutral == "~":
            continue
        if neutral:
            found.append(Target(to, "neutral", strength=counted, needed=neutral, bonus=ORDERS[order].modifier))
        elif sight.enemy_holds(to) and ("units" in part or "routed" in part or "garrison" in part):
            found.append(Target(to, "combat", defender=sight.owner[to], strength=counted))
        else:
            found.append(Target(to))
    return found


class Planner:
    """Values orders for the areas of a seat."""

    def __init__(self, sight: Sight, values: Values, prompt: PlaceOrdersPrompt) -> None:
        self.sight, self.values, self.prompt = sight, values, prompt
        self.marcher = Marcher(sight, values, SupplyRoom(list(sight.limits), dict(sight.sizes)))
        self._sallies: dict[tuple[str, str, frozenset[tuple[str, str]]], Sally] = {}
        self._alone: dict[tuple[str, str], float] = {}
        self._whims: dict[tuple[str, str], float] = {}
        self._resist: dict[str, frozenset[str]] = {}

    def plan(self, rng: Random, noise: float = 0.01) -> PlaceOrders:
        """The best orders found. With `noise`, the standard deviation of what each order is worth, they vary."""
        prompt = self.prompt
        self._whims = {(a, o): rng.gauss(0, noise) for a in prompt.areas for o in prompt.tokens}
        free = Counter(prompt.tokens)
        orders: dict[str, str] = {}
        stars = prompt.stars
        pairs = [(self.alone(a, o) + self._march(a, o), a, o) for a in prompt.areas for o in prompt.tokens]
        for _, area, order in sorted(pairs, reverse=True):
            starred = ORDERS[order].starred
            if area in orders or not free[order] or (starred and not stars) or len(orders) == prompt.required:
                continue
            orders[area] = order
            free[order] -= 1
            stars -= starred
        return PlaceOrders(self._improved(orders, free))

    def _improved(self, orders: dict[str, str], free: Counter[str]) -> dict[str, str]:
        """Exchanges tokens between areas and with the free ones as long as that helps."""
        best = self.together(orders)
        for _ in range(SWEEPS):
            before = best
            for area in list(orders):
                for order in self.prompt.tokens:
                    if order == orders[area]:
                        continue
                    for trial in self._exchanges(orders, free, area, order):
                        score = self.together(trial)
                        if score > best + 1e-6:
                            best, free = score, self._free(trial)
                            orders = trial
                            break
            if best <= before + 1e-6:
                break
        return orders

    def _exchanges(self, orders: dict[str, str], free: Counter[str], area: str, order: str) -> list[dict[str, str]]:
        """The ways to give an area another order: a free token, or that of another area in exchange."""
        if free[order] > 0:
            trial = {**orders, area: order}
            stars = sum(ORDERS[o].starred for o in trial.values())
            return [trial] if stars <= self.prompt.stars else []
        return [{**orders, area: order, other: orders[area]} for other, o in orders.items() if o == order]

    def _free(self, orders: dict[str, str]) -> Counter[str]:
        free = Counter(self.prompt.tokens)
        free.subtract(orders.values())
        return free

    # ---- what orders are worth

    def together(self, orders: dict[str, str]) -> float:
        """What a whole plan is worth."""
        supports = {a: o for a, o in orders.items() if o.startswith("support")}
        total, claimed = 0.0, dict[str, float]()
        for area, order in orders.items():
            total += self.alone(area, order)
            if not order.startswith("march"):
                continue
            sally = self._sally(area, order, supports)
            total += sally.score
            for to, gain in sally.gains.items():
                if to in claimed:
                    total -= max(0.0, min(gain, claimed[to]))
                claimed[to] = max(gain, claimed.get(to, 0.0))
        return total

    def _march(self, area: str, order: str) -> float:
        return self._sally(area, order, {}).score if order.startswith("march") else 0.0

    def _sally(self, area: str, order: str, supports: dict[str, str]) -> Sally:
        """The best march from an area with these support orders lying about."""
        resisting = self._resisting(area)
        helping = frozenset(
            (a, o) for a, o in supports.items() if a != area and any(a in SUPPORTED_FROM[t] for t in resisting)
        )
        key = (area, order if resisting else "", helping)
        sally = self._sallies.get(key)
        if sally is None:
            sally = self._sallies[key] = self._find(area, order, dict(helping))
        return sally

    def _resisting(self, area: str) -> frozenset[str]:
        """Where units from an area would have to fight."""
        found = self._resist.get(area)
        if found is None:
            found = self._resist[area] = frozenset(t.to for t in targets(self.sight, area, "march-0") if t.attack)
        return found

    def _find(self, area: str, order: str, supports: dict[str, str]) -> Sally:
        sight = self.sight
        if not sight.units(area):
            return Sally(0.0, {}, {}, False)

        def aid(target: str) -> int:
            values = SIEGE if AREAS[target].points else FIELD
            helping = [a for a in SUPPORTED_FROM[target] if a in supports]
            return sum(strength(sight.units(a), values) + ORDERS[supports[a]].modifier for a in helping)

        found = [
            t if t.attack != "neutral" else Target(t.to, t.attack, "", t.strength, t.needed, t.bonus + aid(t.to))
            for t in targets(sight, area, order)
        ]
        option = MarchOption(area, order, sight.units(area), found, may_leave_power(sight, area))
        return self.marcher.best(option, aid)

    def alone(self, area: str, order: str) -> float:
        """What an order is worth by itself, the march left out."""
        worth = self._alone.get((area, order))
        if worth is None:
            worth = self._alone[area, order] = self._worth(area, order)
        return worth + self._whims[area, order]

    def _worth(self, area: str, order: str) -> float:
        facts, kind = AREAS[area], ORDERS[order].kind
        if kind == "defense":
            return self._safer(area, ORDERS[order].modifier)
        if kind == "support":
            force = strength(self.sight.units(area)) + ORDERS[order].modifier
            near = [a for a in self.sight.mine if a != area and area in SUPPORTED_FROM.get(a, ())]
            return HELP * sum(sorted((self._safer(a, force) for a in near), reverse=True)[:2])
        if kind == "raid":
            prey = [a for a in RAIDED_FROM[area] if self.sight.enemy_holds(a) and self.sight.units(a)]
            return (RAID + STARRED_RAID * ORDERS[order].starred) * min(1.5, sqrt(len(prey)))
        if kind == "consolidate_power":
            if facts.kind == "sea":
                return 0.0
            power = POWER * (1 + facts.crowns) if facts.kind == "land" else POWER * 0.9
            if ORDERS[order].starred and facts.points and self.room(area):
                return max(power, MUSTERED * facts.points)
            return power
        return 0.0

    def _safer(self, area: str, force: float) -> float:
        values, units = self.values, self.sight.units(area)
        if AREAS[area].kind == "port":
            return 0.0
        return values.hold(area, units, more=force) - values.hold(area, units)

    def room(self, area: str) -> bool:
        """Whether supply leaves room for another unit in an area, or its port or footmen do."""
        sizes = dict(self.sight.sizes)
        sizes[area] = sizes.get(area, 0) + 1
        ranked = sorted((n for n in sizes.values() if n > 1), reverse=True)
        limits = self.sight.limits
        fits = len(ranked) <= len(limits) and all(n <= most for n, most in zip(ranked, limits, strict=False))
        return fits or self.sight.units(area).get("footman", 0) > 0 or PORT_OF.get(area, UNSET) is not UNSET
