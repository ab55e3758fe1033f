"""What the games of a league say about its players."""

from collections.abc import Iterable
from math import sqrt
from typing import Any

from server.league.match import Score

Z95 = 1.959964
"""Standard deviations of a 95 % interval."""


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate (Wilson's score interval): it stays within 0 and 1 and is right for few games too."""
    if not games:
        return 0.0, 1.0
    rate, z2 = wins / games, Z95 * Z95
    middle = (rate + z2 / (2 * games)) / (1 + z2 / games)
    half = Z95 / (1 + z2 / games) * sqrt(rate * (1 - rate) / games + z2 / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)


class Tally:
    """The games so far of some places at the table."""

    def __init__(self, places: Iterable[int]) -> None:
        self.seated = frozenset(places)
        self.games = self.wins = self.rounds = 0
        self.share = self.places = 0.0
        self.houses: dict[str, list[int]] = {}

    def add(self, score: Score) -> None:
        """Counts a game."""
        seats = [n for n, place in enumerate(score.places) if place in self.seated]
        self.games += 1
        self.wins += seats[0] == 0
        self.share += len(seats) / len(score.places)
        self.places += sum(seats) / len(seats) + 1
        self.rounds += score.rounds
        for n in seats:
            record = self.houses.setdefault(score.houses[n], [0, 0])
            record[0] += n == 0
            record[1] += 1

    def figures(self) -> dict[str, Any]:
        """Games, wins, win rate with its 95 % interval, the even share, mean place, and games and wins by house."""
        low, high = wilson(self.wins, self.games)
        n = max(1, self.games)
        return {
            "games": self.games,
            "wins": self.wins,
            "rate": round(self.wins / n, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "even": round(self.share / n, 4),
            "place": round(self.places / n, 3),
            "rounds": round(self.rounds / n, 2),
            "houses": {house: {"wins": w, "games": g} for house, (w, g) in sorted(self.houses.items())},
        }


def tallied(judged: dict[str, list[int]], scores: Iterable[Score]) -> dict[str, Tally]:
    """A tally for each name, of the places that play under it."""
    tallies = {name: Tally(places) for name, places in judged.items()}
    for score in scores:
        for tally in tallies.values():
            tally.add(score)
    return tallies
