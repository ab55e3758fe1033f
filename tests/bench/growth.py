"""(g) How the cost of an answer grows: with rooms, with seats, and with the length of the game."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench.bench import Bench
from tests.bench.games import Drawing, play
from tests.bench.process import Process, our_server
from tests.bench.spread import Figure, Spread
from tests.bench.table import Seat, sit


class Sizes(NamedTuple):
    rooms: tuple[int, ...]
    answers: int
    """That are measured in each room, always the first ones, whatever the number of rooms."""
    seats: tuple[int, ...]
    games: int
    """With each number of seats, and for the length."""
    step: int
    """By how many answers a game grows."""
    steps: int
    runs: int


SIZES = {
    "full": Sizes((10, 50, 100, 400), 8, (3, 4, 5, 6), 5, 50, 4, 5),
    "quick": Sizes((10, 100), 12, (3, 6), 6, 50, 3, 3),
    "tiny": Sizes((1, 2), 4, (3,), 1, 4, 2, 1),
}
SEATS = 6
LEAST = 600
"""Answers that are measured at least, however few rooms there are."""


def measure(bench: Bench) -> list[Figure]:
    return bench.run(_measure(bench))


async def _measure(bench: Bench) -> list[Figure]:
    size = SIZES[bench.size]
    rooms: dict[int, list[float]] = {n: [] for n in size.rooms}
    seats: dict[int, list[float]] = {n: [] for n in size.seats}
    length: dict[int, list[float]] = {n * size.step: [] for n in range(size.steps)}
    with TemporaryDirectory() as folder, our_server(Path(folder), durable=True) as ours:
        await play(ours, 5, 99, size.answers)
        for run in range(size.runs):
            bench.say(f"growth: run {run + 1} of {size.runs}")
            for n in size.rooms:
                rooms[n].append(await _first_answers(ours, n, size.answers))
            for n in size.seats:
                seats[n].append((await play(ours, size.games, run, size.step, n)).cpu_us)
            for n, us in zip(length, await _as_it_goes(ours, size, run), strict=True):
                length[n].append(us)
    return [
        *_curve("rooms", "{} rooms: server CPU an answer, us", rooms),
        *_curve("seats", "{} seats: server CPU an answer, us", seats),
        *_curve("after", "after {} answers in a game: server CPU an answer, us", length),
    ]


def _curve(name: str, what: str, points: dict[int, list[float]]) -> list[Figure]:
    """A figure for each point; here the ratio is that to the first."""
    first = next(iter(points.values()))
    return [
        Figure(
            f"cpu_us_{name}_{n}",
            what.format(n),
            Spread.of(found),
            None,
            Spread.of(a / b for a, b in zip(found, first, strict=True)),
            "flat (ratio: to the first)" if name != "seats" else "",
        )
        for n, found in points.items()
    ]


async def _first_answers(ours: Process, rooms: int, answers: int) -> float:
    """Few rooms play again, until there are enough answers."""
    cpu = given = 0.0
    while given < min(LEAST, rooms * answers * 10):
        played = await play(ours, rooms, rooms, answers)
        cpu, given = cpu + played.cpu, given + played.answers
    return cpu / given * 1e6


async def _as_it_goes(ours: Process, size: Sizes, seed: int) -> list[float]:
    """The same games, longer and longer."""
    host, sockets = await sit(ours.port, size.games, SEATS)
    tables = await host.tables(sockets, _nobody)
    found = []
    for n in range(size.steps):
        drawing, cpu = Drawing(seed * 100 + n, size.step), ours.cpu
        await drawing.play([table for table in tables if not table.over])
        found.append((ours.cpu - cpu) / len(drawing.sizes) * 1e6)
    for socket in [host.socket, *(socket for group in sockets for socket in group)]:
        socket.close()
    return found


def _nobody(seat: Seat) -> None:
    """Not yet."""
