"""Where the server's time goes: `python -m tests.bench.profile turns` or `games`.

py-spy looks at the process from outside while the load is on (of planning turns only while they are on the clock) and the
ten dearest places are told: what a function takes itself, and with all that it calls. Where py-spy is not installed the
server runs under cProfile from its start to its end, and is slower for it.
"""

import pstats
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from rich.console import Console
from rich.table import Table

from tests.bench.bench import Bench
from tests.bench.games import play
from tests.bench.process import Process, our_server
from tests.bench.turns import Planning

RATE = 500
"""Looks a second."""
PLACES = 10
EVERYTHING = 0.9
"""What has nearly all of the time under it, and none itself, tells nothing."""
WAITING = "_worker (concurrent/futures/thread.py"
"""Where a thread of a pool is that has nothing to do."""


class Place(NamedTuple):
    """A function and its shares of the time, by itself and with what it calls."""

    name: str
    own: float
    whole: float


class Spy:
    """py-spy on a process, several times if need be."""

    def __init__(self, process: Process, folder: Path) -> None:
        self._process = process
        self._folder = folder
        self._stacks = Counter[str]()

    @contextmanager
    def looking(self) -> Iterator[None]:
        """It looks for as long as this lasts."""
        program = shutil.which("py-spy", path=str(Path(sys.executable).parent)) or shutil.which("py-spy")
        assert program
        out = self._folder / "stacks"
        out.unlink(missing_ok=True)
        options = ("--format", "raw", "--function", "--rate", str(RATE), "--full-filenames", "--output", str(out))
        spy = subprocess.Popen([program, "record", "--pid", str(self._process.pid), *options], stdout=subprocess.PIPE)
        try:
            assert spy.stdout
            said = spy.stdout.readline()
            while said and b"Sampling" not in said:
                said = spy.stdout.readline()
            if not said:
                raise SystemExit("py-spy may not look at the server: run this as root, or allow ptrace")
            yield
        finally:
            spy.send_signal(signal.SIGINT)
            spy.communicate()
        if out.exists():
            for line in out.read_text().splitlines():
                stack, _, times = line.rpartition(" ")
                if not _short(stack.rpartition(";")[2]).startswith(WAITING):
                    self._stacks[stack] += int(times)

    def places(self) -> list[Place]:
        """All functions that were seen, in no order."""
        own, whole, total = Counter[str](), Counter[str](), self._stacks.total()
        for stack, times in self._stacks.items():
            frames = [_short(frame) for frame in stack.split(";")]
            own[frames[-1]] += times
            whole.update(dict.fromkeys(frames, times))
        places = [Place(name, own[name] / total, times / total) for name, times in whole.items()]
        return [place for place in places if place.own > 0.001 or place.whole < EVERYTHING]


def _short(frame: str) -> str:
    """`function (file)`, the file as it is called in the project or in its library."""
    name, _, file = frame.rstrip(")").partition(" (")
    for root in ("site-packages/", "lib/python3.11/", f"{Path.cwd()}/"):
        file = file.rpartition(root)[2]
    return f"{name} ({file})"


class Counted:
    """cProfile in the process itself."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @contextmanager
    def looking(self) -> Iterator[None]:
        """It looks all the time."""
        yield

    def places(self) -> list[Place]:
        """Once the process has ended."""
        stats = pstats.Stats(str(self._file)).stats  # type: ignore[attr-defined]  # it has no hint
        calls = {f"{name} ({_file(file)})": (own, whole) for (file, _, name), (_, _, own, whole, _) in stats.items()}
        idle = {name for name in calls if "poll" in name or "select" in name}
        total = sum(own for name, (own, _) in calls.items() if name not in idle)
        return [Place(name, own / total, whole / total) for name, (own, whole) in calls.items() if name not in idle]


def _file(path: str) -> str:
    return _short(f"x ({path})")[3:-1]


@click.command()
@click.argument("what", type=click.Choice(["turns", "games"]))
@click.option("--rooms", default=100, show_default=True, help="Rooms that are played side by side.")
@click.option("--runs", default=5, show_default=True, help="Turns of all rooms; or answers in each room, by fifty.")
@click.option("--memory", is_flag=True, help="Without a log.")
@click.option("--places", default=PLACES, show_default=True, help="How many places to tell.")
def main(what: str, rooms: int, runs: int, memory: bool, places: int) -> None:
    """Tell where the time of the server goes under one kind of load."""
    console = Console()
    spied = bool(shutil.which("py-spy", path=str(Path(sys.executable).parent)) or shutil.which("py-spy"))
    with TemporaryDirectory() as folder:
        kept = Path(folder) / "profile"
        process = our_server(Path(folder), durable=not memory, profile=None if spied else kept)
        with process:
            eye = Spy(process, Path(folder)) if spied else Counted(kept)
            bench = Bench("full", console.print)
            bench.run((_turns if what == "turns" else _games)(process, eye, rooms, runs))
        found = eye.places()
    log = "off" if memory else "on"
    who = "py-spy" if spied else "cProfile, which makes small functions look dear, and with what is off the clock"
    for title, key in (("by themselves", 1), ("with all that they call", 2)):
        table = Table(title=f"{what}, {rooms} rooms, log {log}: the dearest {title} ({who})")
        for name in ("function", "itself", "with what it calls"):
            table.add_column(name, justify="left" if name == "function" else "right", overflow="fold")
        ranked = sorted(found, key=lambda place: -float(place[key]))  # type: ignore[arg-type]
        for place in ranked[: places if key == 1 else 4 * places]:
            table.add_row(place.name, f"{place.own:.1%}", f"{place.whole:.1%}")
        console.print(table)


async def _turns(process: Process, eye: Spy | Counted, rooms: int, runs: int) -> None:
    planning = Planning(process)
    await planning.open(rooms)
    await planning.turns(runs, eye.looking)
    await planning.close()


async def _games(process: Process, eye: Spy | Counted, rooms: int, runs: int) -> None:
    with eye.looking():
        await play(process, rooms, 1, 50 * runs)


if __name__ == "__main__":
    main()
