"""The facts of the base game as printed on the board, the tokens and the cards; made once from data/base_game.json."""

import json
from collections.abc import Iterable
from importlib import resources
from typing import Any

from msgspec import Struct


class AreaFacts(Struct, frozen=True):
    """An area as printed. `kind` is land, sea or port; `structure` none, castle or stronghold."""

    id: str
    name: str
    kind: str
    barrels: int
    crowns: int
    structure: str
    home_of: str
    port_of: str
    sea: str
    points: int
    """Mustering points: castle 1, stronghold 2 (MUS-1)."""


class UnitFacts(Struct, frozen=True):
    """A kind of unit: its strength, what it counts against a structure (CMB-3), its costs (MUS-2) and its limit."""

    strength: int
    siege: int
    cost: int
    upgrade: int
    limit: int
    at_sea: bool


class OrderFacts(Struct, frozen=True):
    """An order token; `kind` is march, defense, support, raid or consolidate_power."""

    id: str
    kind: str
    modifier: int
    starred: bool
    count: int


class CardFacts(Struct, frozen=True):
    """A house card as printed."""

    id: str
    name: str
    house: str
    strength: int
    swords: int
    fortifications: int


class HouseFacts(Struct, frozen=True):
    """A house as it begins."""

    id: str
    name: str
    home: str
    supply: int
    units: dict[str, dict[str, int]]
    garrison: int
    cards: tuple[str, ...]


class SetupFacts(Struct, frozen=True):
    """The set-up for a number of players (SET-1 to SET-6); a `~` token is the string itself."""

    houses: tuple[str, ...]
    neutral: dict[str, int | str]
    tracks: dict[str, tuple[str, ...]]
    stars: tuple[int, ...]
    units: dict[str, dict[str, dict[str, int]]]
    """By house, area and unit."""


class TideFacts(Struct, frozen=True):
    """A Tides of Battle card."""

    id: str
    strength: int
    swords: int
    fortifications: int
    skulls: int


_BASE = json.loads(resources.files("server.game").joinpath("data/base_game.json").read_text(encoding="utf-8"))

ROUNDS: int = _BASE["game"]["rounds"]
STRUCTURES_TO_WIN: int = _BASE["game"]["victory_threshold"]
START_THREAT: int = _BASE["game"]["starting_wildling_threat"]
MAX_THREAT: int = _BASE["game"]["wildling_track"][-1]
THREAT_STEP: int = _BASE["game"]["wildling_step"]
THREAT_RETREAT: int = _BASE["game"]["wildling_retreat_after_wildling_victory"]
SECOND_ATTACK: int = _BASE["game"]["preemptive_raid_strength"]
START_POWER: int = _BASE["game"]["starting_power"]
MAX_POWER: int = _BASE["game"]["max_power_per_house"]
MAX_SUPPLY: int = _BASE["game"]["max_supply"]
PORT_ROOM: int = _BASE["game"]["port_capacity"]
SUPPLY_LIMITS: tuple[tuple[int, ...], ...] = tuple(tuple(row) for row in _BASE["supply_table"])

TRACKS = ("iron_throne", "fiefdoms", "kings_court")

AREAS: dict[str, AreaFacts] = {
    a["id"]: AreaFacts(
        id=a["id"],
        name=a["name"],
        kind=a["kind"],
        barrels=a["barrels"],
        crowns=a["crowns"],
        structure=a["structure"],
        home_of=a["home_of"] or "",
        port_of=a["port_of"] or "",
        sea=a["sea"] or "",
        points={"none": 0, "castle": 1, "stronghold": 2}[a["structure"]],
    )
    for a in sorted(_BASE["areas"], key=lambda a: a["id"])
}
UNITS: dict[str, UnitFacts] = {
    unit: UnitFacts(
        strength=u["strength"],
        siege=u.get("strength_attacking_castle_or_stronghold", u["strength"]),
        cost=u["muster_cost"],
        upgrade=u.get("upgrade_from_footman_cost", 0),
        limit=u["limit"],
        at_sea=u["moves_on"] == "sea",
    )
    for unit, u in _BASE["units"].items()
}
ORDERS: dict[str, OrderFacts] = {
    o["id"]: OrderFacts(o["id"], o["kind"], o["modifier"], o["special"], o["count"]) for o in _BASE["orders"]
}
HOUSES: dict[str, HouseFacts] = {
    h["id"]: HouseFacts(
        id=h["id"],
        name=h["name"],
        home=h["home"],
        supply=h["starting_supply"],
        units=h["starting_units"],
        garrison=h["garrison"]["strength"],
        cards=tuple(c["id"] for c in h["house_cards"]),
    )
    for h in _BASE["houses"]
}
CARDS: dict[str, CardFacts] = {
    c["id"]: CardFacts(c["id"], c["name"], h["id"], c["strength"], c["swords"], c["fortifications"])
    for h in _BASE["houses"]
    for c in h["house_cards"]
}
CARD_ORDER: dict[str, int] = {card: n for n, card in enumerate(CARDS)}
TIDES: dict[str, TideFacts] = {
    c["id"]: TideFacts(c["id"], c["strength"], c["swords"], c["fortifications"], c["skulls"])
    for c in _BASE["tides_of_battle"]["cards"]
}


