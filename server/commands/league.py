"""`marchwarden league`."""

import json
import os
import secrets
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from server.bots.kinds import BUDGET, KINDS
from server.commands.kinds import named_kinds
from server.league import plot
from server.league.match import Score, fixtures
from server.league.run import scores
from server.league.tally import tallied

KIND = click.Choice(list(KINDS))
FILE = click.Path(dir_okay=False, writable=True, path_type=Path)


@click.command("league", context_settings={"show_default": True})
@click.option("--one", type=KIND, help="The kind to be judged: one seat at every table.")
@click.option("--against", type=KIND, help="The kind in all other seats.")
@click.option(
    "--kinds",
    metavar="A,B,...",
    callback=named_kinds,
    help="Instead: a free-for-all of these kinds, dealt out over the seats.",
)
@click.option("--games", type=click.IntRange(1), default=100, help="Games to play.")
@click.option("--players", type=click.IntRange(3, 6), default=6, help="Houses at a table.")
@click.option("--tides", is_flag=True, help="Play with the Tides of Battle cards.")
@click.option("--budget", type=click.FloatRange(1), default=BUDGET, help="Milliseconds that searching players think.")
@click.option(
    "--seed", type=click.IntRange(0), default=None, help="The same number deals the same luck.  [default: random]"
)
@click.option("--workers", type=click.IntRange(1), default=None, help="Processes.  [default: one a core]")
@click.option("--json", "json_file", type=FILE, help="Write the figures to this file.")
@click.option("--plot", "plot_file", type=FILE, help="Draw the figures into this PNG (needs the extra plot).")
def command(
    one: str | None,
    against: str | None,
    kinds: list[str] | None,
    games: int,
    players: int,
    *,
    tides: bool,
    budget: float,
    seed: int | None,
    workers: int | None,
    json_file: Path | None,
    plot_file: Path | None,
) -> None:
    """Play many games between kinds of players and say who wins how often.

    Seats rotate: with 6 players, the one sits in each house once in six games. Rates come with a 95 % interval; an even
    share is what it would win if all players were alike. Games are played in this process and its workers, without sockets;
    every player sees only the document of its own seat.
    """
    table, judged = _table(one, against, kinds, players)
    _check_plot(plot_file)
    number = secrets.randbelow(2**32) if seed is None else seed
    plan = fixtures(table, games, number, tides=tides, budget=budget)
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    played: list[Score] = []
    with Progress(*columns, console=console) as progress:
        bar = progress.add_task("games", total=games)
        for score in scores(plan, workers or os.cpu_count() or 1):
            played.append(score)
            progress.update(bar, advance=1, description=_so_far(judged, played))
    played.sort(key=lambda score: score.number)
    figures = {kind: tally.figures() for kind, tally in tallied(judged, played).items()}
    _show(figures, games)
    if json_file:
        about = {"seed": number, "players": players, "tides": tides, "budget_ms": budget, "table": list(table)}
        best: dict[str, Any] = {"one": one, "against": against, **figures[one]} if one else {"kinds": figures}
        json_file.write_text(json.dumps({**best, **about}, indent=2) + "\n", encoding="utf-8")
    if plot_file:
        plot.draw(plot_file, judged, played, f"{', '.join(table)}: {games} games, seed {number}")


def _table(
    one: str | None, against: str | None, kinds: list[str] | None, players: int
) -> tuple[tuple[str, ...], dict[str, list[int]]]:
    """Who sits at the table, and by name the places whose rates are asked for. Raises `UsageError`."""
    if kinds is None:
        if one is None or against is None:
            raise click.UsageError("give --one KIND and --against KIND, or --kinds A,B,...")
        return (one, *[against] * (players - 1)), {one: [0]}
    if one is not None or against is not None:
        raise click.UsageError("give either --kinds, or --one and --against")
    if len(kinds) > players:
        raise click.UsageError(f"--kinds: {len(kinds)} kinds do not fit at a table of {players}; see --players")
    table = tuple(kinds[n % len(kinds)] for n in range(players))
    return table, {kind: [n for n, seated in enumerate(table) if seated == kind] for kind in kinds}


def _check_plot(file: Path | None) -> None:
    """Says at once, not after all games, that nothing can be drawn."""
    if file:
        try:
            import matplotlib  # noqa: F401, PLC0415 - heavy, and only here
        except ImportError:
            raise click.UsageError("--plot needs matplotlib: pip install 'marchwarden[plot]'") from None


def _so_far(judged: dict[str, list[int]], played: list[Score]) -> str:
    won = {kind: sum(score.places[0] in places for score in played) for kind, places in judged.items()}
    return ", ".join(f"{kind} {wins / len(played):.0%}" for kind, wins in won.items())


def _show(figures: dict[str, dict[str, Any]], games: int) -> None:
    table = Table(title=f"{games} games", title_justify="left")
    for heading in ("kind", "won", "rate", "95 % interval", "even share", "mean place", "rounds"):
        table.add_column(heading, justify="left" if heading == "kind" else "right")
    for kind, f in figures.items():
        interval = f"{f['low']:.1%} to {f['high']:.1%}"
        row = (
            str(f["wins"]),
            f"{f['rate']:.1%}",
            interval,
            f"{f['even']:.1%}",
            f"{f['place']:.2f}",
            f"{f['rounds']:.1f}",
        )
        table.add_row(kind, *row)
    Console(width=100).print(table)
