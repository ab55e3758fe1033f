"""Whether a muster is legal as a whole, and whether anything can be mustered at all (MUS-1 to MUS-8)."""

from collections import Counter

from msgspec import Struct

from protocol.answers import Recruit
from server.game.board import AREAS, NEXT_SEA, PORT_OF, PORT_ROOM, UNITS
from server.game.pieces import armies, army, fits, pieces_left, size, supply_limits
from server.game.refused import Refused, illegal
from server.game.rules.names import known_area
from server.game.state import State

COSTS: dict[str, int] = {unit: f.cost for unit, f in UNITS.items()}
UPGRADES: dict[str, int] = {unit: f.upgrade for unit, f in UNITS.items() if f.upgrade}


class Mustered(Struct, frozen=True):
    """A legal muster: new units by area, and footmen to be upgraded by area and new kind."""

    new: dict[str, dict[str, int]]
    upgrades: dict[str, dict[str, int]]
    listed: tuple[Recruit, ...]


def ship_places(state: State, house: str, area: str) -> dict[str, int]:
    """Where ships of a structure may go, with their room: seas free of enemy ships, and the port (MUS-3, MUS-4)."""
    places = {s: UNITS["ship"].limit for s in NEXT_SEA[area] if state.areas[s].house in ("", house)}
    if port := PORT_OF.get(area):
        room = PORT_ROOM - size(army(state, port))
        if room > 0:
            places[port] = room
    return dict(sorted(places.items()))


def possible(state: State, house: str, areas: list[str]) -> bool:
    """Whether anything at all can be mustered in one of the areas."""
    for area in areas:
        tries = [Recruit(area, unit) for unit in ("footman", "knight", "siege_engine")]
        tries += [Recruit(area, unit, upgrade=True) for unit in ("knight", "siege_engine")]
        tries += [Recruit(area, "ship", place) for place in ship_places(state, house, area)]
        if any(_legal(state, house, recruit, areas) for recruit in tries):
            return True
    return False


def _legal(state: State, house: str, recruit: Recruit, areas: list[str]) -> bool:
    try:
        check(state, house, [recruit], areas, "")
    except Refused:
        return False
    return True


def check(state: State, house: str, recruits: list[Recruit], areas: list[str], path: str) -> Mustered:
    """The muster, if it is legal as a whole, in whatever order it is listed; raises `Refused` (MUS-1 to MUS-8)."""
    spent: Counter[str] = Counter()
    new: dict[str, Counter[str]] = {}
    upgrades: dict[str, Counter[str]] = {}
    for n, recruit in enumerate(recruits):
        where = f"{path}[{n}]"
        known_area(recruit.at, f"{where}.at")
        if recruit.at not in areas:
            raise illegal(
                f"you do not muster in {AREAS[recruit.at].name} now",
                "MUS-1",
                path=f"{where}.at",
                hint="possible: " + ", ".join(areas),
            )
        if recruit.upgrade:
            _check_upgrade(recruit, where)
            spent[recruit.at] += UPGRADES[recruit.unit]
            upgrades.setdefault(recruit.at, Counter())[recruit.unit] += 1
        else:
            to = _destination(state, house, recruit, where)
            spent[recruit.at] += COSTS[recruit.unit]
            new.setdefault(to, Counter())[recruit.unit] += 1
    for area, points in spent.items():
        if points > AREAS[area].points:
            raise illegal(
                f"that costs {points} points, {AREAS[area].name} has {AREAS[area].points}",
                "MUS-1",
                "MUS-2",
                path=path,
                hint="points belong to their area and cannot be pooled",
            )
    _check_footmen(state, upgrades, path)
    _check_pieces(state, house, new, upgrades, path)
    _check_room(state, house, new, path)
    return Mustered({a: dict(c) for a, c in new.items()}, {a: dict(c) for a, c in upgrades.items()}, tuple(recruits))


def _check_upgrade(recruit: Recruit, where: str) -> None:
    if recruit.unit not in UPGRADES:
        raise illegal(
            f"a footman does not become a {recruit.unit}", "MUS-2", path=f"{where}.unit", hint="knight or siege_engine"
        )
    if recruit.to and recruit.to != recruit.at:
        raise illegal("a footman is upgraded where it stands", "MUS-2", path=f"{where}.to", hint="leave to out")


def _destination(state: State, house: str, recruit: Recruit, where: str) -> str:
    to = recruit.to or recruit.at
    known_area(to, f"{where}.to")
    if recruit.unit != "ship":
        if to != recruit.at:
            raise illegal(
                "land units go into the area of the structure", "MUS-3", path=f"{where}.to", hint="leave to out"
            )
        return to
    places = ship_places(state, house, recruit.at)
    if to not in places:
        raise illegal(
            f"no ship of {AREAS[recruit.at].name} may go there",
            "MUS-3",
            "MUS-4",
            path=f"{where}.to",
            hint="possible: " + (", ".join(places) or "nowhere"),
        )
    return to


def _check_footmen(state: State, upgrades: dict[str, Counter[str]], path: str) -> None:
    for area, kinds in upgrades.items():
        there = state.areas[area].units.get("footman", 0)
        if kinds.total() > there:
            raise illegal(
                f"{kinds.total()} footmen upgraded in {AREAS[area].name}, {there} stood there",
                "MUS-2",
                "MUS-8",
                path=path,
                hint="a footman mustered now is not upgraded in the same muster",
            )


def _check_pieces(
    state: State, house: str, new: dict[str, Counter[str]], upgrades: dict[str, Counter[str]], path: str
) -> None:
    needed: Counter[str] = Counter()
    for kinds in (*new.values(), *upgrades.values()):
        needed.update(kinds)
    freed = sum(kinds.total() for kinds in upgrades.values())
    for unit, n in needed.items():
        left = pieces_left(state, house, unit) + (freed if unit == "footman" else 0)
        if n > left:
            raise illegal(f"{n} more {unit} needed, {left} left", "MUS-5", path=path, hint="pieces are limited")


def _check_room(state: State, house: str, new: dict[str, Counter[str]], path: str) -> None:
    sizes = armies(state, house)
    for area, kinds in new.items():
        sizes[area] = sizes.get(area, 0) + kinds.total()
        if AREAS[area].kind == "port" and sizes[area] > PORT_ROOM:
            raise illegal(f"a port holds {PORT_ROOM} ships", "MUS-4", "PRT-2", path=path, hint="send some to sea")
    if new and not fits(state, house, sizes):
        raise illegal(
            "these armies would be too large",
            "MUS-6",
            "SPL-2",
            path=path,
            hint="the supply allows armies of " + ", ".join(map(str, supply_limits(state, house))),
        )
