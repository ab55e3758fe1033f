"""The one projector: the only thing that turns a game into something that leaves the server (DESIGN, decision 3).

The document is made of parts. A part whose sources are the same objects as last time is the same object as last time, so
that whoever compares two documents need only look at what was touched.
"""

from typing import Any

from msgspec import to_builtins

from protocol.answers import PlaceOrders
from server.game.board import AREAS
from server.game.pieces import controller
from server.game.rules import strength
from server.game.state import EMPTY, Area, Combat, House, Result, State

Document = dict[str, Any]


class Projector:
    """Makes the documents of one game and remembers its parts."""

    def __init__(self) -> None:
        self._areas: dict[str, Area] = {}
        self._hiding: frozenset[str] = frozenset()
        """The houses whose orders are secret."""
        self._shown_areas: Document = {}
        self._houses: dict[str, tuple[House, Document]] = {}
        self._shown_houses: Document = {}
        self._seats: dict[str, tuple[tuple[Any, ...], Document]] = {}
        self._lists: dict[str, tuple[tuple[str, ...], list[str]]] = {}
        self._tracks: tuple[list[list[str]], Document] = ([], {})
        self._tokens: dict[tuple[bool, bool], Document] = {}

    def public(self, state: State) -> Document:
        """What everybody may see."""
        document: Document = {
            "round": state.round,
            "phase": state.phase,
            "step": state.step,
            "areas": self._all_areas(state),
            "houses": self._all_houses(state),
            "tracks": self._all_tracks(state),
            "tokens": self._sides(state),
            "threat": state.threat,
            "westeros": self._list("westeros", state.westeros),
            "restrictions": self._list("restrictions", state.restrictions),
            "combat": combat(state, state.combat) if state.combat else {},
            "waiting": state.waiting,
            "result": _result(state.result) if state.result else {},
        }
        return {name: part for name, part in document.items() if part}

    def you(self, state: State, house: str) -> Document:
        """A seat's own part: its prompt, its answer while that is secret, its plans."""
        prompt, sealed = state.prompts.get(house), state.sealed.get(house)
        plans = (
            {area: plan for area, plan in state.plans.items() if state.areas[area].house == house}
            if state.plans
            else {}
        )
        tide = state.combat.drawn.get(house) if state.combat else None
        sources = (prompt, sealed, plans, tide, state.dropped.get(house))
        old = self._seats.get(house)
        if old and old[0] == sources:
            return old[1]
        document: Document = {"house": house}
        if prompt:
            document["prompt"] = to_builtins(prompt)
        if isinstance(sealed, PlaceOrders):
            document["orders"] = dict(sealed.orders)
            plans = sealed.plans
        elif sealed:
            document["answer"] = to_builtins(sealed)
        if plans:
            document["plans"] = to_builtins(plans)
        if tide:
            document["tide"] = tide
        if house in state.dropped:
            document["note"] = state.dropped[house]
        self._seats[house] = (sources, document)
        return document

    def _list(self, name: str, items: tuple[str, ...]) -> list[str]:
        old = self._lists.get(name)
        if old and old[0] is items:
            return old[1]
        self._lists[name] = (items, list(items))
        return self._lists[name][1]

    def _all_tracks(self, state: State) -> Document:
        lists = [self._list(track, order) for track, order in state.tracks.items()]
        if any(one is not other for one, other in zip(lists, self._tracks[0], strict=False)) or not self._tracks[0]:
            self._tracks = (lists, dict(zip(state.tracks, lists, strict=True)))
        return self._tracks[1]

    def _sides(self, state: State) -> Document:
        sides = (state.blade_ready, state.raven_ready)
        if sides not in self._tokens:
            self._tokens[sides] = {"blade": _side(sides[0]), "raven": _side(sides[1])}
        return self._tokens[sides]

    def _all_areas(self, state: State) -> Document:
        ready = frozenset(h for h, answer in state.sealed.items() if isinstance(answer, PlaceOrders))
        known, turned = self._areas, ready ^ self._hiding
        changed = [
            area
            for area, here in state.areas.items()
            if known.get(area) is not here or (turned and here.house in turned)
        ]
        if changed:
            parts = self._shown_areas | {area: _area(state, area, state.areas[area].house in ready) for area in changed}
            self._areas, self._hiding = state.areas, ready
            self._shown_areas = {area: part for area in state.areas if (part := parts.get(area))}
        return self._shown_areas

    def _all_houses(self, state: State) -> Document:
        changed = False
        for house, has in state.houses.items():
            old = self._houses.get(house)
            if old and old[0] is has:
                continue
            self._houses[house] = (has, _house(has))
            changed = True
        if changed:
            self._shown_houses = {house: part for house, (_, part) in self._houses.items()}
        return self._shown_houses


def _side(ready: bool) -> str:
    return "ready" if ready else "used"


def _area(state: State, area: str, hidden: bool) -> Document:
    """An area as everybody sees it. While a house's orders are secret all its areas show one, wherever it laid them."""
    here = state.areas[area]
    if here is EMPTY and not AREAS[area].home_of:
        return {}
    part: Document = {}
    if owner := controller(state, area):
        part["owner"] = owner
    if here.units:
        part["units"] = here.units
    if here.routed:
        part["routed"] = here.routed
    if order := "hidden" if hidden else here.order:
        part["order"] = order
    if here.power:
        part["power"] = here.power
    if here.garrison:
        part["garrison"] = here.garrison
    if here.neutral:
        part["neutral"] = here.neutral
    return part


def _house(has: House) -> Document:
    part = {"power": has.power, "supply": has.supply, "hand": list(has.hand), "discard": list(has.discard)}
    return {name: value for name, value in part.items() if value}


def _result(result: Result) -> Document:
    return {"winner": result.winner, "reason": result.reason, "standing": list(result.standing)}


def combat(state: State, fight: Combat) -> Document:
    """The combat with both sums, part by part."""
    part: Document = {
        "attacker": fight.attacker,
        "defender": fight.defender,
        "area": fight.area,
        "from": fight.origin,
        "order": fight.order,
        "stage": fight.stage,
        "units": fight.army,
        "support": {h: side for h, side in fight.sides.items() if h not in (fight.attacker, fight.defender)},
        "cards": fight.cards,
        "tides": fight.tides,
        "winner": fight.winner,
        "strength": {
            fight.side(house): _sum(list(fight.final.get(house) or strength.parts(state, house)))
            for house in (fight.attacker, fight.defender)
        },
    }
    return {name: value for name, value in part.items() if value}


def _sum(parts: list[strength.Part]) -> Document:
    return {"total": strength.total(parts), "parts": [list(p) for p in parts]}
