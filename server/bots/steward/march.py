"""Marches: which groups go where. The same reckoning serves the planning and the march itself."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from protocol.answers import March, Move
from protocol.legal import allowed
from protocol.prompts import MarchOption, MarchPrompt, SupplyRoom, Target, over_limits
from server.bots.steward.sight import Sight, Units, strength
from server.bots.steward.value import POWER, UNIT, Values
from server.game.board import AREAS, ORDERS, UNITS

TOKEN_COST = POWER
WORTH_MOVING = 0.15
"""What a move must bring over staying, lest units wander."""


class Sally(NamedTuple):
    """A march as it might be: what it brings over staying, its groups, what it takes, and whether a token is left."""

    score: float
    groups: dict[str, Units]
    gains: dict[str, float]
    token: bool


STAY = Sally(0.0, {}, {}, False)
"""All units stay where they are and the order is discarded."""


def less(units: Units, gone: Units) -> Units:
    """The units that are left."""
    return {unit: left for unit, n in units.items() if (left := n - gone.get(unit, 0))}


def more(units: Units, come: Units) -> Units:
    """The units together."""
    return {unit: units.get(unit, 0) + come.get(unit, 0) for unit in UNITS if unit in units or unit in come}


class Marcher:
    """Finds the best march of a house from an area."""

    def __init__(self, sight: Sight, values: Values, supply: SupplyRoom) -> None:
        self.sight, self.values, self.supply = sight, values, supply

    def best(self, option: MarchOption, aid: Callable[[str], int]) -> Sally:
        """The best march from an area. `aid` says what own support adds to an attack on an area of a house."""
        return max(self.all(option, aid), key=lambda sally: sally.score, default=STAY)

    def all(self, option: MarchOption, aid: Callable[[str], int]) -> Iterator[Sally]:
        """Every march from an area worth a thought; to stay is one of them."""
        yield STAY
        for main, group in _mains(option):
            if sally := self._sally(option, main, group, aid):
                yield sally

    def _sally(self, option: MarchOption, main: Target | None, group: Units, aid: Callable[[str], int]) -> Sally | None:
        """A march with this main group, the other units going where each does most good."""
        gains: dict[str, float] = {}
        groups: dict[str, Units] = {}
        if main:
            gains, groups = {main.to: self._arriving(option, main, group, aid)}, {main.to: group}
            if self._over(option, groups):
                return None
        staying = less(option.units, group)
        quiet = [t for t in option.targets if not t.attack and t is not main]
        while staying:
            rest = self._staying(option, staying)
            best, best_to, best_unit = WORTH_MOVING, "", ""
            for unit in staying:
                loss = rest - self._staying(option, less(staying, {unit: 1}))
                for target in quiet:
                    there = groups.get(target.to, {})
                    gain = (
                        self._arriving(option, target, more(there, {unit: 1}), aid) - gains.get(target.to, 0.0) - loss
                    )
                    if gain > best and not self._over(option, {**groups, target.to: more(there, {unit: 1})}):
                        best, best_to, best_unit = gain, target.to, unit
            if not best_to:
                break
            groups[best_to] = more(groups.get(best_to, {}), {best_unit: 1})
            staying = less(staying, {best_unit: 1})
            gains[best_to] = self._arriving(option, next(t for t in quiet if t.to == best_to), groups[best_to], aid)
        left, token = self._left(option, staying)
        before = self.values.hold(option.from_, option.units)
        score = sum(gains.values()) + left - before - WORTH_MOVING
        return Sally(score, groups, gains, token)

    def _over(self, option: MarchOption, groups: dict[str, Units]) -> bool:
        armies = dict(self.supply.armies)
        for to, units in groups.items():
            moved = sum(units.values())
            armies[option.from_] = armies.get(option.from_, 0) - moved
            armies[to] = armies.get(to, 0) + moved
        return over_limits(self.supply.limits, armies.values()) > 0

    def _staying(self, option: MarchOption, units: Units) -> float:
        return self._left(option, units)[0]

    def _left(self, option: MarchOption, units: Units) -> tuple[float, bool]:
        """What the area that is left is worth then, and whether a token is left there."""
        if units:
            return self.values.hold(option.from_, units), False
        if self.sight.part(option.from_).get("routed"):
            return self.values.hold(option.from_, {}), False
        bare = self.values.abandoned(option.from_, token=False)
        if option.leave_power:
            kept = self.values.abandoned(option.from_, token=True) - TOKEN_COST
            if kept > bare:
                return kept, True
        return bare, False

    def _arriving(self, option: MarchOption, target: Target, units: Units, aid: Callable[[str], int]) -> float:
        """What it brings that this group arrives."""
        values, to = self.values, target.to
        if target.attack == "combat":
            force = strength(units, target.strength) + ORDERS[option.order].modifier + aid(to)
            return values.attack(to, units, force, target.defender)
        if target.attack == "neutral":
            return values.hold(to, units)
        there = self.sight.army(to)
        if self.sight.holds(to):
            return values.hold(to, more(there, units)) - values.hold(to, there)
        return values.hold(to, units) + values.taken(to)


def _mains(option: MarchOption) -> Iterator[tuple[Target | None, Units]]:
    """The main groups worth a thought: none, the whole army somewhere, and in an attack all but one unit."""
    yield None, {}
    units = option.units
    for target in option.targets:
        if target.attack == "neutral":
            yield from ((target, group) for group in _enough(option, target))
            continue
        room = target.room
        yield target, {"ship": room} if isinstance(room, int) and sum(units.values()) > room else units
        if target.attack and sum(units.values()) > 1:
            for unit in units:
                yield target, less(units, {unit: 1})


def _enough(option: MarchOption, target: Target) -> Iterator[Units]:
    """All units, and the fewest that beat a neutral force without the help of others."""

    def suffice(units: Units) -> bool:
        return strength(units, target.strength) + target.bonus >= target.needed

    group = dict(option.units)
    if not suffice(group):
        return
    yield dict(group)
    for unit in sorted(group, key=lambda u: -UNIT[u]):
        while group.get(unit) and suffice(less(group, {unit: 1})):
            group = less(group, {unit: 1})
    if group and group != option.units:
        yield group


def marches(sight: Sight, values: Values, prompt: MarchPrompt) -> list[tuple[float, March]]:
    """The legal marches worth a thought of all orders that may be resolved now, the best first."""
    marcher = Marcher(sight, values, prompt.supply)
    found: list[tuple[float, March]] = []
    for option in prompt.marches:

        def aid(target: str, origin: str = option.from_) -> int:
            return sight.support(target, sight.me, "attacker", origin)

        for sally in marcher.all(option, aid):
            if not sally.groups or allowed(prompt, option, sally.groups):
                moves = [Move(to, units) for to, units in sally.groups.items()]  # type: ignore[arg-type]  # ids of units are Unit
                found.append((sally.score, March(option.from_, moves, sally.token and option.leave_power)))
    return sorted(found, key=lambda each: -each[0])


def may_leave_power(sight: Sight, area: str) -> bool:
    """Whether a token may be left when all units march away (CTL-3, CTL-5)."""
    facts, part = AREAS[area], sight.part(area)
    free = facts.kind == "land" and facts.home_of != sight.me and "routed" not in part
    return free and part.get("power") != sight.me and sight.power() > 0
