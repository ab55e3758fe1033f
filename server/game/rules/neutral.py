"""Neutral forces (NEU): is a march strong enough, and who could help."""

from msgspec import Struct

from server.game.board import AREAS, ORDERS
from server.game.pieces import plus
from server.game.refused import Refused
from server.game.rules import strength
from server.game.rules.strength import Part, printed_values, worth
from server.game.rules.support import supporters
from server.game.state import State, Units


class Reckoning(Struct, frozen=True):
    """A march against a neutral force: what it needs, what counts for sure, and what other houses could add."""

    needed: int
    parts: tuple[Part, ...]
    offers: dict[str, int]

    def total(self, aid: tuple[str, ...] = ()) -> int:
        """The strength with the support of these houses; a neutral force knows no floor at 0 and no tie (NEU-3)."""
        return sum(n for _, n in self.parts) + sum(self.offers[house] for house in aid)

    def explained(self, aid: tuple[str, ...]) -> list[Part]:
        """All parts, with the support of these houses."""
        return [*self.parts, *((f"support of {house}", self.offers[house]) for house in aid)]


def standing(state: State, area: str) -> bool:
    """Whether a neutral force stands in an area."""
    return state.areas[area].neutral != 0


def closed_for_good(state: State, area: str) -> bool:
    """Whether nobody can ever enter an area (NEU-12)."""
    return state.areas[area].neutral == "~"


def reckon(state: State, house: str, origin: str, target: str, units: Units, joining: dict[str, Units]) -> Reckoning:
    """Counts a march against a neutral force (NEU-4, NEU-5, NEU-6, NEU-9).

    `joining` are the units that the same march moves elsewhere, by area: they land first and count in an own support
    order there (NEU-15). Neither house cards nor the Blade nor Tides cards count (NEU-7, NEU-8).
    """
    needed = state.areas[target].neutral
    assert isinstance(needed, int)
    counted = printed_values(target, "attacker")
    order = state.areas[origin].order
    parts: list[Part] = [(unit, n * counted[unit]) for unit, n in plus(units, {}).items() if n * counted[unit]]
    if modifier := ORDERS[order].modifier:
        parts.append((order, modifier))
    offers: dict[str, int] = {}
    for helper, areas in supporters(state, target, origin).items():
        if helper == house:
            for area in areas:
                more = worth(joining.get(area, {}), counted)
                parts.append((f"support {area}", strength.support_of(state, area, counted) + more))
        else:
            offers[helper] = strength.offered(state, areas, target, "attacker")
    return Reckoning(needed, tuple(parts), offers)


def too_weak(target: str, needed: int, total: int, path: str, *, closed: bool = False) -> Refused:
    """The refusal of a march that cannot beat a neutral force (NEU-2, NEU-14)."""
    name = AREAS[target].name
    hint = (
        "the houses that could have helped did not; march elsewhere or discard the order"
        if closed
        else "send more units, use a better march order or bring support orders next to it"
    )
    return Refused(
        "insufficient_strength",
        f"strength {total} does not beat the neutral force of {needed} in {name}",
        path=path,
        rules=("NEU-2", "NEU-14") if closed else ("NEU-2", "NEU-3"),
        hint=hint,
        needed=needed,
        total=total,
    )
