"""Finds places for everything that an area shows, so that nothing overlaps: by simulated annealing on discs."""

import math
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
import shapely
from shapely.geometry import Polygon

from server.game.board import AreaFacts
from server.web.drawing import titles
from server.web.drawing.curves import Floats, seeded
from server.web.drawing.sketch import HEIGHT, RADIUS, WIDTH

RIM: Final = 10.0
"""Nothing is placed closer to the sheet's edge."""
MARGIN: Final = 5.0
"""How far things should stay from the border of their area."""
STEPS: Final = 8000
HARD: Final = 0.6
"""The cost of a unit of overlap, squared."""
TIES: Final = {
    ("title", "units"): (56, 0.12),
    ("units", "order"): (66, 0.2),
    ("order", "power"): (36, 0.16),
    ("title", "garrison"): (58, 0.12),
}
"""What belongs together: how far apart it may be, and the pull beyond that."""

Disc = tuple[float, float, float]


class Berth(NamedTuple):
    """A port whose ships and order lie in a sea: where they should be, and the way out to sea in degrees."""

    port: str
    x: float
    y: float
    angle: float


class Piece(NamedTuple):
    """Something to place: its forms (each a group of discs) with how little they are liked, where it wants to be."""

    name: str
    forms: list[Floats]
    dislikes: list[float]
    home: tuple[float, float]
    pull: float


class Room:
    """The free space of an area: how deep inside it any place is."""

    def __init__(self, outline: Polygon, step: float = 3.0) -> None:
        x0, y0, x1, y1 = outline.bounds
        self._x0, self._y0, self._step = x0, y0, step
        mx, my = np.meshgrid(np.arange(x0, x1 + step, step), np.arange(y0, y1 + step, step))
        points = shapely.points(mx.ravel(), my.ravel())
        shapely.prepare(outline)
        inside = shapely.contains(outline, points)
        depth = shapely.distance(outline.boundary, points)
        rim = np.minimum.reduce([mx, WIDTH - mx, my, HEIGHT - my]).ravel() - RIM
        depth = np.minimum(depth, np.abs(rim))
        self._depth: Floats = np.where(inside & (rim > 0), depth, -depth).reshape(mx.shape)

    def at(self, x: Floats, y: Floats) -> Floats:
        """How deep inside places are (negative outside)."""
        height, width = self._depth.shape
        i = np.clip(np.rint((y - self._y0) / self._step).astype(int), 0, height - 1)
        j = np.clip(np.rint((x - self._x0) / self._step).astype(int), 0, width - 1)
        found: Floats = self._depth[i, j]
        return found

    def depth(self, x: float, y: float) -> float:
        """The same of a single place."""
        return float(self.at(np.array([x]), np.array([y]))[0])

    def deepest(self) -> tuple[float, float]:
        """The place farthest from the border."""
        i, j = np.unravel_index(np.argmax(self._depth), self._depth.shape)
        return self._x0 + j * self._step, self._y0 + i * self._step


class Area:
    """An area with the pieces that it must find room for. `fixed` are discs to keep clear of."""

    def __init__(self, facts: AreaFacts, outline: Polygon, fixed: list[Disc], berths: list[Berth]) -> None:
        self.facts = facts
        self.outline = outline
        self.fixed = np.array(fixed, float).reshape(-1, 3)
        self.room = Room(outline, 3.0 if outline.area < 90_000 else 4.0)
        self.size = titles.font_size(facts, outline.area)
        self.titles = titles.titles(facts, self.size)
        self.toward = {berth.port: math.radians(berth.angle) for berth in berths}
        self.pieces = self._pieces(berths)
        self.pad = 2.5 if outline.area < 60_000 else 6.0
        names = [piece.name for piece in self.pieces]
        self.ties = {(names.index(a), names.index(b)): tie for (a, b), tie in TIES.items() if a in names and b in names}

    def _pieces(self, berths: list[Berth]) -> list[Piece]:
        x, y = self.room.deepest()
        if self.outline.area < 60_000:
            middle = self.outline.centroid
            x, y = (x + middle.x) / 2, (y + middle.y) / 2
        pieces = [
            Piece("title", [t.discs for t in self.titles], [t.dislike for t in self.titles], (x, y - 34), 0.12),
            Piece("units", [form for form, _ in titles.UNITS], [d for _, d in titles.UNITS], (x - 10, y + 18), 0.10),
            Piece("order", [titles.one(RADIUS["order"])], [0], (x + 48, y + 14), 0.10),
        ]
        if self.facts.kind == "land":
            pieces.append(Piece("power", [titles.one(RADIUS["power"])], [0], (x + 46, y + 46), 0.05))
            pieces.append(Piece("garrison", [titles.one(RADIUS["garrison"])], [0], (x - 56, y), 0.05))
        for berth in berths:
            fan = [
                9 * (1 - math.cos(k * 2 * math.pi / titles.TURNS - self.toward[berth.port]))
                for k in range(titles.TURNS)
            ]  # ships fan out to sea
            pieces.append(Piece(berth.port, titles.harbours(), fan, (berth.x, berth.y), 1.6))
        return pieces

    def alone(self, k: int, at: Floats, form: int) -> float:
        """What a piece costs by where it is."""
        piece = self.pieces[k]
        discs = piece.forms[form]
        x, y, r = at[0] + discs[:, 0], at[1] + discs[:, 1], discs[:, 2]
        out = np.maximum(0, r + MARGIN - self.room.at(x, y))
        cost = float((out**2).sum()) * HARD
        if len(self.fixed):
            gap = np.hypot(x[:, None] - self.fixed[None, :, 0], y[:, None] - self.fixed[None, :, 1])
            over = np.maximum(0, r[:, None] + self.fixed[None, :, 2] + 1 - gap)
            cost += float((over**2).sum()) * HARD
        away = math.hypot(at[0] - piece.home[0], at[1] - piece.home[1])
        return cost + piece.pull * away + piece.dislikes[form]

    def together(self, a: int, at_a: Floats, form_a: int, b: int, at_b: Floats, form_b: int) -> float:
        """What two pieces cost by where they are to each other."""
        first, second = self.pieces[a].forms[form_a], self.pieces[b].forms[form_b]
        gx = (at_a[0] + first[:, 0])[:, None] - (at_b[0] + second[:, 0])[None, :]
        gy = (at_a[1] + first[:, 1])[:, None] - (at_b[1] + second[:, 1])[None, :]
        over = np.maximum(0, first[:, 2][:, None] + second[:, 2][None, :] + self.pad - np.hypot(gx, gy))
        cost = float((over**2).sum()) * HARD
        rest, pull = self.ties.get((a, b)) or self.ties.get((b, a)) or (0, 0)
        if pull:
            cost += pull * max(0.0, math.hypot(at_a[0] - at_b[0], at_a[1] - at_b[1]) - rest)
        if {a, b} == {0, 1}:  # the name stands above the units
            top, low = (at_a, at_b) if a == 0 else (at_b, at_a)
            cost += 0.15 * max(0.0, top[1] - low[1] + 25)
        return cost


