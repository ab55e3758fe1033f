"""Where units can go: next door, or over own ships (MAR-2, TRN)."""

from server.game.board import AREAS, NEXT_LAND, NEXT_PORT, NEXT_SEA
from server.game.state import State


def over_land(state: State, house: str, start: str) -> list[str]:
    """The land areas that land units may go to from a land area, over chains of own ships too (TRN-1, TRN-3), by id."""
    found = set(NEXT_LAND[start])
    seas = [sea for sea in NEXT_SEA[start] if state.areas[sea].house == house]
    seen = set(seas)
    while seas:
        sea = seas.pop()
        found.update(NEXT_LAND[sea])
        for further in NEXT_SEA[sea]:
            if further not in seen and state.areas[further].house == house:
                seen.add(further)
                seas.append(further)
    found.discard(start)
    return sorted(found)


def over_sea(start: str) -> list[str]:
    """The sea and port areas that ships may go to from a sea or port area, by id."""
    return sorted((*NEXT_SEA[start], *NEXT_PORT[start]))


def within_reach(state: State, house: str, start: str) -> list[str]:
    """The areas that units standing in an area may go to, whatever lies there."""
    return over_land(state, house, start) if AREAS[start].kind == "land" else over_sea(start)
