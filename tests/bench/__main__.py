"""`make bench`: prints the figures and keeps them under tests/bench/out."""

import json
import platform
import subprocess
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from server.log import configure
from tests.bench import answers, durable, engine, lab, page
from tests.web.browser import CHROMIUM

OUT = Path(__file__).parent / "out"
PEER_CPU_US, PEER_BYTES, PEER_GAME_S = 3900, 3400, 2.0
"""The best existing server of this family: CPU and bytes per message handled, six players; CPU seconds a game."""


def main() -> None:
    configure("warning")
    served = answers.measure(8)
    text = answers.measure(2, fmt="json")
    rules = engine.measure(8)
    table = Table("figure", "here", "mark to beat", "ratio", title="Marchwarden, six seats, random games")
    rows = [
        ("server CPU per answer, us", served.cpu_us_per_answer, PEER_CPU_US),
        ("bytes a client and answer", served.bytes_per_answer, PEER_BYTES),
        ("the same as JSON", text.bytes_per_answer, PEER_BYTES),
        ("rules alone, CPU s a game", rules.seconds_per_game, PEER_GAME_S),
    ]
    for name, here, mark in rows:
        table.add_row(name, f"{here:,.3g}" if here < 1 else f"{here:,.0f}", f"{mark:,}", f"{here / mark:.3f}")
    table.add_row("bytes of a snapshot at the end", f"{served.snapshot_bytes:,.0f}", "", "")
    table.add_row("answers a game", f"{served.answers / 8:,.0f}", "", "")
    Console(width=100).print(table)
    played = lab.measure()
    speeds = Table("the laboratory", "a second")
    for name, figure in played._asdict().items():
        speeds.add_row(name.replace("_", " "), f"{figure:,.4g}" if figure < 1000 else f"{figure:,.0f}")
    Console(width=100).print(speeds)
    kept = durable.measure()
    cost = Table("what it costs to lose nothing", "")
    for name, figure in kept._asdict().items():
        cost.add_row(name.replace("_", " "), f"{figure:,.3g}" if figure < 1000 else f"{figure:,.0f}")
    Console(width=100).print(cost)
    looked = page.measure()._asdict() if CHROMIUM else {}
    shown = Table("the page in a browser (marks: 300 KB, 1,000 ms, 60 a second, no frame over 16 ms)", "")
    for name, figure in looked.items():
        shown.add_row(name.replace("_", " "), f"{figure:,.3g}" if figure < 1000 else f"{figure:,.0f}")
    Console(width=100).print(shown if looked else "There is no Chromium here to look at the page with: make browser")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    figures = {
        "commit": commit.stdout.strip(),
        "machine": f"{platform.processor() or platform.machine()}, Python {platform.python_version()}",
        "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "cpu_us_per_answer": round(served.cpu_us_per_answer, 1),
        "cpu_s_per_game": round(served.cpu_s_per_game, 4),
        "bytes_per_answer": round(served.bytes_per_answer, 1),
        "snapshot_bytes": served.snapshot_bytes,
        "engine_us_per_answer": round(rules.us_per_answer, 1),
        "engine_s_per_game": round(rules.seconds_per_game, 4),
        "durable": {name: round(figure, 3) for name, figure in kept._asdict().items()},
        "page": {name: round(figure, 2) for name, figure in looked.items()},
        "lab": {name: round(figure, 2) for name, figure in played._asdict().items()},
    }
    OUT.mkdir(exist_ok=True)
    (OUT / "latest.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":  # the laboratory's processes import this anew
    main()
