"""Records the games of this folder: all player counts, with and without Tides of Battle, by players that try everything."""

from collections import Counter
from pathlib import Path
from random import Random

from server.replay.record import Recorder, write
from tests.soak.seeking import remember, seek

FOLDER = Path(__file__).parent


def record(number: int, players: int, *, tides: bool) -> None:
    """Plays and writes one game."""
    rng, seen = Random(number), Counter[str]()
    recorder = Recorder(players, number.to_bytes(16, "big"), tides=tides)
    while not recorder.game.over:
        house = rng.choice(recorder.game.waiting)
        prompt = recorder.game.state.prompts[house]
        answer = seek(prompt, rng, seen)
        remember(prompt, answer, seen)
        recorder.submit(house, prompt.id, answer)
    write(recorder.record(), FOLDER / f"{players}-players{'-tides' if tides else ''}.json")


if __name__ == "__main__":
    for players in (3, 4, 5, 6):
        for tides in (False, True):
            record(100 + players, players, tides=tides)
