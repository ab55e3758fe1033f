"""The sketch: junctions, the lines between them, and what the drawing needs to know beside the printed facts."""

from importlib import resources
from typing import Final, NamedTuple

from server.game.board import AREAS

WIDTH: Final = 1000
HEIGHT: Final = 1900

BARRIERS: Final = {
    "the-wall": ("The Wall", "ice"),
    "the-fens": ("The Fens", "marsh"),
    "the-high-hills": ("The High Hills", "mountains"),
    "the-red-peaks": ("The Red Peaks", "mountains"),
}
"""Strips that nothing crosses: name and kind. They keep apart areas that are not adjacent."""

RADIUS: Final = {
    "unit": 13,
    "order": 20,
    "power": 11,
    "garrison": 15,
    "structure": 15,
    "icon": 8,
    "port": 13,
    "port_unit": 11,
    "port_order": 17,
}
"""The size of what is put on the board."""
LETTER: Final = 0.56
"""The mean width of a letter of a name, in font sizes."""
LINE: Final = 1.12
"""From one line of a name to the next, in font sizes."""

Place = tuple[float, float]


class Line(NamedTuple):
    """A border of the sketch: the areas (or barriers, or `edge`) at its sides, the junctions at its ends, its points."""

    sides: tuple[str, str]
    ends: tuple[str, str]
    points: tuple[Place, ...]

    @property
    def kind(self) -> str:
        """edge, coast, land, sea or barrier."""
        if "edge" in self.sides:
            return "edge"
        first, second = (kind_of(side) for side in self.sides)
        if "sea" in (first, second):
            return "sea" if first == second else "coast"
        return "barrier" if "barrier" in (first, second) else "land"

    @property
    def closed(self) -> bool:
        """Whether it comes back to where it began."""
        return self.ends[0] == self.ends[1]


def kind_of(side: str) -> str:
    """land, sea or barrier."""
    return "barrier" if side in BARRIERS else AREAS[side].kind


def read() -> list[Line]:
    """All lines of the sketch."""
    text = resources.files("server.web.drawing").joinpath("sketch.txt").read_text(encoding="utf-8")
    rows = [row for line in text.splitlines() if (row := line.split("#")[0].strip())]
    middle = next(n for n, row in enumerate(rows) if row.startswith("[borders]"))
    words = " ".join(rows[1:middle]).split()
    junctions = dict(zip(words[::2], map(_place, words[1::2]), strict=True))
    lines = []
    for row in rows[middle + 1 :]:
        sides, course = row.split(":")
        first, second = sides.split()
        names = course.split()
        points = tuple(junctions[name] if name in junctions else _place(name) for name in names)
        lines.append(Line((first, second), (names[0], names[-1]), points))
    return lines


def _place(text: str) -> Place:
    x, y = text.split(",")
    return float(x), float(y)
