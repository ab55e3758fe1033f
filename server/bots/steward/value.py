"""What areas, units and armies are worth to a house. One point is about what a footman is good for."""

from functools import cached_property, lru_cache
from math import exp

from server.bots.steward.chance import win_chance
from server.bots.steward.sight import FIELD, SIEGE, Sight, Units, strength
from server.game.board import AREAS, NEXT_LAND, NEXT_SEA, STRUCTURES_TO_WIN

CASTLE, STRONGHOLD = 9.0, 10.5
"""A structure: one of the seven that win, and it musters."""
BARREL, CROWN, LAND = 1.3, 0.9, 0.6
SEA, HARBOUR = 0.8, 0.7
"""A sea area, and more for every structure of mine on its shore."""
LAST_STRUCTURES = 1.35
"""How much more a structure is worth to a house that is close to seven."""
DENIED = 0.35
"""What it is worth to take an area from an enemy, beside having it; twice that from an enemy who could win soon."""
POWER = 0.8
UNIT: dict[str, float] = {"footman": 2.0, "knight": 4.2, "siege_engine": 3.6, "ship": 2.6}
ATTACKED = 0.6
"""How likely an enemy who could attack an area does it, at worst."""
PROSPECT = 0.22
"""What standing before something that could be taken is worth, of its worth."""
RESERVE = 1.2
"""How much stronger than the threat an army should be to sleep well: what the cards may differ."""


@lru_cache(maxsize=4096)
def kept(threat: float, defence: float) -> float:
    """How likely an area is still held after a while against a threat."""
    if threat <= 0:
        return 1.0
    return 1 - ATTACKED / (1 + exp(0.9 * (defence - threat + RESERVE * 0.5)))


class Values:
    """What things are worth to the seat of a sight."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self._worth: dict[str, float] = {}
        self._held: dict[tuple[str, tuple[tuple[str, int], ...], float], float] = {}
        self._prizes: dict[str, list[tuple[float, int, str]]] = {}

    @cached_property
    def rushing(self) -> float:
        """What a structure counts for me now: more when few are missing and towards the end of the game."""
        sight = self.sight
        near = LAST_STRUCTURES if sight.structures[sight.me] >= STRUCTURES_TO_WIN - 2 else 1.0
        return near * (1 + 0.03 * sight.round)

    def worth(self, area: str) -> float:
        """What having an area is worth to me."""
        worth = self._worth.get(area)
        if worth is None:
            worth = self._worth[area] = self._reckoned(area)
        return worth

    def _reckoned(self, area: str) -> float:
        facts, sight = AREAS[area], self.sight
        if facts.kind == "port":
            return 0.3
        if facts.kind == "sea":
            shore = sum(bool(AREAS[land].points) and sight.holds(land) for land in NEXT_LAND[area])
            return SEA + HARBOUR * shore
        structure = (0.0, CASTLE, STRONGHOLD)[facts.points] * self.rushing
        return structure + BARREL * facts.barrels + CROWN * facts.crowns + LAND

    def taken(self, area: str) -> float:
        """What it is worth to take an area away from whoever holds it, beside having it."""
        sight = self.sight
        owner = sight.owner.get(area, "")
        if owner in ("", sight.me) or AREAS[area].kind != "land":
            return 0.0
        grave = 3 if AREAS[area].points and sight.structures[owner] >= STRUCTURES_TO_WIN - 1 else 1
        return DENIED * grave * self.worth(area) * (0.7 + 0.1 * sight.structures[owner])

    def hold(self, area: str, units: Units, *, more: float = 0.0) -> float:
        """What it is worth to me to have these units standing in an area that I control (or would)."""
        key = (area, tuple(units.items()), more)
        worth = self._held.get(key)
        if worth is None:
            worth = self._held[key] = self._hold(area, units, more)
        return worth

    def _hold(self, area: str, units: Units, more: float) -> float:
        part = self.sight.part(area)
        guard = part.get("garrison", 0) if self.sight.holds(area) else 0
        defence = strength(units, FIELD) + guard + more
        return self.worth(area) * kept(round(self.sight.threats.get(area, 0.0), 1), round(defence, 1)) + self.prospect(
            area, units
        )

    def abandoned(self, area: str, *, token: bool) -> float:
        """What an area is worth that all units leave: something if a token or my shield keeps it mine."""
        sight = self.sight
        if AREAS[area].kind != "land":
            return 0.0
        if not token and sight.part(area).get("power") != sight.me and AREAS[area].home_of != sight.me:
            return 0.0
        return self.hold(area, {})

    def prospect(self, area: str, units: Units) -> float:
        """What units could take next from where they stand: the best of what lies next to them, of many more a little."""
        if not units:
            return 0.0
        found = 0.0
        prizes = self._prizes.get(area)
        if prizes is None:
            prizes = self._prizes[area] = self._around(area)
        open_, siege = strength(units, FIELD), strength(units, SIEGE)
        for prize, needed, _ in prizes:
            force = siege if needed else open_
            share = 1.0 if force >= needed else (force / needed) ** 2
            found = max(found, prize * share)
        return PROSPECT * found

    def _around(self, area: str) -> list[tuple[float, int, str]]:
        """What lies next to an area and is not mine: its worth, what it takes, and the area."""
        sight, found = self.sight, []
        near = NEXT_LAND[area] if AREAS[area].kind == "land" else NEXT_SEA[area]
        for prize in near:
            if sight.holds(prize):
                continue
            neutral = sight.part(prize).get("neutral", 0)
            if neutral == "~":
                continue
            needed = neutral or (sight.defence(prize) + 1 if sight.enemy_holds(prize) else 0)
            found.append((self.worth(prize) + self.taken(prize), needed, prize))
        return found

    # ---- fights

    def lost(self, units: Units) -> float:
        """What these units are worth."""
        return sum(UNIT[unit] * n for unit, n in units.items())

    def attack(self, area: str, units: Units, force: float, defender: str) -> float:
        """What attacking an area with units of this force (support and order included) may be worth."""
        sight = self.sight
        chance = win_chance(
            sight.hand(sight.me),
            sight.hand(defender),
            force - sight.defence(area) - (0.6 if not sight.orders else 0.0),
            sight.place("fiefdoms") < sight.place("fiefdoms", defender),
        )
        theirs = sight.units(area)
        beaten = 0.45 * self.lost(theirs) if theirs else 0.5
        prize = self.hold(area, units) + self.taken(area) + beaten
        return chance * prize - (1 - chance) * (0.45 * self.lost(units) + 0.5)
