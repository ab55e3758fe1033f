"""What is wrong with a drawing of the board, judged from the drawing alone against the printed facts."""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

from server.game.board import AREAS, NEXT, PORTS
from server.web.drawing.sketch import LETTER, LINE, Place

SHORTEST: Final = 25.0
"""The shortest border that counts as visible."""
APART: Final = 6.0
"""How far apart areas must be that are not adjacent, so that they do not seem to touch."""

Ring = list[Place]
Segment = tuple[Place, Place]
Disc = tuple[Place, float, str]


def faults(layout: dict[str, Any]) -> list[str]:
    """Everything that is wrong, as sentences."""
    main = [area for area, facts in AREAS.items() if facts.kind != "port"]
    if set(layout["areas"]) != set(main) or set(layout["ports"]) != set(PORTS):
        return ["the drawing has other areas or ports than the game"]
    rings = {side: _rings(part) for side, part in layout["areas"].items()}
    walls = {part["id"]: _rings(part) for part in layout["barriers"]}
    found = [*_partition(rings | walls, layout["width"], layout["height"]), *_adjacency(rings)]
    found += [
        f"{a} and {b} are neighbours of the same tint"
        for a, b in combinations(main, 2)
        if b in NEXT[a] and layout["areas"][a]["tint"] == layout["areas"][b]["tint"]
        if AREAS[a].kind == AREAS[b].kind
    ]
    for area in main:
        found += _pieces(area, rings[area], layout)
    for port, part in layout["ports"].items():
        spot = (part["x"], part["y"])
        found += [f"{port} is not on the coast" for side in ("land", "sea") if _depth(spot, rings[part[side]]) > 1]
    return found


def _rings(part: dict[str, Any]) -> list[Ring]:
    return [[(x, y) for x, y in ring] for ring in part["rings"]]


def _segments(rings: list[Ring]) -> set[Segment]:
    """The sides of a polygon, each from its smaller end."""
    return {(min(a, b), max(a, b)) for ring in rings for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}


def _size(ring: Ring) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1], strict=True))) / 2


def _partition(every: dict[str, list[Ring]], width: float, height: float) -> Iterator[str]:
    """The polygons cover the sheet: each segment belongs to two of them or to the edge, and their sizes add up."""
    count: dict[Segment, int] = {}
    for rings in every.values():
        for segment in _segments(rings):
            count[segment] = count.get(segment, 0) + 1
    for (a, b), n in count.items():
        edge = any(a[k] == b[k] and a[k] in (0, end) for k, end in ((0, width), (1, height)))
        if n != (1 if edge else 2):
            yield f"the line from {a} to {b} belongs to {n} polygons"
    covered = sum(_size(rings[0]) - sum(map(_size, rings[1:])) for rings in every.values())
    if abs(covered - width * height) > 1:
        yield f"the polygons cover {covered:.0f} of {width * height}"


def _adjacency(rings: dict[str, list[Ring]]) -> Iterator[str]:
    """Areas share a border exactly if they are adjacent; others keep their distance."""
    sides = {area: _segments(each) for area, each in rings.items()}
    for a, b in combinations(rings, 2):
        shared = sum(math.dist(*segment) for segment in sides[a] & sides[b])
        if b in NEXT[a]:
            if shared < SHORTEST:
                yield f"the border of {a} and {b} is {shared:.1f} long"
        elif shared:
            yield f"{a} and {b} share a border and are not adjacent"
        elif _boxes_near(rings[a][0], rings[b][0]) and _nearest(rings[a], sides[b]) < APART:
            yield f"{a} and {b} are not adjacent and seem to touch"


def _boxes_near(a: Ring, b: Ring) -> bool:
    return all(
        min(p[k] for p in a) - APART <= max(p[k] for p in b) and min(p[k] for p in b) - APART <= max(p[k] for p in a)
        for k in (0, 1)
    )


def _nearest(rings: list[Ring], segments: set[Segment]) -> float:
    return min(_distance(point, *segment) for ring in rings for point in ring for segment in segments)


def _distance(p: Place, a: Place, b: Place) -> float:
    """From a point to a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy or 1)
    t = min(1.0, max(0.0, t))
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def _depth(p: Place, rings: list[Ring]) -> float:
    """How far a point is from the border of a polygon."""
    return min(_distance(p, *segment) for segment in _segments(rings))


def _inside(p: Place, rings: list[Ring]) -> bool:
    crossings = 0
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True):
            if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) / (by - ay) * (bx - ax):
                crossings += 1
    return crossings % 2 == 1


def _discs(area: str, layout: dict[str, Any]) -> Iterator[Disc]:
    part, radius = layout["areas"][area], layout["radius"]
    yield from ((tuple(p), radius["unit"], f"unit {k}") for k, p in enumerate(part["units"]))
    for name in ("order", "power", "garrison", "structure"):
        if part[name]:
            yield tuple(part[name]), radius[name], name
    for name in ("barrels", "crowns"):
        yield from ((tuple(p), radius["icon"], name) for p in part[name])
    for port, spots in layout["ports"].items():
        if spots["sea"] == area:
            yield tuple(spots["order"]), radius["port_order"], port
            yield from ((tuple(p), radius["port_unit"], f"a ship of {port}") for p in spots["units"])


def _pieces(area: str, rings: list[Ring], layout: dict[str, Any]) -> Iterator[str]:
    """Everything that an area shows has its place, inside and apart from everything else."""
    facts, part = AREAS[area], layout["areas"][area]
    if len(part["units"]) != 6 or (len(part["barrels"]), len(part["crowns"])) != (facts.barrels, facts.crowns):
        yield f"{area} has places for other pieces than it shows"
    wanted = [name for name in ("power", "garrison") if facts.kind == "land"]
    wanted += ["structure"] if facts.structure != "none" else []
    yield from (f"{area} has no place for {name}" for name in wanted if not part[name])
    discs = list(_discs(area, layout))
    for spot, radius, what in discs:
        if not _inside(spot, rings) or _depth(spot, rings) < radius:
            yield f"{area}: {what} pokes out"
    for (p, r, what), (q, s, other) in combinations(discs, 2):
        if math.dist(p, q) < r + s - 0.5:
            yield f"{area}: {what} and {other} overlap"
    label = part["label"]
    for k, row in enumerate(label["lines"]):
        y = label["y"] + (k - (len(label["lines"]) - 1) / 2) * label["size"] * LINE
        half, rise = len(row) * label["size"] * LETTER / 2, label["size"] * 0.4
        corners = [(label["x"] + u * half, y + v * rise) for u in (-1, 1) for v in (-1, 1)]
        if not all(_inside(corner, rings) for corner in corners):
            yield f"{area}: the name leaves the area"
        for p, r, what in discs:
            aside, above = max(0.0, abs(p[0] - label["x"]) - half), max(0.0, abs(p[1] - y) - rise)
            if math.hypot(aside, above) < r - 3:
                yield f"{area}: the name runs under {what}"
