"""Views and answers as numbers. The layout is part of the interface: it changes only with `LAYOUT_VERSION`.

**An observation** is a vector of `SIZE` numbers from 0 to 1, seen from a seat: houses come in the order (seat, then the
others as in base_game.json); an absent house is all 0. One after another:

- the 58 areas by id, `AREA` numbers each: owner (6), standing units (4, by tenths), routed units (4), order (11), hidden order
  (1), power token (6), garrison and neutral force (by tenths), a neutral force that cannot be beaten (1);
- the 6 houses, `HOUSE` each: power (by twentieths), supply (by sixths), place on the three tracks (1 for the first), cards in
  hand (7) and in the discard pile (7) in the order of the house;
- `GENERAL`: round, threat, Blade and Raven ready, restrictions (5), phase (4), the question (`KINDS`);
- the combat, `COMBAT`: attacker (6), defender (6), area (58), both sums (by twentieths).

**A candidate** is a vector of `CANDIDATE` numbers: the type of answer (10), for every area what happens there (58: the number
of the order by elevenths, strength that comes or goes by tenths, 1 for an area named), the house card (42), another option
(`WORDS`), power (by twentieths), and whether a token is left.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from protocol.answers import AnyAnswer, Bid, Choose, Consolidate, March, Muster, PlaceOrders, Raid, Rank, Raven, Remove
from server.game.board import AREAS, CARDS, HOUSES, MAX_POWER, ORDERS, ROUNDS, TRACKS, UNITS

LAYOUT_VERSION = 1
Vector = NDArray[np.float32]

KINDS = (
    *("place_orders", "raven", "wildling_card", "raid", "march", "support", "house_card", "ability", "blade"),
    *("casualties", "retreat", "port", "consolidate", "muster", "reconcile", "bid", "rank", "westeros", "wildlings"),
)
RESTRICTIONS = ("defense", "march-plus-1", "support", "raid", "consolidate_power")
PHASES = ("westeros", "planning", "action", "over")
TYPES = (PlaceOrders, Raven, Raid, March, Consolidate, Muster, Bid, Rank, Remove, Choose)
WORDS = (
    *("attacker", "defender", "none", "use", "pass", "redraw", "look", "replace", "top", "bottom", "units", "track"),
    *(*TRACKS, "supply", "mustering", "clash-of-kings", "game-of-thrones", "storm-of-swords", "rains-of-autumn"),
    *("standing", "routed", "0", "1", "2", "3", *HOUSES),
)

_AREA = {area: n for n, area in enumerate(AREAS)}
_ORDER = {order: n for n, order in enumerate(ORDERS)}
_CARD = {card: n for n, card in enumerate(CARDS)}
_WORD = {word: n for n, word in enumerate(WORDS)}
_UNITS = tuple(UNITS)

AREA = len(HOUSES) + 2 * len(UNITS) + len(ORDERS) + 1 + len(HOUSES) + 3
HOUSE = 2 + len(TRACKS) + 14
GENERAL = 4 + len(RESTRICTIONS) + len(PHASES) + len(KINDS)
COMBAT = 2 * len(HOUSES) + len(AREAS) + 2
SIZE = len(AREAS) * AREA + len(HOUSES) * HOUSE + GENERAL + COMBAT
CANDIDATE = len(TYPES) + len(AREAS) + len(CARDS) + len(WORDS) + 2


def observation(view: dict[str, Any], seat: str) -> Vector:
    """What a seat's document shows, as numbers."""
    houses = {house: n for n, house in enumerate([seat, *(h for h in HOUSES if h != seat)])}
    at = np.zeros(SIZE, dtype=np.float32)
    for area, part in view["areas"].items():
        start = _AREA[area] * AREA
        _area(at[start : start + AREA], part, houses)
    place = len(AREAS) * AREA
    for house, part in view["houses"].items():
        start = place + houses[house] * HOUSE
        _house(at[start : start + HOUSE], house, part, view["tracks"])
    place += len(HOUSES) * HOUSE
    _general(at[place : place + GENERAL], view)
    if combat := view.get("combat"):
        _combat(at[place + GENERAL :], combat, houses)
    return at


