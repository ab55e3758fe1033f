"""What is only there to be looked at: islets, mountains, trees; and shades for neighbours that differ."""

import math
from typing import Final

import numpy as np
from shapely.geometry import Polygon

from server.game.board import AREAS, NEXT
from server.web.drawing.curves import seeded
from server.web.drawing.places import Disc, Room

HILLS: Final = frozenset(
    [
        "lannisport",
        "riverrun",
        "stoney-sept",
        "the-mountains-of-the-moon",
        "the-eyrie",
        "the-fingers",
        "dragonstone",
        "pyke",
        "princes-pass",
        "dornish-marches",
        "the-boneway",
        "crackclaw-point",
    ]
)
"""Lands whose empty corners show hills rather than trees."""
ISLETS: Final[tuple[Disc, ...]] = (
    (126, 128, 24),
    (166, 152, 11),
    (950, 196, 13),
    (968, 216, 8),
    (888, 548, 11),
    (912, 562, 7),
    (70, 1012, 11),
    (50, 1036, 7),
    (236, 1772, 15),
    (268, 1794, 9),
    (700, 1850, 10),
    (726, 1862, 7),
)
COMPASS: Final[Disc] = (96, 1800, 62)

Mark = tuple[str, float, float, float]


def blob(x: float, y: float, size: float) -> list[list[float]]:
    """A small lumpy closed outline."""
    phase = seeded(f"blob {x} {y}").uniform(0, 2 * math.pi, 3)
    ring = []
    for a in np.linspace(0, 2 * math.pi, 22, endpoint=False):
        lumps = (
            0.22 * math.sin(2 * a + phase[0]) + 0.14 * math.sin(3 * a + phase[1]) + 0.08 * math.sin(5 * a + phase[2])
        )
        q = size * (1 + lumps)
        ring.append([round(x + q * math.cos(a) * 1.15, 1), round(y + q * math.sin(a) * 0.85, 1)])
    return ring


def peaks(outline: Polygon, name: str) -> list[list[float]]:
    """Places and sizes for little mountains inside a barrier, north first."""
    rng = seeded("peaks " + name)
    room = Room(outline, 2.0)
    x0, y0, x1, y1 = outline.bounds
    found: list[list[float]] = []
    for _ in range(1500):
        x, y = rng.uniform(x0, x1), rng.uniform(y0, y1)
        size = min(room.depth(x, y) * 0.95, 17)
        if size >= 6 and all(math.hypot(x - a, (y - b) * 1.3) > (size + c) * 0.95 for a, b, c in found):
            found.append([round(x, 1), round(y, 1), round(size, 1)])
    return sorted(found, key=lambda peak: peak[1])


def scatter(area: str, outline: Polygon, taken: list[Disc]) -> list[Mark]:
    """Little drawings for the empty corners of a land."""
    rng = seeded("scatter " + area)
    room = Room(outline)
    x0, y0, x1, y1 = outline.bounds
    found: list[Mark] = []
    for _ in range(700):
        x, y = rng.uniform(x0, x1), rng.uniform(y0, y1)
        size = round(float(rng.uniform(6, 9)), 1)
        if room.depth(x, y) < size + (1 if area == "the-fens" else 6):
            continue
        if any(math.hypot(x - a, y - b) < q + size + 3 for a, b, q in taken):
            continue
        if any(math.hypot(x - m[1], y - m[2]) < size + m[3] + 1 for m in found):
            continue
        found.append((_kind(area, y), round(x, 1), round(y, 1), size))
        if len(found) >= 4 + outline.area / 6000:
            break
    return sorted(found, key=lambda mark: mark[2])


def _kind(area: str, y: float) -> str:
    if area == "the-fens":
        return "reed"
    return "pine" if y < 560 else "dune" if y > 1480 else "hill" if area in HILLS else "tree"


def tints(kind: str, shades: int) -> dict[str, int]:
    """A number for each area of a kind, different between neighbours and evenly used."""
    areas = [a for a, facts in AREAS.items() if facts.kind == kind]
    chosen: dict[str, int] = {}

    def used(area: str) -> set[int]:
        return {chosen[near] for near in NEXT[area] if near in chosen}

    def fill() -> bool:
        rest = [area for area in areas if area not in chosen]
        if not rest:
            return True
        area = max(rest, key=lambda a: (len(used(a)), sum(AREAS[near].kind == kind for near in NEXT[a])))
        count = [list(chosen.values()).count(shade) for shade in range(shades)]
        for shade in sorted(set(range(shades)) - used(area), key=lambda s: count[s]):
            chosen[area] = shade
            if fill():
                return True
            del chosen[area]
        return False

    if not fill():
        raise ValueError(f"{shades} shades are too few for the {kind} areas")
    return chosen
