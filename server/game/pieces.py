"""Units, tokens and cards on the board: counting them and moving them, below every rule."""

from collections.abc import Iterable, Mapping

from protocol.answers import Unit
from protocol.prompts import over_limits
from server.game.board import (
    AREAS,
    CARD_ORDER,
    LAND,
    MAX_POWER,
    ORDERS,
    PORTS,
    STRUCTURES,
    SUPPLY_LIMITS,
    UNITS,
)
from server.game.state import Area, State, Units

# ---- units as numbers


def counted(units: Mapping[Unit, int]) -> Units:
    """Units as an answer names them, kinds in the order of the rules."""
    return plus({}, {str(unit): n for unit, n in units.items()})


def plus(a: Units, b: Units) -> Units:
    """Both lots of units together, kinds in the order of the rules."""
    return {unit: n for unit in UNITS if (n := a.get(unit, 0) + b.get(unit, 0))}


def minus(a: Units, b: Units) -> Units:
    """What is left of `a` without `b`, which must be part of it."""
    assert holds(a, b)
    return {unit: n for unit in UNITS if (n := a.get(unit, 0) - b.get(unit, 0))}


def holds(a: Units, b: Units) -> bool:
    """Whether all of `b` is in `a`."""
    return all(a.get(unit, 0) >= n for unit, n in b.items())


def size(units: Units) -> int:
    """How many units."""
    return sum(units.values())


# ---- who has what


def in_play(state: State, house: str) -> bool:
    """Whether a house takes part in this game."""
    return house in state.houses


def garrison_house(state: State, area: str) -> str:
    """The house whose garrison stands in an area, or nothing (GAR-14)."""
    return AREAS[area].home_of if state.areas[area].garrison else ""


def controller(state: State, area: str) -> str:
    """The house that controls a land area or occupies a sea or port area, or nothing (CTL-1, CTL-2, CTL-9)."""
    here = state.areas[area]
    if here.house:
        return here.house
    if here.power:
        return here.power
    home = AREAS[area].home_of
    return home if home in state.houses and not here.neutral else ""


def port_controller(state: State, port: str) -> str:
    """The house that may use a port: the one that controls its land area (PRT-1)."""
    return controller(state, AREAS[port].port_of)


def army(state: State, area: str) -> Units:
    """All units in an area, routed ones too."""
    here = state.areas[area]
    return plus(here.units, here.routed) if here.routed else here.units


def held(state: State, house: str, areas: Iterable[str] = LAND) -> list[str]:
    """Those of the areas that a house controls."""
    return [area for area in areas if controller(state, area) == house]


def structures(state: State) -> dict[str, int]:
    """By house in play: the castles and strongholds that it controls, one each (VIC-2)."""
    count = dict.fromkeys(state.houses, 0)
    for area in STRUCTURES:
        if (house := controller(state, area)) in count:
            count[house] += 1
    return count


def occupied(state: State, house: str) -> list[str]:
    """The areas with units of a house, by id."""
    return [area for area, here in state.areas.items() if here.house == house]


def ordered(state: State, house: str, kind: str) -> list[str]:
    """The areas with an order of a kind of a house, by id."""
    return [
        a for a, here in state.areas.items() if here.order and here.house == house and ORDERS[here.order].kind == kind
    ]


def with_orders(state: State, kind: str) -> list[str]:
    """The houses that have an order of a kind on the board, in turn order."""
    there = {here.house for here in state.areas.values() if here.order and ORDERS[here.order].kind == kind}
    return [house for house in state.turn_order if house in there] if there else []


def ordered_areas(state: State, house: str) -> list[str]:
    """The areas with any order of a house, by id."""
    return [area for area, here in state.areas.items() if here.order and here.house == house]


def pieces_left(state: State, house: str, unit: str) -> int:
    """How many units of a kind a house has not on the board (MUS-5)."""
    used = sum(army(state, area).get(unit, 0) for area in occupied(state, house))
    combat = state.combat
    if combat and combat.attacker == house:
        used += combat.army.get(unit, 0)
    return UNITS[unit].limit - used


# ---- supply


def supply_limits(state: State, house: str) -> tuple[int, ...]:
    """The sizes allowed for a house's armies, largest first (SPL-2)."""
    return SUPPLY_LIMITS[state.houses[house].supply]


def armies(state: State, house: str) -> Units:
    """How many units a house has in each area; marching units count where they attack (SPL-1, SPL-6, SPL-7)."""
    sizes = {area: size(army(state, area)) for area in occupied(state, house)}
    combat = state.combat
    if combat and combat.attacker == house and (marching := size(combat.army)):
        sizes[combat.area] = marching
    return sizes


def fits(state: State, house: str, sizes: Units) -> bool:
    """Whether armies of these sizes are within a house's supply."""
    return not over_limits(supply_limits(state, house), sizes.values())


# ---- moving pieces


def put_units(state: State, house: str, area: str, units: Units, *, routed: bool = False) -> None:
    """Units of a house come into an area that holds no other house's units."""
    here = state.areas[area]
    assert here.house in ("", house)
    if routed:
        state.change(area, house=house, routed=plus(here.routed, units))
    else:
        state.change(area, house=house, units=plus(here.units, units))


def take_units(state: State, area: str, units: Units, *, routed: bool = False) -> None:
    """Units go away from an area."""
    here = state.areas[area]
    standing = here.units if routed else minus(here.units, units)
    beaten = minus(here.routed, units) if routed else here.routed
    state.change(area, units=standing, routed=beaten, house=here.house if standing or beaten else "")


def enter(state: State, house: str, area: str, units: Units) -> str:
    """Units take an area without resistance; an enemy power token there goes to the pool (CTL-6, MAR-11).

    Gives the house whose token it was, or nothing.
    """
    token = state.areas[area].power
    if token == house:
        token = ""
    if token:
        state.change(area, power="")
    put_units(state, house, area, units)
    return token


def take_order(state: State, area: str) -> str:
    """An order token goes back to its house, and with it what was planned for it; gives the order, if there was one (ROU-5)."""
    order = state.areas[area].order
    if order:
        state.change(area, order="")
        state.plans.pop(area, None)
    return order


def clear(state: State, area: str) -> None:
    """All units and the order of an area are gone; tokens stay."""
    take_order(state, area)
    here = state.areas[area]
    state.areas[area] = Area(power=here.power, garrison=here.garrison, neutral=here.neutral)


def ports_of_others(state: State) -> list[str]:
    """The ports whose ships belong to a house that no longer controls the land area, by id (PRT-6, PRT-8)."""
    return [p for p in PORTS if (fleet := state.areas[p].house) and fleet != port_controller(state, p)]


# ---- power and cards


def tokens_on_board(state: State, house: str) -> int:
    """Power tokens of a house that lie in areas."""
    return sum(state.areas[area].power == house for area in LAND)


def gain_power(state: State, house: str, n: int) -> int:
    """A house takes power from the pool, at most up to its 20 tokens; gives what it took (PWR-1)."""
    has = state.houses[house].power
    gain = max(0, min(n, MAX_POWER - has - tokens_on_board(state, house)))
    if gain:
        state.change_house(house, power=has + gain)
    return gain


def lose_power(state: State, house: str, n: int) -> int:
    """A house gives available power to the pool, at most what it has; gives what it lost (PWR-2)."""
    has = state.houses[house].power
    loss = min(n, has)
    if loss:
        state.change_house(house, power=has - loss)
    return loss


def in_card_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards in the order of base_game.json, as hands and discard piles are kept."""
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))
