"""Puts the drawing together as plain data."""

import json
import math
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final

import numpy as np
from shapely import union_all
from shapely.geometry import LineString, Point, Polygon

from server.game.board import AREAS, PORTS
from server.web.drawing import curves, decor
from server.web.drawing.curves import Border, Ring
from server.web.drawing.places import Area, Berth, Disc, place
from server.web.drawing.sketch import BARRIERS, HEIGHT, RADIUS, WIDTH, read

HINTS: Final = {
    "port-of-winterfell": (380, 180),
    "port-of-white-harbor": (716, 454),
    "port-of-pyke": (214, 688),
    "port-of-lannisport": (208, 942),
    "port-of-dragonstone": (932, 1004),
    "port-of-storms-end": (930, 1242),
    "port-of-oldtown": (176, 1452),
    "port-of-sunspear": (872, 1676),
}
"""Where along its coast each port looks for a berth."""
MAIN: Final = tuple(area for area, facts in AREAS.items() if facts.kind != "port")
CONVENTIONS: Final = {
    "sheet": "x right, y down, north at y = 0; all numbers are sheet units",
    "rings": "closed polygons without repeating the first point; first the outline, then holes",
    "borders": "every shared line once; kind is coast, land, sea or barrier; the line is count points of ring number "
    "'ring' of the first side (an area or a barrier), from index 'from' on, past the end of the ring on from its start",
    "barriers": "strips nobody enters; areas on two sides of one are not adjacent; peaks are [x, y, size] of mountains",
    "tint": "0 to 3 for lands, 0 to 2 for seas; neighbours of a kind always differ",
    "units": "six places, fill them in order",
    "ports": "x, y lie on the shared coast; angle points out to sea (degrees, clockwise from east); water is around all",
    "null": "the area never shows this",
    "label": "x, y is the middle of the text, lines are 1.12 sizes apart; there is room for letters 0.56 sizes wide",
    "decor": "only to be looked at: islets, compass, marks [kind, x, y, size] of kind pine, tree, hill, dune or reed",
}


def build() -> dict[str, Any]:
    """The whole layout. Raises ValueError where the sketch does not hold together."""
    borders = curves.draw(read())
    rings = {side: curves.stitch(side, borders) for side in (*MAIN, *BARRIERS)}
    outlines = {side: Polygon(each[0], each[1:]) for side, each in rings.items()}
    ports = {port: berth(port, borders, outlines) for port in PORTS}
    tint = decor.tints("land", 4) | decor.tints("sea", 3)
    areas: dict[str, Any] = {}
    marks: list[decor.Mark] = []
    work = [Area(AREAS[a], outlines[a], _fixed(a, outlines[a], ports), _afloat(a, ports)) for a in MAIN]
    with ProcessPoolExecutor() as pool:  # each area has its own random stream, so the order does not matter
        for area, (shown, afloat, taken) in zip(work, pool.map(place, work), strict=True):
            name = area.facts.id
            if area.facts.kind == "land":
                marks += decor.scatter(name, area.outline, taken)
            for port, spots in afloat.items():
                ports[port] |= spots
                ports[port]["water"] = water(ports[port], area.outline)
            areas[name] = {"kind": area.facts.kind, "tint": tint[name], "rings": rings[name], **shown}
    marks += decor.scatter("the-fens", outlines["the-fens"], [])
    x, y, r = decor.COMPASS
    return {
        "format": 1,
        "title": "Board drawing: own sketch, not taken from any map",
        "conventions": CONVENTIONS,
        "width": WIDTH,
        "height": HEIGHT,
        "radius": RADIUS,
        "areas": areas,
        "ports": ports,
        "barriers": [_barrier(name, rings[name], outlines[name]) for name in BARRIERS],
        "borders": [_slice(border, rings) for border in borders if border.line.kind != "edge"],
        "decor": {
            "islets": [decor.blob(*islet) for islet in decor.ISLETS],
            "marks": marks,
            "compass": {"x": x, "y": y, "r": r},
        },
    }