def _area(at: Vector, part: dict[str, Any], houses: dict[str, int]) -> None:
    n = len(HOUSES)
    if owner := part.get("owner"):
        at[houses[owner]] = 1
    for routed, units in enumerate((part.get("units", {}), part.get("routed", {}))):
        for unit, count in units.items():
            at[n + 4 * routed + _UNITS.index(unit)] = count / 10
    n += 8
    if order := part.get("order"):
        at[n + _ORDER.get(order, len(ORDERS))] = 1
    n += len(ORDERS) + 1
    if power := part.get("power"):
        at[n + houses[power]] = 1
    n += len(HOUSES)
    at[n] = part.get("garrison", 0) / 10
    neutral = part.get("neutral", 0)
    at[n + 1] = 0 if neutral == "~" else neutral / 10
    at[n + 2] = neutral == "~"


def _house(at: Vector, house: str, part: dict[str, Any], tracks: dict[str, list[str]]) -> None:
    at[0], at[1] = part.get("power", 0) / MAX_POWER, part.get("supply", 0) / 6
    for n, track in enumerate(TRACKS):
        at[2 + n] = 1 - tracks[track].index(house) / len(HOUSES)
    cards = HOUSES[house].cards
    for n, pile in enumerate(("hand", "discard")):
        for card in part.get(pile, ()):
            at[5 + 7 * n + cards.index(card)] = 1


def _general(at: Vector, view: dict[str, Any]) -> None:
    at[:4] = (
        view["round"] / ROUNDS,
        view.get("threat", 0) / 12,
        view["tokens"]["blade"] == "ready",
        view["tokens"]["raven"] == "ready",
    )
    n = 4
    for restriction in view.get("restrictions", ()):
        at[n + RESTRICTIONS.index(restriction)] = 1
    n += len(RESTRICTIONS)
    at[n + PHASES.index(view["phase"])] = 1
    n += len(PHASES)
    if prompt := view.get("you", {}).get("prompt"):
        at[n + KINDS.index(prompt["kind"])] = 1


def _combat(at: Vector, combat: dict[str, Any], houses: dict[str, int]) -> None:
    at[houses[combat["attacker"]]] = 1
    at[len(HOUSES) + houses[combat["defender"]]] = 1
    at[2 * len(HOUSES) + _AREA[combat["area"]]] = 1
    for n, side in enumerate(("attacker", "defender")):
        at[-2 + n] = min(1.0, combat["strength"][side]["total"] / 20)


def candidate(answer: AnyAnswer) -> Vector:
    """An answer as numbers."""
    at = np.zeros(CANDIDATE, dtype=np.float32)
    at[TYPES.index(type(answer))] = 1
    areas = at[len(TYPES) : len(TYPES) + len(AREAS)]
    cards = at[len(TYPES) + len(AREAS) : -len(WORDS) - 2]
    words = at[-len(WORDS) - 2 : -2]
    match answer:
        case PlaceOrders(orders=orders):
            for area, order in orders.items():
                areas[_AREA[area]] = (1 + _ORDER[order]) / len(ORDERS)
        case Raven(use=use, area=area, order=order):
            words[_WORD[use]] = 1
            if area and order:
                areas[_AREA[area]] = (1 + _ORDER[order]) / len(ORDERS)
        case Raid(from_=from_, target=target):
            areas[_AREA[from_]] = 1
            if target:
                areas[_AREA[target]] = -1
        case March(from_=from_, moves=moves, leave_power=token):
            for move in moves:
                force = _force(move.units)
                areas[_AREA[move.to]] += force
                areas[_AREA[from_]] -= force
            at[-1] = token
        case Consolidate(from_=from_, muster=muster):
            areas[_AREA[from_]] = 1
            _recruits(areas, muster or [])
        case Muster(recruits=recruits):
            _recruits(areas, recruits)
        case Bid(power=power):
            at[-2] = power / MAX_POWER
        case Rank(houses=houses):
            for n, house in enumerate(houses):
                words[_WORD[house]] = 1 - n / len(HOUSES)
        case Remove(units=units):
            for area, lost in units.items():
                areas[_AREA[area]] = -_force(lost)
        case Choose(option=option):
            for numbers, places in ((areas, _AREA), (cards, _CARD), (words, _WORD)):
                if option in places:
                    numbers[places[option]] = 1
    return at


def _force(units: Any) -> float:
    """The units by what they cost, in tenths."""
    return float(sum(UNITS[unit].cost * n for unit, n in units.items())) / 10


def _recruits(areas: Vector, recruits: Any) -> None:
    for recruit in recruits:
        areas[_AREA[recruit.to or recruit.at]] += (
            UNITS[recruit.unit].upgrade if recruit.upgrade else UNITS[recruit.unit].cost
        ) / 10
