"""One game of a league."""

from msgspec import Struct

from server.bots.kinds import player
from server.lab.lab import Lab


class Fixture(Struct, frozen=True):
    """A game to be played: the kinds at the table, how many seats they have moved on, and its seed."""

    number: int
    table: tuple[str, ...]
    turn: int
    seed: int
    tides: bool = False
    budget: float = 0.0


class Score(Struct, frozen=True):
    """How a game ended: the places at the table and the houses that they had, the best first."""

    number: int
    places: tuple[int, ...]
    houses: tuple[str, ...]
    rounds: int
    reason: str
    answers: int


def fixtures(
    table: tuple[str, ...], games: int, seed: int, *, tides: bool = False, budget: float = 0.0
) -> list[Fixture]:
    """The games of a league: everybody moves one seat on each time; each game has luck of its own, from seed and number."""
    return [Fixture(n, table, n % len(table), seed * 1_000_003 + n, tides, budget) for n in range(games)]


def play(fixture: Fixture) -> Score:
    """Plays a game to its end. Every player sees only the document of its own seat."""
    table = fixture.table
    lab = Lab.new(len(table), fixture.seed, tides=fixture.tides)
    places = {house: (n - fixture.turn) % len(table) for n, house in enumerate(lab.houses)}
    players = {
        house: player(table[place], f"{fixture.seed}:{house}", budget=fixture.budget) for house, place in places.items()
    }
    answers = 0
    while not lab.over:
        house = lab.waiting[0]
        lab.play(house, players[house](lab.prompt(house), lab.observe(house)))
        answers += 1
    assert lab.result
    standing = lab.result.standing
    return Score(
        fixture.number,
        tuple(places[house] for house in standing),
        standing,
        lab.spectate()["round"],
        lab.result.reason,
        answers,
    )
