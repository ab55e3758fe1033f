"""Shapes that want a place on the board, as groups of discs (dx, dy, radius): names with their icons, units, ports."""

import math
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from server.game.board import AreaFacts
from server.web.drawing.curves import Floats
from server.web.drawing.sketch import LETTER, LINE, RADIUS


class Title(NamedTuple):
    """A way to set a name and the icons of its area: its rows, discs (those of the name first), and how little it is liked."""

    rows: list[str]
    discs: Floats
    letters: int
    dislike: float


def wrap(name: str) -> list[list[str]]:
    """Ways to set a name in one, two or three lines."""
    words = name.split()
    ways = [[name]]
    for cut in range(1, len(words)):
        ways.append([" ".join(words[:cut]), " ".join(words[cut:])])
    for a, b in combinations(range(1, len(words)), 2):
        ways.append([" ".join(words[:a]), " ".join(words[a:b]), " ".join(words[b:])])
    best: dict[int, list[str]] = {}
    for way in ways:
        n = len(way)
        if n not in best or max(map(len, way)) < max(map(len, best[n])):
            best[n] = way
    if len(name) > 13:
        best.pop(1)
    return [way for n, way in best.items() if n < 3 or len(name) > 15]


def font_size(facts: AreaFacts, room: float) -> float:
    """The size of a name: one size for lands, seas by how much room they have."""
    if facts.kind == "land":
        return 14.0
    return 21.0 if room > 100_000 else 18.0 if room > 60_000 else 15.0


def _letters(rows: list[str], size: float) -> Floats:
    discs = []
    for k, row in enumerate(rows):
        y = (k - (len(rows) - 1) / 2) * size * LINE
        half, r = len(row) * size * LETTER / 2, size * 0.52
        n = max(2, math.ceil(half * 2 / (size * 0.62)))
        discs += [(x, y, r) for x in np.linspace(-half + r * 0.5, half - r * 0.5, n)]
    return np.array(discs)


def titles(facts: AreaFacts, size: float) -> list[Title]:
    """Ways to set a name with its castle, barrels and crowns."""
    castle = [RADIUS["structure"]] if facts.structure != "none" else []
    radii = castle + [RADIUS["icon"]] * (facts.barrels + facts.crowns) if facts.kind == "land" else []
    found = []
    for w, rows in enumerate(wrap(facts.name)):
        name = _letters(rows, size)
        half_height = len(rows) * LINE * size / 2
        half_width = max(map(len, rows)) * size * LETTER / 2
        if not radii:
            found.append(Title(rows, name, len(name), 1.5 * w))
            continue
        length = sum(radii) * 2 + 2 * (len(radii) - 1)
        along, t = [], -length / 2
        for q in radii:
            along.append((t + q, q))
            t += 2 * q + 2
        tallest = max(radii) - 1
        beside = half_width + length / 2 + 4
        settings = (
            ([(u, half_height + tallest + 1, q) for u, q in along], 0),
            ([(u + beside, 0, q) for u, q in along], 3),
            ([(u - beside, 0, q) for u, q in along], 8),
            ([(u, -half_height - tallest - 1, q) for u, q in along], 5),
            ([(half_width + tallest + 4, u, q) for u, q in along], 8),
        )
        for icons, dislike in settings:
            both = np.vstack([name, np.array(icons)])
            both[:, :2] -= [(both[:, axis].min() + both[:, axis].max()) / 2 for axis in (0, 1)]
            found.append(Title(rows, both, len(name), dislike + 1.5 * w))
    return found


def one(radius: float) -> Floats:
    """A single disc."""
    return np.array([(0, 0, radius)])


def _grid(columns: int, rows: int, r: float) -> Floats:
    d = 2 * r + 1.0
    return np.array(
        [((c - (columns - 1) / 2) * d, (k - (rows - 1) / 2) * d, r) for k in range(rows) for c in range(columns)]
    )


def _stagger(rows: tuple[int, ...], r: float) -> Floats:
    d = 2 * r + 1
    return np.array(
        [((c - (n - 1) / 2) * d, (k - (len(rows) - 1) / 2) * d * 0.87, r) for k, n in enumerate(rows) for c in range(n)]
    )


def _flower(r: float) -> Floats:
    d = 2 * r + 1
    ring = [(d * math.sin(2 * math.pi * k / 5), -d * math.cos(2 * math.pi * k / 5), r) for k in range(5)]
    return np.array([(0, 0, r), *ring])


_R: Final = RADIUS["unit"]
UNITS: Final = (
    (_grid(3, 2, _R), 0.0),
    (_grid(2, 3, _R), 1.5),
    (_flower(_R), 9.0),
    (_stagger((1, 2, 3), _R), 11.0),
    (_stagger((3, 2, 1), _R), 11.0),
    (_grid(6, 1, _R), 13.0),
    (_grid(1, 6, _R), 14.0),
)
"""Ways to place six units, and how little each is liked."""
TURNS: Final = 12


def harbours() -> list[Floats]:
    """A port's order with its three ships around it, in so many turns."""
    reach = RADIUS["port_order"] + RADIUS["port_unit"] + 1
    found = []
    for turn in range(TURNS):
        a = turn * 2 * math.pi / TURNS
        ships = [(reach * math.cos(a + b), reach * math.sin(a + b), RADIUS["port_unit"]) for b in (-0.85, 0.0, 0.85)]
        found.append(np.array([(0, 0, RADIUS["port_order"]), *ships]))
    return found
