"""The game's own chance: a stream of numbers made from the seed by SHA-256, the same on every Python and platform."""

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from msgspec import Struct

T = TypeVar("T")


class Chance(Struct, frozen=True):
    """Where the stream stands: the seed (hex) and how many numbers were taken."""

    seed: str
    taken: int = 0

    def below(self, n: int) -> tuple[int, "Chance"]:
        """A number from 0 to n - 1, all equally likely, and the stream after it."""
        taken = self.taken
        top = 2**64 - 2**64 % n
        while True:
            block = sha256(f"{self.seed}:{taken}".encode()).digest()
            taken += 1
            number = int.from_bytes(block[:8], "big")
            if number < top:
                return number % n, Chance(self.seed, taken)

    def shuffled(self, cards: Sequence[T]) -> tuple[tuple[T, ...], "Chance"]:
        """The cards in random order (Fisher-Yates), and the stream after it."""
        deck, chance = list(cards), self
        for last in range(len(deck) - 1, 0, -1):
            pick, chance = chance.below(last + 1)
            deck[last], deck[pick] = deck[pick], deck[last]
        return tuple(deck), chance