def berth(port: str, borders: list[Border], outlines: dict[str, Polygon]) -> dict[str, Any]:
    """Where a port lies: on the shared coast near its hint, a little away from the ends of the coast."""
    facts = AREAS[port]
    best: tuple[float, Any, float] | None = None
    for border in borders:
        if set(border.line.sides) != {facts.port_of, facts.sea}:
            continue
        coast = LineString(border.points)
        for s in np.linspace(0, coast.length, 160):
            if not border.line.closed and min(s, coast.length - s) < 24:
                continue
            away = coast.interpolate(s).distance(Point(HINTS[port]))
            if best is None or away < best[0]:
                best = (away, coast, float(s))
    if best is None:
        raise ValueError(f"{port}: no coast between {facts.port_of} and {facts.sea} is long enough for a berth")
    _, coast, s = best
    here = coast.interpolate(s)
    before, after = coast.interpolate(max(0, s - 14)), coast.interpolate(min(coast.length, s + 14))
    nx, ny = -(after.y - before.y), after.x - before.x
    length = math.hypot(nx, ny)
    nx, ny = nx / length, ny / length
    if not outlines[facts.sea].contains(Point(here.x + nx * 12, here.y + ny * 12)):
        nx, ny = -nx, -ny
    angle = round(math.degrees(math.atan2(ny, nx)), 1)
    return {"land": facts.port_of, "sea": facts.sea, "x": round(here.x, 1), "y": round(here.y, 1), "angle": angle}


def _afloat(area: str, ports: dict[str, Any]) -> list[Berth]:
    """The ports whose ships and order lie in a sea, a little off the coast."""
    found = []
    for port, spot in ports.items():
        if spot["sea"] == area:
            a = math.radians(spot["angle"])
            found.append(Berth(port, spot["x"] + 34 * math.cos(a), spot["y"] + 34 * math.sin(a), spot["angle"]))
    return found


def _fixed(area: str, outline: Polygon, ports: dict[str, Any]) -> list[Disc]:
    """What the pieces of an area must keep clear of."""
    discs: list[Disc] = [
        (spot["x"], spot["y"], RADIUS["port"]) for spot in ports.values() if area in (spot["land"], spot["sea"])
    ]
    if AREAS[area].kind == "sea":
        discs += [(x, y, q * 1.25 + 5) for x, y, q in decor.ISLETS if outline.contains(Point(x, y))]
        if outline.contains(Point(decor.COMPASS[:2])):
            discs.append(decor.COMPASS)
    return discs


def water(port: dict[str, Any], sea: Polygon) -> list[list[float]]:
    """The outline of a harbour: around its order and its ships, up to the berth and the coast."""
    spots = [(port["order"], RADIUS["port_order"] + 4), ((port["x"], port["y"]), 10)]
    spots += [(ship, RADIUS["port_unit"] + 4) for ship in port["units"]]
    basin = union_all([Point(spot).buffer(r, 6) for spot, r in spots]).convex_hull.intersection(sea.buffer(1))
    largest = max(getattr(basin, "geoms", [basin]), key=lambda part: part.area)
    return [[round(x, 1), round(y, 1)] for x, y in largest.simplify(0.4).exterior.coords[:-1]]


def _barrier(name: str, rings: list[Ring], outline: Polygon) -> dict[str, Any]:
    title, kind = BARRIERS[name]
    label = {"x": 614, "y": 21, "lines": [title], "size": 15} if kind == "ice" else None
    mountains = decor.peaks(outline, name) if kind == "mountains" else []
    return {"id": name, "name": title, "kind": kind, "rings": rings, "label": label, "peaks": mountains}


def _slice(border: Border, rings: dict[str, list[Ring]]) -> dict[str, Any]:
    """A line as a run of points in a ring of its first side."""
    side, points = border.line.sides[0], border.points
    for number, ring in enumerate(rings[side]):
        n = len(ring)
        for k in (k for k in range(n) if ring[k] == points[1]):
            start = None
            if all(ring[(k - 1 + j) % n] == point for j, point in enumerate(points)):
                start = (k - 1) % n
            elif all(ring[(k + 1 - j) % n] == point for j, point in enumerate(points)):
                start = (k + 1 - (len(points) - 1)) % n
            if start is not None:
                where = {"ring": number, "from": start, "count": len(points)}
                return {"kind": border.line.kind, "sides": list(border.line.sides), **where}
    raise ValueError(f"the line between {border.line.sides} is not in the outline of {side}")


def dump(layout: dict[str, Any]) -> str:
    """JSON with one area, port, barrier or border on a line."""

    def flat(value: Any) -> str:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        return text.replace(".0,", ",").replace(".0]", "]").replace(".0}", "}")

    parts = []
    for key, value in layout.items():
        if key in ("areas", "ports"):
            body = "{\n" + ",\n".join(f"  {json.dumps(name)}:{flat(each)}" for name, each in value.items()) + "\n }"
        elif key in ("barriers", "borders"):
            body = "[\n" + ",\n".join("  " + flat(each) for each in value) + "\n ]"
        else:
            body = flat(value)
        parts.append(f" {json.dumps(key)}:{body}")
    return "{\n" + ",\n".join(parts) + "\n}\n"
