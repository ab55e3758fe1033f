"""The figures as a table on the terminal and as JSON."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests.bench.spread import Figure, Spread

OUT = Path(__file__).parent / "out"
NAMED = {
    "reveal_ratio_durable": "reveals_a_second_durable",
    "reveal_ratio_memory": "reveals_a_second_memory",
    "reveal_cpu_ratio_durable": "reveal_cpu_ms_durable",
    "reveal_cpu_ratio_memory": "reveal_cpu_ms_memory",
}
"""Ratios that have a name of their own in the JSON, and whose they are: those at 100 rooms, or at as many as there were."""
ROOMS = 100


def show(figures: Sequence[Figure], console: Console) -> None:
    """A line each: median, and in brackets the least and the most."""
    table = Table(title="Marchwarden, and the bare relay run in turn with it: medians (least-most)")
    for name in ("figure", "here", "bare relay", "ratio", "mark"):
        table.add_column(name, justify="left" if name in ("figure", "mark") else "right", overflow="fold")
    for each in figures:
        table.add_row(each.what, str(each.ours), _told(each.relay), _told(each.ratio), each.mark)
    console.print(table)


def document(figures: Sequence[Figure], machine: dict[str, Any], left_out: Sequence[str]) -> dict[str, Any]:
    """What goes into the JSON: the medians by name, ratios where they are what is asked for, and all of it in `figures`."""
    found = {each.key: each for each in figures}
    ratios = {name: _digits(ratio.median) for name, key in NAMED.items() if (ratio := _ratio(found, key))}
    spread = {
        each.key: {
            name: _rounded(part)
            for name, part in (("here", each.ours), ("relay", each.relay), ("ratio", each.ratio))
            if part is not None
        }
        for each in figures
    }
    medians = {each.key: _digits(each.ours.median) for each in figures}
    return {**machine, **ratios, **medians, "left_out": list(left_out), "figures": spread}


def write(found: dict[str, Any], whole: bool) -> Path:
    """Keep the figures under their time and commit; of a whole run also as `latest.json`. Parts renew their part of that."""
    OUT.mkdir(exist_ok=True)
    text = json.dumps(found, indent=2) + "\n"
    (OUT / f"{found['at'].replace(':', '')}-{found['commit']}.json").write_text(text, encoding="utf-8")
    latest = OUT / "latest.json"
    if not whole and latest.exists():
        before = json.loads(latest.read_text(encoding="utf-8"))
        if isinstance(before.get("figures"), dict):
            found = {**before, **found, "figures": {**before["figures"], **found["figures"]}}
    latest.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return latest


def _ratio(found: dict[str, Figure], key: str) -> Spread | None:
    there = [each for name, each in found.items() if name.startswith(key)]
    each = found.get(f"{key}_{ROOMS}_rooms", there[-1] if there else None)
    return each.ratio if each else None


def _told(spread: Spread | None) -> str:
    return "" if spread is None else str(spread)


def _rounded(spread: Spread) -> dict[str, float]:
    return {name: _digits(value) for name, value in spread._asdict().items()}


def _digits(value: float) -> float:
    """With four digits that count, as more would not be true."""
    return float(f"{value:.4g}") if abs(value) < 1000 else round(value)
