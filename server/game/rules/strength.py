"""What counts on each side of a combat, part by part, so that every sum explains itself (CMB-3, CMB-4)."""

from typing import TypeAlias

from server.game.board import AREAS, CARDS, ORDERS, SUPPORTED_FROM, TIDES, UNITS
from server.game.cards.text import NO_TEXT, Text, text
from server.game.state import Combat, State, Units

Part: TypeAlias = tuple[str, int]
"""What counts and how much: a unit, an order, `garrison`, `support AREA`, a card, `blade` or `tides CARD`."""


def printed_values(area: str, side: str) -> Units:
    """What each kind of unit counts in a fight in an area on a side; siege engines only against structures (CMB-3)."""
    siege = side == "attacker" and AREAS[area].points > 0
    return {unit: f.siege if siege else f.strength for unit, f in UNITS.items()}


def worth(units: Units, values: Units) -> int:
    """What units count together."""
    return sum(n * values[unit] for unit, n in units.items())


def support_of(state: State, area: str, values: Units) -> int:
    """What the support order in an area adds: its standing units and the bonus of the token (SUP-1)."""
    here = state.areas[area]
    return worth(here.units, values) + ORDERS[here.order].modifier


def offered(state: State, areas: list[str], target: str, side: str) -> int:
    """What support orders would add to a side, as printed on the units."""
    return sum(support_of(state, area, printed_values(target, side)) for area in areas)


def played_text(combat: Combat, house: str) -> Text:
    """The text of the card a main side has in play."""
    return text(combat.cards[house]) if house in combat.cards else NO_TEXT


def values(state: State, owner: str, side: str) -> Units:
    """What a house's units count on a side of the combat, cards carried out in turn order (HCD-2, HCD-X2)."""
    combat = state.fight
    counted = printed_values(combat.area, side)
    for house in state.turn_order:
        if house in combat.cards:
            counted = played_text(combat, house).values(state, house, owner, side, counted)
    return counted


def fighters(state: State) -> list[str]:
    """The two main sides in turn order."""
    combat = state.fight
    return [h for h in state.turn_order if h in (combat.attacker, combat.defender)]


def in_battle(state: State, house: str) -> Units:
    """The standing units of a main side that attack or defend."""
    combat = state.fight
    return combat.army if house == combat.attacker else state.areas[combat.area].units


def _units(units: Units, counted: Units) -> list[Part]:
    return [(unit, n * counted[unit]) for unit, n in units.items() if n * counted[unit]]


def supporting_areas(state: State, side: str) -> list[str]:
    """The areas whose support order helps a side, by id; one that was removed no longer counts (SUP-7)."""
    combat = state.fight
    helpers = {h for h, s in combat.sides.items() if s == side}
    return [
        a
        for a in support_areas(combat)
        if (here := state.areas[a]).house in helpers and here.order and ORDERS[here.order].kind == "support"
    ]


def supported(state: State, house: str) -> bool:
    """Whether a main side is supported by anyone, itself included (SUP-8)."""
    return bool(supporting_areas(state, state.fight.side(house)))


def support_areas(combat: Combat) -> list[str]:
    """Every area from where support may come to a combat (SUP-4, SUP-6)."""
    from_ = SUPPORTED_FROM[combat.area]
    return [a for a in from_ if a not in (combat.area, combat.origin)]


def parts(state: State, house: str) -> list[Part]:
    """All that counts for a main side so far (CMB-4)."""
    combat = state.fight
    side = combat.side(house)
    counted: list[Part] = []
    if side == "attacker":
        counted += _units(combat.army, values(state, house, side))
        if modifier := ORDERS[combat.order].modifier:
            counted.append((combat.order, modifier))
    else:
        here = state.areas[combat.area]
        counted += _units(here.units, values(state, house, side))
        if here.order and ORDERS[here.order].kind == "defense":
            counted.append((here.order, played_text(combat, house).defense(ORDERS[here.order].modifier)))
        if here.garrison:
            counted.append(("garrison", here.garrison))
    for area in supporting_areas(state, side):
        owner = state.areas[area].house
        counted.append((f"support {area}", support_of(state, area, values(state, owner, side))))
    if house in combat.cards:
        card = combat.cards[house]
        printed = played_text(combat, combat.opponent(house)).printed(CARDS[card].strength)
        counted.append((card, printed + played_text(combat, house).bonus(state, house)))
    if combat.blade == house:
        counted.append(("blade", 1))
    if house in combat.tides:
        tide = combat.tides[house]
        counted.append((f"tides {tide}", TIDES[tide].strength))
    return counted


def total(counted: list[Part]) -> int:
    """The sum of all parts, never read as below 0 (CMB-6)."""
    return max(0, sum(n for _, n in counted))


def sums(state: State) -> dict[str, int]:
    """The strength of both sides as it stands."""
    combat = state.fight
    return {
        "attacker": total(parts(state, combat.attacker)),
        "defender": total(parts(state, combat.defender)),
    }


def icons(state: State, house: str) -> tuple[int, int]:
    """Swords and fortifications of a main side's card, with its text and its Tides card (HCD-7, TID-4)."""
    combat = state.fight
    swords = fortifications = 0
    if house in combat.cards:
        card = CARDS[combat.cards[house]]
        more = played_text(combat, house).icons(state, house)
        swords, fortifications = card.swords + more[0], card.fortifications + more[1]
    if house in combat.tides:
        tide = TIDES[combat.tides[house]]
        swords, fortifications = swords + tide.swords, fortifications + tide.fortifications
    return swords, fortifications
