"""The kinds of players there are."""

from collections.abc import Callable
from typing import Final

from server.bots.drawing import drawing_player
from server.bots.player import Choose
from server.bots.regent.player import regent
from server.bots.steward.player import steward

BUDGET: Final = 50.0
"""Milliseconds that a searching player thinks about a decision that matters, unless told otherwise."""

KINDS: Final[dict[str, Callable[[str, float], Choose]]] = {
    "random": lambda seed, budget: drawing_player(seed),
    "steward": lambda seed, budget: steward(seed),
    "regent": lambda seed, budget: regent(seed, budget=budget),
}
"""By name: what makes a player of the kind from a seed and a budget in milliseconds. Only those that search use the budget."""

SEARCHING: Final = frozenset({"regent"})
"""Kinds that think long enough to keep an event loop waiting."""


def player(kind: str, seed: str, *, budget: float = BUDGET) -> Choose:
    """A new player. Raises `KeyError` for a kind that does not exist."""
    return KINDS[kind](seed, budget)
