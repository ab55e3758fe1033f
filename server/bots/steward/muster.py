"""Mustering: what a structure should raise, within its points, the pieces and supply."""

from collections import Counter
from typing import get_args

from msgspec import UNSET

from protocol.answers import Consolidate, Muster, Recruit, Unit
from protocol.prompts import ConsolidatePrompt, MusterPrompt, MusterSite, SupplyRoom, over_limits
from server.bots.steward.sight import Sight
from server.bots.steward.value import POWER, UNIT, Values
from server.game.board import AREAS, NEXT_LAND

KINDS: tuple[Unit, ...] = get_args(Unit)
SHIPS_WANTED = 4
SHIP_TOO_MANY = 1.2
"""What a ship is worth less when there are enough."""
ENGINE_WANTED = 1
FRONT = 0.35
"""How much more units are worth where there is something to defend or to take."""


class Raising:
    """A muster being put together, recruit by recruit."""

    def __init__(
        self, sight: Sight, values: Values, prompt: MusterPrompt | ConsolidatePrompt, supply: SupplyRoom
    ) -> None:
        self.sight, self.values = sight, values
        self.costs, self.upgrades, self.limits = prompt.costs, prompt.upgrades, supply.limits
        self.pieces, self.armies = Counter(prompt.pieces), Counter(supply.armies)
        self.recruits: list[Recruit] = []
        self.worth = 0.0

    def raise_at(self, site: MusterSite) -> None:
        """Spends the points of a structure on what is worth most a point, one recruit after another."""
        points, footmen, room = site.points, site.footmen, Counter(site.ships)
        while points:
            best: tuple[float, Recruit, int] | None = None
            for recruit, cost in self._possible(site, points, footmen, room):
                worth = self._worth(recruit)
                if best is None or worth / cost > best[0] / best[2]:
                    best = (worth, recruit, cost)
            if best is None:
                return
            worth, recruit, cost = best
            points -= cost
            self.pieces[recruit.unit] -= 1
            if recruit.upgrade:
                footmen -= 1
                self.pieces["footman"] += 1
            else:
                to = recruit.to or recruit.at
                self.armies[to] += 1
                room[to] -= 1
            self.recruits.append(recruit)
            self.worth += worth

    def _possible(self, site: MusterSite, points: int, footmen: int, room: Counter[str]) -> list[tuple[Recruit, int]]:
        found: list[tuple[Recruit, int]] = []
        for unit in KINDS:
            if self.pieces[unit] < 1:
                continue
            if footmen > 0 and unit in self.upgrades and self.upgrades[unit] <= points:
                found.append((Recruit(site.at, unit, upgrade=True), self.upgrades[unit]))
            if self.costs[unit] > points:
                continue
            places = [p for p, n in room.items() if n > 0] if unit == "ship" else [site.at]
            for to in places:
                if self._fits(to):
                    found.append((Recruit(site.at, unit, to if to != site.at else UNSET), self.costs[unit]))
        return found

    def _fits(self, to: str) -> bool:
        self.armies[to] += 1
        over = over_limits(self.limits, self.armies.values())
        self.armies[to] -= 1
        return not over

    def _worth(self, recruit: Recruit) -> float:
        """What a recruit is worth there: its kind, what it guards, what it could take."""
        values, sight = self.values, self.sight
        to = recruit.to or recruit.at
        there = sight.units(to)
        extra = {**there, recruit.unit: there.get(recruit.unit, 0) + 1}
        worth = UNIT[recruit.unit]
        if recruit.upgrade:
            worth -= UNIT["footman"]
            extra["footman"] -= 1
        if recruit.unit == "ship":
            return worth + self._at_sea(to)
        if recruit.unit == "siege_engine" and self._engines() >= ENGINE_WANTED:
            worth -= 1.5
        return worth + FRONT * (values.hold(to, extra) - values.hold(to, there))

    def _engines(self) -> int:
        sight = self.sight
        return sum(sight.army(a).get("siege_engine", 0) for a in sight.mine) + sum(
            r.unit == "siege_engine" for r in self.recruits
        )

    def _at_sea(self, to: str) -> float:
        """What a ship is worth somewhere beside being a ship: the first in a sea opens it, more than a few are idle."""
        sight, values = self.sight, self.values
        ships = sum(sight.army(a).get("ship", 0) for a in sight.mine) + sum(r.unit == "ship" for r in self.recruits)
        worth = 0.0 if ships < SHIPS_WANTED else -SHIP_TOO_MANY
        if AREAS[to].kind == "port":
            return worth - 1.0
        there = sight.units(to)
        shore = len(NEXT_LAND[to])
        opening = 0.12 * shore if not self.armies[to] else 0.0
        extra = {"ship": there.get("ship", 0) + 1}
        return worth + opening + FRONT * (values.hold(to, extra) - values.hold(to, there))


def muster(sight: Sight, values: Values, prompt: MusterPrompt) -> Muster:
    """Everything at once; with one site only, where it is worth most."""
    sites = sorted(prompt.sites, key=lambda site: -sight.threats.get(site.at, 0.0))
    if not prompt.one_site:
        raising = Raising(sight, values, prompt, prompt.supply)
        for site in sites:
            raising.raise_at(site)
        return Muster(raising.recruits)
    best = [_alone(sight, values, prompt, prompt.supply, site) for site in sites]
    return Muster(max(best, key=lambda raising: raising.worth).recruits)


def _alone(
    sight: Sight, values: Values, prompt: MusterPrompt | ConsolidatePrompt, supply: SupplyRoom, site: MusterSite
) -> Raising:
    raising = Raising(sight, values, prompt, supply)
    raising.raise_at(site)
    return raising


def consolidate(sight: Sight, values: Values, prompt: ConsolidatePrompt) -> Consolidate:
    """Musters where that is worth more than the power; orders that only bring power wait, they lose nothing."""
    for option in prompt.orders:
        if option.muster is UNSET or prompt.supply is UNSET:
            continue
        raising = _alone(sight, values, prompt, prompt.supply, option.muster)
        if raising.recruits and raising.worth > POWER * option.power:
            return Consolidate(option.from_, raising.recruits)
    return Consolidate(max(prompt.orders, key=lambda option: option.power).from_)
