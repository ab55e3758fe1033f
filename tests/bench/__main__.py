"""`make bench`: how fast it is, each figure beside the bare relay's. Prints a table and keeps it under tests/bench/out."""

import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from server.log import configure
from tests.bench import (
    browser,
    cluster,
    crowd,
    desk,
    durable,
    engine,
    games,
    growth,
    lab,
    memory,
    report,
    turns,
    workers,
)
from tests.bench.bench import Bench, Size
from tests.bench.machine import machine
from tests.bench.plot import draw
from tests.bench.process import Compiled
from tests.bench.spread import Figure

PARTS: dict[str, tuple[Callable[[Bench], list[Figure]], str]] = {
    "turns": (turns.measure, "planning turns of 10, 100 and 400 rooms, log on and off"),
    "games": (games.measure, "whole random games over sockets: CPU and bytes an answer"),
    "engine": (engine.measure, "the rules alone"),
    "desk": (desk.measure, "rules, rooms and frames without sockets"),
    "memory": (memory.measure, "400 rooms, 10,000 connections"),
    "crowd": (crowd.measure, "1, 100 and 5,000 spectators"),
    "growth": (growth.measure, "cost by rooms, seats and length of the game"),
    "nodes": (cluster.measure, "1, 2 and 3 nodes, the hop between them, the death of one"),
    "workers": (workers.measure, "serve with 1 and 2 workers"),
    "durable": (durable.measure, "what the log costs, and how long rooms take to come back"),
    "lab": (lab.measure, "the laboratory"),
    "page": (browser.measure, "the page in a browser"),
}
HELP = "Parts: " + "; ".join(f"{name} ({what})" for name, (_, what) in PARTS.items()) + "."


def _parts(context: click.Context, option: click.Parameter, given: str | None) -> list[str]:
    names = [name.strip() for name in given.split(",")] if given else list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        raise click.BadParameter(f"there is no {', '.join(unknown)}; parts: {', '.join(PARTS)}")
    return names


@click.command(epilog=HELP)
@click.option("--only", "parts", callback=_parts, metavar="PART,PART", help="Measure these parts alone.")
@click.option("--quick", "size", flag_value="quick", help="Fewer runs and smaller ones: rough, in about two minutes.")
@click.option(
    "--full", "size", flag_value="full", default="full", help="All of it, in about ten minutes (the default)."
)
@click.option(
    "--compiled",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="Measure the server in this folder, which `make compiled` has made (turns, games, memory, crowd, growth).",
)
@click.option("--tiny", "size", flag_value="tiny", hidden=True, help="Whether it works at all.")
def main(parts: list[str], size: Size, compiled: Path | None) -> None:
    """Measure speed and size on this machine: server on one core, load on another, ours and the bare relay in turn.

    The table, a picture and JSON with the commit and the machine are kept in tests/bench/out.
    """
    configure("warning")
    console = Console()
    if not console.is_terminal:
        console = Console(width=150)
    Compiled.folder = compiled
    begun, found = machine() | {"compiled": compiled is not None}, list[Figure]()
    start = time.perf_counter()
    figures, left_out = measure(parts, size, console)
    found += figures
    report.show(found, console)
    for why in left_out:
        console.print(f"Left out: {why}")
    told = report.document(found, {**begun, "size": size, "seconds": round(time.perf_counter() - start)}, left_out)
    latest = report.write(told, whole=set(parts) == set(PARTS))
    picture = report.OUT / "latest.png"
    draw(found, begun, picture)
    console.print(f"{told['seconds']} s. Kept in {latest} and {picture}")


def measure(parts: Sequence[str], size: Size, console: Console) -> tuple[list[Figure], list[str]]:
    """The figures of some parts, and why others are not there."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    found = list[Figure]()
    with Progress(*columns, console=console, auto_refresh=False) as progress:
        task = progress.add_task("", total=len(parts))

        def say(what: str) -> None:
            progress.update(task, description=what, refresh=True)

        bench = Bench(size, say)
        for name in parts:
            found += PARTS[name][0](bench)
            progress.advance(task)
    return found, bench.left_out


if __name__ == "__main__":  # the laboratory's processes import this anew
    main()
