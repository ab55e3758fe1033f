"""Lines of the sketch become smooth curves, a little rough, that never cross; curves are stitched into outlines."""

import math
import zlib
from typing import Any, Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point, Polygon

from server.web.drawing.sketch import Line, Place

Floats = NDArray[np.float64]
Ring = list[Place]

SEED: Final = 12
CALMER: Final = 0.6
"""By how much lines that got tangled are drawn more calmly."""


class Manner(NamedTuple):
    """How a kind of line is drawn: its noise (wavelengths and heights), how finely, and how much is smoothed away."""

    waves: tuple[tuple[float, float], ...]
    step: float
    tolerance: float


MANNERS: Final = {
    "coast": Manner(((84, 8.0), (38, 6.4), (17, 3.6), (9, 1.5)), 2.5, 0.4),
    "land": Manner(((64, 5.0), (26, 2.4)), 4.0, 0.4),
    "sea": Manner(((120, 3.0),), 6.0, 0.3),
    "barrier": Manner(((34, 2.2), (14, 1.2)), 4.0, 0.4),
}


class Border(NamedTuple):
    """A line as it is drawn."""

    line: Line
    points: Ring


def seeded(name: str) -> np.random.Generator:
    """A random stream that depends on the seed and a name only."""
    return np.random.default_rng([SEED, zlib.crc32(name.encode())])


def spline(points: tuple[Place, ...], before: Place | None, after: Place | None, step: float) -> Floats:
    """A centripetal Catmull-Rom curve through points, about one point a step."""
    knots = [np.array(point) for point in points]
    first = np.array(before) if before else 2 * knots[0] - knots[1]
    last = np.array(after) if after else 2 * knots[-1] - knots[-2]
    controls = [first, *knots, last]
    curve = [knots[0]]
    for p0, p1, p2, p3 in zip(controls, controls[1:], controls[2:], controls[3:], strict=False):
        t1 = max(float(np.linalg.norm(p1 - p0)), 1e-6) ** 0.5
        t2 = t1 + max(float(np.linalg.norm(p2 - p1)), 1e-6) ** 0.5
        t3 = t2 + max(float(np.linalg.norm(p3 - p2)), 1e-6) ** 0.5
        n = max(2, int(np.linalg.norm(p2 - p1) / step))
        for t in np.linspace(t1, t2, n + 1)[1:]:
            a1 = (t1 - t) / t1 * p0 + t / t1 * p1
            a2 = (t2 - t) / (t2 - t1) * p1 + (t - t1) / (t2 - t1) * p2
            a3 = (t3 - t) / (t3 - t2) * p2 + (t - t2) / (t3 - t2) * p3
            b1 = (t2 - t) / t2 * a1 + t / t2 * a2
            b2 = (t3 - t) / (t3 - t1) * a2 + (t - t1) / (t3 - t1) * a3
            curve.append((t2 - t) / (t2 - t1) * b1 + (t - t1) / (t2 - t1) * b2)
    return np.array(curve)


def roughen(curve: Floats, manner: Manner, rng: np.random.Generator, share: float, *, closed: bool) -> Floats:
    """A curve shifted sideways by smooth noise; its ends stay where they are."""
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(curve, axis=0).T))])
    length = float(along[-1])
    tangent = np.gradient(curve, axis=0)
    tangent /= np.maximum(np.hypot(*tangent.T), 1e-9)[:, None]
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    shift = _noise(length, along, manner, rng, closed=closed) * share
    if not closed:
        shift *= np.clip(np.minimum(along, length - along) / min(14.0, length / 2), 0, 1) ** 0.8
    moved: Floats = curve + normal * shift[:, None]
    if closed:
        moved[-1] = moved[0]
    else:
        moved[0], moved[-1] = curve[0], curve[-1]
    return moved


def _noise(length: float, along: Floats, manner: Manner, rng: np.random.Generator, *, closed: bool) -> Floats:
    """Smooth noise along a line, at distances from its beginning."""
    total = np.zeros_like(along)
    for wave, height in manner.waves:
        n = max(3, math.ceil(length / (wave / 2)) + 1)
        knots = rng.uniform(-1, 1, n)
        if closed:
            knots[-1] = knots[0]
        u = along / length * (n - 1)
        i = np.clip(u.astype(int), 0, n - 2)
        f = u - i
        f = f * f * (3 - 2 * f)
        total += height * (knots[i] * (1 - f) + knots[i + 1] * f)
    return total


