"""What a house that must resolve a march is told: its orders, where their groups may go and what resists them."""

from protocol.prompts import MarchOption, MarchPrompt, SupplyRoom, Target
from server.game.board import AREAS, PORT_ROOM, UNITS
from server.game.pieces import armies, army, ordered, port_controller, size, supply_limits
from server.game.play import Play
from server.game.rules import neutral
from server.game.rules.march_check import resistance
from server.game.rules.strength import printed_values
from server.game.rules.transport import within_reach
from server.game.state import State


def target(state: State, house: str, origin: str, to: str, closed: tuple[str, ...]) -> Target | None:
    """What a group from an area meets in another, or nothing if it can in no way go there now."""
    there = state.areas[to]
    if AREAS[to].kind == "port":
        room = PORT_ROOM - size(army(state, to))
        return Target(to, room=room) if port_controller(state, to) == house and room > 0 else None
    kind = resistance(state, house, to)
    if not kind:
        return Target(to)
    units = state.areas[origin].units
    counted = {unit: n for unit, n in printed_values(to, "attacker").items() if unit in units}
    if kind == "combat":
        return Target(to, attack=kind, defender=there.house or AREAS[to].home_of, strength=counted)
    if neutral.closed_for_good(state, to) or to in closed:
        return None
    all_in = neutral.reckon(state, house, origin, to, units, {})
    if all_in.total(tuple(all_in.offers)) < all_in.needed:
        return None
    bonus = sum(n for part, n in all_in.parts if part not in UNITS)
    return Target(to, attack=kind, strength=counted, needed=all_in.needed, bonus=bonus, offers=all_in.offers)


def targets(state: State, house: str, origin: str, closed: tuple[str, ...]) -> list[Target]:
    """Everywhere the standing units of an area may march, by id."""
    if not state.areas[origin].units:
        return []
    found = (target(state, house, origin, to, closed) for to in within_reach(state, house, origin))
    return [t for t in found if t]


def may_leave_power(state: State, house: str, origin: str) -> bool:
    """Whether a token may be left when all units march away (CTL-3, CTL-5)."""
    facts, here = AREAS[origin], state.areas[origin]
    free = facts.kind == "land" and facts.home_of != house and not here.routed and here.power != house
    return free and state.houses[house].power > 0


def ask_march(play: Play, house: str, closed: tuple[str, ...]) -> None:
    """Opens the march prompt of a house."""
    state = play.state
    marches = [
        MarchOption(
            from_=area,
            order=state.areas[area].order,
            units=state.areas[area].units,
            targets=targets(state, house, area, closed),
            leave_power=may_leave_power(state, house, area),
        )
        for area in ordered(state, house, "march")
    ]
    supply = SupplyRoom(list(supply_limits(state, house)), armies(state, house))
    play.ask(house, MarchPrompt, kind="march", marches=marches, supply=supply)
