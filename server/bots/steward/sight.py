"""The board as a seat sees it, in the words that the rules of thumb need. Made anew for every answer."""

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Any

from server.bots.player import View
from server.game.board import (
    AREAS,
    NEXT_LAND,
    NEXT_PORT,
    NEXT_SEA,
    ORDERS,
    STRUCTURES,
    SUPPLY_LIMITS,
    SUPPORTED_FROM,
    UNITS,
)

Units = dict[str, int]
NOTHING: dict[str, Any] = {}
FIELD: Units = {unit: f.strength for unit, f in UNITS.items()}
"""What units count in the open, and in defence."""
SIEGE: Units = {unit: f.siege for unit, f in UNITS.items()}
"""What units count against a structure."""
IDLE_THREAT = 0.6
"""How much of an enemy army counts as a threat whose order is no march."""
UNSEEN_MARCH = 0.85
"""The same while nobody knows its order."""


def strength(units: Units, values: Units = FIELD) -> int:
    """What units count together."""
    return sum(n * values[unit] for unit, n in units.items())


@lru_cache(maxsize=8192)
def reach(start: str, seas: frozenset[str]) -> tuple[str, ...]:
    """Where units standing in an area may go whose house has ships in these seas (MAR-2, TRN-1)."""
    if AREAS[start].kind != "land":
        return (*NEXT_SEA[start], *NEXT_PORT[start])
    found = set(NEXT_LAND[start])
    to_sail = [sea for sea in NEXT_SEA[start] if sea in seas]
    seen = set(to_sail)
    while to_sail:
        sea = to_sail.pop()
        found.update(NEXT_LAND[sea])
        further = [s for s in NEXT_SEA[sea] if s in seas and s not in seen]
        seen.update(further)
        to_sail += further
    found.discard(start)
    return tuple(sorted(found))


class Sight:
    """What a seat knows: who holds what, how strong, and which enemy could strike where."""

    def __init__(self, view: View, me: str) -> None:
        self.me = me
        self.round: int = view["round"]
        self.parts: dict[str, dict[str, Any]] = view["areas"]
        self.houses: dict[str, dict[str, Any]] = view["houses"]
        self.tracks: dict[str, list[str]] = view["tracks"]
        self.view = view
        self.owner: dict[str, str] = {area: part.get("owner", "") for area, part in self.parts.items()}
        self.orders: dict[str, str] = {}
        for area, part in self.parts.items():
            order = part.get("order")
            if order and order != "hidden":
                self.orders[area] = order

    # ---- what lies where

    def part(self, area: str) -> dict[str, Any]:
        """Everything that lies in an area."""
        return self.parts.get(area, NOTHING)

    def units(self, area: str) -> Units:
        """The standing units in an area."""
        return self.part(area).get("units", NOTHING)  # type: ignore[no-any-return]  # a part of the document

    def army(self, area: str) -> Units:
        """All units in an area, routed ones too."""
        part = self.part(area)
        units, routed = part.get("units", NOTHING), part.get("routed", NOTHING)
        return {u: units.get(u, 0) + routed.get(u, 0) for u in {**units, **routed}} if routed else units

    def holds(self, area: str, house: str = "") -> bool:
        """Whether a house (I, if none is named) controls an area."""
        return self.owner.get(area, "") == (house or self.me)

    def enemy_holds(self, area: str) -> bool:
        """Whether another house controls an area."""
        return self.owner.get(area, "") not in ("", self.me)

    def power(self, house: str = "") -> int:
        """The available power of a house."""
        return self.houses[house or self.me].get("power", 0)  # type: ignore[no-any-return]

    def hand(self, house: str) -> tuple[str, ...]:
        """The cards in a house's hand."""
        return tuple(self.houses[house].get("hand", ()))

    @cached_property
    def mine(self) -> list[str]:
        """The areas where I have units."""
        return [a for a, o in self.owner.items() if o == self.me and (self.units(a) or self.part(a).get("routed"))]

    @cached_property
    def structures(self) -> dict[str, int]:
        """Castles and strongholds by house."""
        count = dict.fromkeys(self.houses, 0)
        for area in STRUCTURES:
            if (owner := self.owner.get(area, "")) in count:
                count[owner] += 1
        return count

    @cached_property
    def leader(self) -> str:
        """The enemy that is nearest to winning."""
        place = self.tracks["iron_throne"].index
        return min((h for h in self.houses if h != self.me), key=lambda h: (-self.structures[h], place(h)))

    def place(self, track: str, house: str = "") -> int:
        """The place of a house on a track, 0 for the first."""
        return self.tracks[track].index(house or self.me)

    # ---- supply

    @cached_property
    def limits(self) -> tuple[int, ...]:
        """The sizes that my supply allows for armies, largest first."""
        return SUPPLY_LIMITS[self.houses[self.me].get("supply", 0)]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many units I have in each area."""
        return {area: sum(self.army(area).values()) for area in self.mine}

    # ---- fights

    @cached_property
    def _seas(self) -> dict[str, frozenset[str]]:
        seas: dict[str, set[str]] = {house: set() for house in self.houses}
        for area, owner in self.owner.items():
            if owner and AREAS[area].kind == "sea":
                seas[owner].add(area)
        return {house: frozenset(found) for house, found in seas.items()}

    def reach(self, start: str) -> tuple[str, ...]:
        """Where the units in an area may go, whatever lies there."""
        return reach(start, self._seas[self.owner[start]])

    def supporters(self, target: str, house: str, *without: str) -> Iterator[str]:
        """The areas where a support order of a house may help in an area."""
        for area in SUPPORTED_FROM.get(target, ()):
            order = self.orders.get(area)
            if order and area not in without and self.owner[area] == house and ORDERS[order].kind == "support":
                yield area

    def support(self, target: str, house: str, side: str, *without: str) -> int:
        """What the support orders of a house would add to a side of a fight in an area."""
        values = SIEGE if side == "attacker" and AREAS[target].points else FIELD
        return sum(
            strength(self.units(a), values) + ORDERS[self.orders[a]].modifier
            for a in self.supporters(target, house, target, *without)
        )

    def defence(self, area: str) -> int:
        """What the owner of an area can be sure to defend it with."""
        part = self.part(area)
        total: int = strength(part.get("units", NOTHING)) + part.get("garrison", 0)
        order = self.orders.get(area)
        if order and ORDERS[order].kind == "defense":
            total += ORDERS[order].modifier
        if self.orders and (owner := part.get("owner")):
            total += self.support(area, owner, "defender")
        return total

    @cached_property
    def threats(self) -> dict[str, float]:
        """By area: with what strength the worst enemy of mine could march there, a bit more if several could."""
        sent: dict[str, dict[str, float]] = {}
        planning = not self.orders
        for area, owner in self.owner.items():
            if not owner or owner == self.me or not (units := self.units(area)):
                continue
            order = self.orders.get(area, "")
            march = order.startswith("march")
            weight = UNSEEN_MARCH if planning else 1.0 if march else IDLE_THREAT
            more = ORDERS[order].modifier if march else 0
            open_, siege = strength(units) + more, strength(units, SIEGE) + more
            for target in self.reach(area):
                force = weight * (siege if AREAS[target].points else open_)
                by = sent.setdefault(target, {})
                by[owner] = max(by.get(owner, 0.0), force) + 0.3 * min(by.get(owner, 0.0), force)
        return {area: max(by.values()) + 0.1 * (len(by) - 1) for area, by in sent.items()}