class _Course:
    """A line that is being drawn: how much of its noise it has."""

    def __init__(self, line: Line, at: dict[str, list[tuple[Line, int]]]) -> None:
        self.line = line
        self.share = 1.0
        self._before = None if line.kind == "edge" else _beyond(line, 0, at)
        self._after = None if line.kind == "edge" else _beyond(line, 1, at)
        self.points = self._drawn()

    def calm(self) -> None:
        """Draw it again, more calmly."""
        self.share *= CALMER
        self.points = self._drawn()

    def _drawn(self) -> Floats:
        line = self.line
        if line.kind == "edge":
            return np.array(line.points)
        manner = MANNERS[line.kind]
        curve = spline(line.points, self._before, self._after, manner.step)
        size = 0.6 if line.closed else min(1.0, LineString(curve).length / 90)
        rng = seeded(" ".join((*line.sides, *line.ends)))
        rough = roughen(curve, manner, rng, size * self.share, closed=line.closed)
        return np.round(np.array(LineString(rough).simplify(manner.tolerance).coords), 1)


def _beyond(line: Line, end: int, at: dict[str, list[tuple[Line, int]]]) -> Place | None:
    """The point of the sketch past an end, where the coast (or a border on land) runs on."""
    if line.closed:
        return line.points[1] if end else line.points[-2]
    if line.kind not in ("coast", "land"):
        return None
    there = at[line.ends[end]]
    if line.kind == "land" and any(other.kind == "coast" for other, _ in there):
        return None
    same = [(other, k) for other, k in there if other is not line and other.kind == line.kind]
    if len(same) != 1:
        return None
    other, k = same[0]
    return other.points[1] if k == 0 else other.points[-2]


def draw(lines: list[Line]) -> list[Border]:
    """All lines as they are drawn. Those that cross themselves or one another are drawn again, more calmly."""
    at: dict[str, list[tuple[Line, int]]] = {}
    for line in lines:
        for k, end in enumerate(line.ends):
            at.setdefault(end, []).append((line, k))
    courses = [_Course(line, at) for line in lines]
    for _ in range(12):
        tangled = _tangled(courses)
        if not tangled:
            break
        for k in tangled:
            courses[k].calm()
    return [Border(each.line, [(float(x), float(y)) for x, y in each.points.tolist()]) for each in courses]


def _tangled(courses: list[_Course]) -> set[int]:
    shapes: list[Any] = [LineString(each.points) for each in courses]
    tangled = {k for k, shape in enumerate(shapes) if not shape.is_simple}
    for a, b in shapely.STRtree(shapes).query(shapes, predicate="intersects").T:
        if a >= b:
            continue
        first, second = courses[a], courses[b]
        common = [Point(first.points[k]) for k in (0, -1) if first.line.ends[k] in second.line.ends]
        for meet in shapely.get_parts(shapely.intersection(shapes[a], shapes[b])):
            if min((meet.distance(point) for point in common), default=9.0) > 1e-9 or meet.length > 0:
                tangled |= {int(a), int(b)}
    return tangled


def stitch(area: str, borders: list[Border]) -> list[Ring]:
    """Closed rings around an area, the outer one first, holes after it. Raises ValueError where a border is missing."""
    left = [border for border in borders if area in border.line.sides]
    rings: list[Ring] = []
    while left:
        border = left.pop(0)
        ring, (start, end) = list(border.points), border.line.ends
        while end != start:
            following = next((other for other in left if end in other.line.ends), None)
            if following is None:
                raise ValueError(f"{area}: the border stops at junction {end}; draw a line on from there")
            left.remove(following)
            forward = following.line.ends[0] == end
            ring += (following.points if forward else following.points[::-1])[1:]
            end = following.line.ends[1 if forward else 0]
        rings.append(ring[:-1])
    rings.sort(key=lambda ring: -float(Polygon(ring).area))
    return rings
