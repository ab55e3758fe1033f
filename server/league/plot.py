"""A league as a picture: win rates as they settle, and at the end by house. Needs the extra `plot`."""

from pathlib import Path

from server.league.match import Score
from server.league.tally import tallied, wilson


def draw(file: Path, judged: dict[str, list[int]], scores: list[Score], title: str) -> None:
    """Writes a PNG. Raises `ImportError` without matplotlib."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - heavy, and only here
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(10, 4.2), layout="constrained")
    FigureCanvasAgg(figure)
    settling, houses = figure.subplots(1, 2)
    ordered = sorted(scores, key=lambda score: score.number)
    tallies = tallied(judged, ordered)
    names = sorted({house for tally in tallies.values() for house in tally.houses})
    for colour, (kind, tally) in enumerate(tallies.items()):
        wins, games, rates, lows, highs = 0, 0, [], [], []
        for score in ordered:
            games += 1
            wins += score.places[0] in tally.seated
            low, high = wilson(wins, games)
            rates.append(100 * wins / games)
            lows.append(100 * low)
            highs.append(100 * high)
        at = range(1, games + 1)
        settling.plot(at, rates, color=f"C{colour}", label=kind)
        settling.fill_between(at, lows, highs, color=f"C{colour}", alpha=0.15, linewidth=0)
        even = 100 * tally.share / max(1, tally.games)
        settling.axhline(even, color=f"C{colour}", linestyle=":", linewidth=1)
        width = 0.8 / len(tallies)
        at_house = [names.index(house) + colour * width for house in tally.houses]
        houses.bar(at_house, [100 * w / g for w, g in tally.houses.values()], width, color=f"C{colour}", label=kind)
    houses.set_xticks([n + 0.4 - 0.4 / len(tallies) for n in range(len(names))], names)
    settling.set(xlabel="games", ylabel="games won, %", ylim=(0, 100), title="95 % interval; dotted: an even share")
    houses.set(ylabel="seats that won, %", title="by house")
    settling.legend()
    figure.suptitle(title)
    figure.savefig(file, dpi=120, format="png")
