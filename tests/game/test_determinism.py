"""The same inputs give the same game, byte for byte, whatever the hash seed and the Python."""

import os
import subprocess
import sys
from hashlib import sha256
from random import Random

import msgspec
import pytest

from tests.game.games import new_game, play_on

GAMES = ((1, 3, False), (2, 4, True), (3, 5, False), (4, 6, True))


def fingerprint() -> str:
    """Everything some games told and showed, in one hash."""
    told = sha256()
    for number, players, tides in GAMES:
        game = new_game(number, players, tides=tides)
        for house, prompt, answer, events in play_on(game, Random(number)):
            told.update(msgspec.json.encode([house, prompt, answer, events, game.public(), game.you(house)]))
        told.update(game.dump())
    return told.hexdigest()


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_hash_seed_changes_nothing(hash_seed):
    run = subprocess.run(
        [sys.executable, "-c", "from tests.game.test_determinism import fingerprint; print(fingerprint())"],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == fingerprint()
