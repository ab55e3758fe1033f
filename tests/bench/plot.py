"""The figures as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes

from tests.bench.spread import Figure, Spread

OURS, LOGGED, RELAY = "#2a6f97", "#9b2226", "#6c757d"


def draw(figures: Sequence[Figure], machine: dict[str, Any], path: Path) -> None:
    """Six small pictures: turns, their delay, growth by rooms, seats and length, and memory."""
    found = {each.key: each for each in figures}
    picture, places = pyplot.subplots(2, 3, figsize=(15, 8.5), constrained_layout=True)
    _turns(places[0][0], found, "reveals_a_second", "reveals a second", log=True)
    _turns(places[0][1], found, "reveal_p99_ms", "p99 from last order to every reveal, ms", log=True)
    _spectators(places[0][2], found)
    _growth(places[1][0], found, "rooms", "rooms")
    _growth(places[1][1], found, "after", "answers in the game so far")
    _memory(places[1][2], found)
    picture.suptitle(f"Marchwarden {machine['commit']}, {machine['machine']}, {machine['at'][:10]}")
    picture.savefig(path, dpi=100)
    pyplot.close(picture)


def _points(found: dict[str, Figure], start: str, end: str = "") -> dict[int, Figure]:
    """Figures whose keys differ only in a number."""
    numbers = {
        key: key[len(start) : len(key) - len(end)] for key in found if key.startswith(start) and key.endswith(end)
    }
    return {
        int(number): found[key]
        for key, number in sorted(numbers.items(), key=lambda kv: len(kv[1]))
        if number.isdigit()
    }


def _line(axes: Axes, points: dict[int, Spread], label: str, colour: str) -> None:
    if points:
        medians = [spread.median for spread in points.values()]
        below = [spread.median - spread.least for spread in points.values()]
        above = [spread.most - spread.median for spread in points.values()]
        axes.errorbar(list(points), medians, yerr=[below, above], label=label, color=colour, marker="o", capsize=3)


def _turns(axes: Axes, found: dict[str, Figure], key: str, title: str, *, log: bool) -> None:
    for store, label, colour in (("memory", "log off", OURS), ("durable", "log on", LOGGED)):
        _line(axes, {n: f.ours for n, f in _points(found, f"{key}_{store}_", "_rooms").items()}, label, colour)
    bare = _points(found, f"{key}_durable_", "_rooms")
    _line(axes, {n: f.relay for n, f in bare.items() if f.relay}, "bare relay", RELAY)
    _finish(axes, title, "rooms of six", log=log)


def _spectators(axes: Axes, found: dict[str, Figure]) -> None:
    points = _points(found, "cpu_us_per_answer_", "_spectators")
    _line(axes, {n: f.ours for n, f in points.items()}, "log on", LOGGED)
    _line(axes, {n: f.relay for n, f in points.items() if f.relay}, "bare relay", RELAY)
    _finish(axes, "server CPU an answer, us", "spectators", log=True)


def _growth(axes: Axes, found: dict[str, Figure], name: str, label: str) -> None:
    _line(axes, {n: f.ours for n, f in _points(found, f"cpu_us_{name}_").items()}, "log on", LOGGED)
    _finish(axes, "server CPU an answer, us", label, log=False)


def _memory(axes: Axes, found: dict[str, Figure]) -> None:
    bars = [key for key in found if key.startswith("rss_mb")]
    if bars:
        axes.bar(range(len(bars)), [found[key].ours.median for key in bars], color=LOGGED, width=0.4, label="log on")
        bare = [relay.median if (relay := found[key].relay) else 0 for key in bars]
        axes.bar([n + 0.4 for n in range(len(bars))], bare, color=RELAY, width=0.4, label="bare relay")
        axes.set_xticks(range(len(bars)), [key.removeprefix("rss_mb_").replace("_", " ") for key in bars], rotation=20)
    _finish(axes, "memory of the process, MB", "", log=False)


def _finish(axes: Axes, title: str, label: str, *, log: bool) -> None:
    axes.set_title(title)
    axes.set_xlabel(label)
    if not axes.get_legend_handles_labels()[1]:
        axes.text(0.5, 0.5, "not measured", ha="center", transform=axes.transAxes)
        return
    if log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