class Found(NamedTuple):
    """Where the pieces of an area are and in which form."""

    at: Floats
    forms: list[int]
    cost: float


def arrange(area: Area) -> Found:
    """The best of several attempts."""
    rng = seeded("place " + area.facts.id)
    attempts = [_attempt(area, rng) for _ in range(14 if area.outline.area < 20_000 else 8)]
    return min(attempts, key=lambda found: found.cost)


def _attempt(area: Area, rng: np.random.Generator) -> Found:
    pieces, n = area.pieces, len(area.pieces)
    at = np.array([piece.home for piece in pieces]) + rng.normal(0, 15, (n, 2))
    form = [int(rng.integers(len(p.forms))) if p.name.startswith("port") else 0 for p in pieces]
    alone = [area.alone(k, at[k], form[k]) for k in range(n)]
    pairs = np.zeros((n, n))
    for a, b in combinations(range(n), 2):
        pairs[a, b] = pairs[b, a] = area.together(a, at[a], form[a], b, at[b], form[b])
    for step in range(STEPS):
        heat = 1 - step / STEPS
        k = int(rng.integers(n))
        new, turned = at[k] + rng.normal(0, 2 + 34 * heat**2, 2), form[k]
        if rng.random() < 0.25:
            turned = int(rng.integers(len(pieces[k].forms)))
        if rng.random() < 0.08:
            new = at[int(rng.integers(n))] + rng.normal(0, 6, 2)
        cost = area.alone(k, new, turned)
        row = np.array([0.0 if j == k else area.together(k, new, turned, j, at[j], form[j]) for j in range(n)])
        change = cost - alone[k] + row.sum() - pairs[k].sum()
        if change < 0 or rng.random() < math.exp(-change / (0.02 + 25 * heat**3)):
            at[k], form[k], alone[k] = new, turned, cost
            pairs[k, :] = pairs[:, k] = row
            pairs[k, k] = 0
    return Found(at, form, sum(alone) + float(pairs.sum()) / 2)


def place(area: Area) -> tuple[dict[str, Any], dict[str, dict[str, Any]], list[Disc]]:
    """The places of an area as they are written down, those of the ports in its water, and the discs they take up."""
    found = arrange(area)
    shown: dict[str, Any] = {"label": None, "units": None, "order": None, "power": None, "garrison": None}
    shown |= {"structure": None, "barrels": [], "crowns": []}
    ports: dict[str, dict[str, Any]] = {}
    taken: list[Disc] = []
    for piece, at, form in zip(area.pieces, found.at, found.forms, strict=True):
        discs = piece.forms[form]
        taken += [(float(at[0] + dx), float(at[1] + dy), float(r)) for dx, dy, r in discs]
        spots = [[round(float(at[0] + dx), 1), round(float(at[1] + dy), 1)] for dx, dy, _ in discs]
        if piece.name == "title":
            shown |= _title(area, area.titles[form], at, spots)
        elif piece.name == "units":
            mx, my = np.mean(spots, axis=0)
            shown["units"] = sorted(spots, key=lambda p: round(math.hypot(p[0] - mx, p[1] - my), 1))
        elif piece.name in area.toward:
            ports[piece.name] = {"order": spots[0], "units": spots[1:]}
        else:
            shown[piece.name] = spots[0]
    return shown, ports, [*taken, *((float(x), float(y), float(r)) for x, y, r in area.fixed)]


def _title(area: Area, title: titles.Title, at: Floats, spots: list[list[float]]) -> dict[str, Any]:
    name = title.discs[: title.letters]
    x, y = (name[:, 0].min() + name[:, 0].max()) / 2, name[:, 1].mean()
    icons = spots[title.letters :]
    shown: dict[str, Any] = {
        "label": {
            "x": round(float(at[0] + x), 1),
            "y": round(float(at[1] + y), 1),
            "lines": title.rows,
            "size": area.size,
        }
    }
    if area.facts.kind == "land" and area.facts.structure != "none":
        shown["structure"] = icons.pop(0)
    return shown | {"barrels": icons[: area.facts.barrels], "crowns": icons[area.facts.barrels :]}
