"""Whether a march is legal as a whole, and what it attacks (MAR-1 to MAR-10, NEU-2, SPL-6)."""

from msgspec import Struct

from protocol.answers import March
from server.game.board import AREAS, PORT_ROOM
from server.game.pieces import (
    armies,
    army,
    counted,
    fits,
    garrison_house,
    holds,
    minus,
    ordered,
    plus,
    port_controller,
    size,
    supply_limits,
)
from server.game.refused import illegal
from server.game.rules import neutral
from server.game.rules.names import known_area
from server.game.rules.neutral import Reckoning
from server.game.rules.transport import within_reach
from server.game.rules.turns import own_order
from server.game.state import State, Units


class Assault(Struct, frozen=True):
    """The one attack of a march: against a house, or with a reckoning against a neutral force."""

    to: str
    units: Units
    reckoning: Reckoning | None = None


def resistance(state: State, house: str, area: str) -> str:
    """What a house that enters an area has to fight: `combat`, `neutral` or nothing (MAR-4, MAR-6, GAR-11)."""
    here = state.areas[area]
    if here.neutral:
        return "neutral"
    guard = garrison_house(state, area)
    return "combat" if here.house not in ("", house) or guard not in ("", house) else ""


def check(state: State, house: str, march: March, closed: tuple[str, ...]) -> Assault | None:
    """The attack of a legal march, or nothing if it makes none; raises `Refused` and changes nothing.

    `closed` are neutral forces that nobody would help against (NEU-14).
    """
    origin = march.from_
    known_area(origin, "answer.from")
    for n, move in enumerate(march.moves):
        known_area(move.to, f"answer.moves[{n}].to")
    if not own_order(state, house, origin, "march"):
        raise illegal(
            f"no march order of yours lies in {AREAS[origin].name}",
            "MAR-1",
            "MAR-3",
            path="answer.from",
            hint="yours lie in: " + ", ".join(ordered(state, house, "march")),
        )
    _check_units(state, march)
    _check_destinations(state, house, march)
    attacks = [n for n, move in enumerate(march.moves) if resistance(state, house, move.to)]
    if len(attacks) > 1:
        raise illegal(
            "a march may attack only once: "
            + " and ".join(AREAS[march.moves[n].to].name for n in attacks)
            + " all resist",
            "MAR-4",
            "NEU-11",
            path=f"answer.moves[{attacks[1]}].to",
            hint="leave all but one of them out",
        )
    _check_supply(state, house, march)
    _check_power(state, house, march)
    if not attacks:
        return None
    move, path = march.moves[attacks[0]], f"answer.moves[{attacks[0]}]"
    units = counted(move.units)
    if not neutral.standing(state, move.to):
        return Assault(move.to, units)
    joining = {m.to: counted(m.units) for m in march.moves if m is not move}
    reckoning = neutral.reckon(state, house, origin, move.to, units, joining)
    if move.to in closed:
        raise neutral.too_weak(move.to, reckoning.needed, reckoning.total(), path, closed=True)
    if reckoning.total(tuple(reckoning.offers)) < reckoning.needed:
        raise neutral.too_weak(move.to, reckoning.needed, reckoning.total(), path)
    return Assault(move.to, units, reckoning)


def _marching(march: March) -> Units:
    units: Units = {}
    for move in march.moves:
        units = plus(units, counted(move.units))
    return units


def _check_units(state: State, march: March) -> None:
    here, units = state.areas[march.from_], _marching(march)
    if not holds(here.units, units):
        routed = holds(army(state, march.from_), units)
        raise illegal(
            "routed units cannot march" if routed else "more units march than stand there",
            *(("RET-9", "MAR-1") if routed else ("MAR-3",)),
            path="answer.moves",
            hint="able to march: " + (", ".join(f"{n} {unit}" for unit, n in here.units.items()) or "none"),
        )


def _check_destinations(state: State, house: str, march: March) -> None:
    reach = within_reach(state, house, march.from_)
    seen: set[str] = set()
    for n, move in enumerate(march.moves):
        target, path = AREAS[move.to], f"answer.moves[{n}].to"
        if move.to in seen or move.to == march.from_:
            raise illegal(
                f"{target.name} is named twice" if move.to in seen else "a group cannot march to where it stands",
                "MAR-1",
                path=path,
                hint="make one group for each destination; units not named stay",
            )
        seen.add(move.to)
        if neutral.closed_for_good(state, move.to):
            raise illegal(f"nobody can ever enter {target.name}", "NEU-12", path=path, hint="choose another area")
        if move.to not in reach:
            at_sea = "ship" in move.units
            if at_sea == (target.kind == "land"):
                raise illegal(
                    "ships stay on the water" if at_sea else "land units never stop at sea or in a port",
                    "MAR-2",
                    "TRN-4",
                    path=path,
                    hint="within reach: " + (", ".join(reach) or "nothing"),
                )
            raise illegal(
                f"{target.name} is out of reach of {AREAS[march.from_].name}",
                "MAR-1",
                "TRN-1",
                path=path,
                hint="within reach: " + (", ".join(reach) or "nothing"),
            )
        if target.kind == "port":
            _check_port(state, house, move.to, size(counted(move.units)), path)


def _check_port(state: State, house: str, port: str, ships: int, path: str) -> None:
    land = AREAS[AREAS[port].port_of].name
    if port_controller(state, port) != house:
        raise illegal(f"you do not control {land}", "MAR-9", "PRT-1", path=path, hint="only its controller uses a port")
    room = PORT_ROOM - size(army(state, port))
    if ships > room:
        raise illegal(
            f"a port holds {PORT_ROOM} ships", "MAR-9", "PRT-2", path=path, hint=f"there is room for {max(0, room)}"
        )


def _check_supply(state: State, house: str, march: March) -> None:
    sizes = armies(state, house)
    for move in march.moves:
        moved = size(counted(move.units))
        sizes[march.from_] -= moved
        sizes[move.to] = sizes.get(move.to, 0) + moved
    if march.moves and not fits(state, house, sizes):
        ranked = sorted((n for n in sizes.values() if n > 1), reverse=True)
        raise illegal(
            f"armies of {', '.join(map(str, ranked))} are too large",
            "MAR-8",
            "SPL-2",
            "SPL-6",
            path="answer.moves",
            hint="the supply allows armies of " + ", ".join(map(str, supply_limits(state, house))),
        )


def _check_power(state: State, house: str, march: March) -> None:
    if not march.leave_power:
        return
    path = "answer.leave_power"
    facts, here = AREAS[march.from_], state.areas[march.from_]
    if facts.kind != "land" or facts.home_of == house:
        raise illegal("no power token can lie there", "CTL-5", path=path, hint="leave leave_power out")
    if here.routed or minus(here.units, _marching(march)):
        raise illegal(
            "units stay behind, so no token is left", "CTL-3", path=path, hint="march with all units, or leave it out"
        )
    if here.power == house:
        raise illegal(
            "your token lies there already", "CTL-5", "CTL-6", path=path, hint="it stays by itself; leave it out"
        )
    if not state.houses[house].power:
        raise illegal("no power token is available", "CTL-3", "PWR-1", path=path, hint="leave leave_power out")