def _deck(cards: Iterable[dict[str, int | str]]) -> tuple[str, ...]:
    return tuple(str(c["id"]) for c in cards for _ in range(int(c["count"])))


DECKS: dict[str, tuple[str, ...]] = {
    "westeros_1": _deck(_BASE["westeros_decks"]["I"]),
    "westeros_2": _deck(_BASE["westeros_decks"]["II"]),
    "westeros_3": _deck(_BASE["westeros_decks"]["III"]),
    "wildling": _deck(_BASE["wildling_deck"]),
    "tides": _deck(_BASE["tides_of_battle"]["cards"]),
}
DECK_CARD_NAMES: dict[str, str] = {
    c["id"]: c["name"] for deck in (*_BASE["westeros_decks"].values(), _BASE["wildling_deck"]) for c in deck
}
"""The names of Westeros and wildling cards."""
WILDLING_ICONS: frozenset[str] = frozenset(
    c["id"] for deck in _BASE["westeros_decks"].values() for c in deck if c["wildling_icon"]
)


def _setup(setup: dict[str, Any]) -> SetupFacts:
    houses = tuple(setup["houses"])
    units = {house: {area: dict(u) for area, u in HOUSES[house].units.items()} for house in houses}
    for gone in setup["removed_units"]:
        units[gone["house"]].pop(gone["area"])
    return SetupFacts(
        houses=houses,
        neutral={n["area"]: n["strength"] or "~" for n in setup["neutral_forces"]},
        tracks={track: tuple(order) for track, order in setup["tracks"].items()},
        stars=tuple(setup["starred_order_limits"]),
        units=units,
    )


SETUPS: dict[int, SetupFacts] = {int(n): _setup(setup) for n, setup in _BASE["setups"].items()}


def _neighbours() -> dict[str, list[str]]:
    near: dict[str, list[str]] = {area: [] for area in AREAS}
    for a, b in _BASE["adjacency"]:
        near[a].append(b)
        near[b].append(a)
    return {area: sorted(near[area]) for area in near}


NEXT: dict[str, tuple[str, ...]] = {area: tuple(near) for area, near in _neighbours().items()}


def _next(kind: str) -> dict[str, tuple[str, ...]]:
    return {area: tuple(n for n in near if AREAS[n].kind == kind) for area, near in NEXT.items()}


NEXT_LAND = _next("land")
NEXT_SEA = _next("sea")
NEXT_PORT = _next("port")
PORT_OF: dict[str, str] = {a.port_of: a.id for a in AREAS.values() if a.port_of}
"""The port of a land area that has one."""
LAND: tuple[str, ...] = tuple(a.id for a in AREAS.values() if a.kind == "land")
PORTS: tuple[str, ...] = tuple(a.id for a in AREAS.values() if a.kind == "port")
STRUCTURES: tuple[str, ...] = tuple(a.id for a in AREAS.values() if a.points)

SUPPORTED_FROM: dict[str, tuple[str, ...]] = {
    area: tuple(
        sorted((*NEXT_LAND[area], *NEXT_SEA[area]) if f.kind == "land" else (*NEXT_SEA[area], *NEXT_PORT[area]))
    )
    for area, f in AREAS.items()
    if f.kind != "port"
}
"""Where a support order may lie to help in an area (SUP-4)."""
RAIDED_FROM: dict[str, tuple[str, ...]] = {
    area: {"land": NEXT_LAND[area], "sea": NEXT[area], "port": NEXT_SEA[area]}[f.kind] for area, f in AREAS.items()
}
"""The areas that a raid order lying in an area may reach (RAI-3)."""
