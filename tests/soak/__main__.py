"""`make soak`: plays many games on all cores and says what was reached. Exit status 1 if anything broke or is missing."""

import argparse
import multiprocessing
import os
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from tests.soak.kinds import ALL
from tests.soak.run import Broken, Tally, play

CHUNK = 25


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="how many games (default 10,000)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    options = parser.parse_args()
    console, start, tally = Console(), time.monotonic(), Tally()
    last = options.first + options.games
    chunks = [range(n, min(n + CHUNK, last)) for n in range(options.first, last, CHUNK)]
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with multiprocessing.Pool(os.cpu_count()) as pool, Progress(*columns, console=console) as progress:
            bar = progress.add_task("games", total=options.games)
            for part in pool.imap_unordered(play, chunks):
                tally.add(part)
                progress.advance(bar, part.games)
    except Broken as broken:
        console.print(f"broken: {broken}")
        return 1
    minutes = (time.monotonic() - start) / 60
    missing = sorted(ALL - tally.kinds.keys())
    rare = sorted(((n, kind) for kind, n in tally.kinds.items() if kind in ALL))[:10]
    console.print(f"{tally.games} games, {tally.answers} answers in {minutes:.1f} minutes, no broken invariant")
    console.print(
        f"{len(ALL) - len(missing)} of {len(ALL)} kinds reached; rarest: " + ", ".join(f"{k} ({n})" for n, k in rare)
    )
    if missing:
        console.print("missing: " + ", ".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
