"""Playing the games: which number plays which game, what is checked, what comes back."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from server.game.game import Game
from tests.game import invariants
from tests.game.games import new_game, twin
from tests.soak.kinds import of_events, of_prompts
from tests.soak.seeking import remember, seek


@dataclass
class Tally:
    """What some games brought."""

    games: int = 0
    answers: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.answers += other.answers
        self.kinds.update(other.kinds)


class Broken(Exception):
    """A game in which something went wrong: its number plays it again."""


def play(numbers: Iterable[int]) -> Tally:
    """Plays the games of these numbers with all checks; raises `Broken`."""
    tally, seen = Tally(), Counter[str]()
    for number in numbers:
        try:
            _play_one(number, tally, seen)
        except Exception as fault:
            raise Broken(f"game {number}, answer {tally.answers}: {type(fault).__name__}: {fault}") from fault
        tally.games += 1
    return tally


def _play_one(number: int, tally: Tally, seen: Counter[str]) -> None:
    rng = Random(number)
    game = new_game(number, 3 + number % 4, tides=number % 8 >= 4)
    memory = invariants.Remembering(game)
    tally.kinds.update(of_prompts(game))
    while not game.over:
        house = rng.choice(game.waiting)
        prompt = game.state.prompts[house]
        answer = seek(prompt, rng, seen)
        remember(prompt, answer, seen)
        events = game.submit(house, prompt.id, answer)
        tally.answers += 1
        invariants.check(game)
        memory.check(game)
        tally.kinds.update(of_events(events))
        tally.kinds.update(of_prompts(game))
        if tally.answers % 7 == 0:
            game = _stored_and_loaded(game)


def _stored_and_loaded(game: Game) -> Game:
    """The same game from its dump: nothing may change by it."""
    copy = twin(game)
    assert copy.dump() == game.dump()
    assert copy.public() == game.public()
    return copy
