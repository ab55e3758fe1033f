"""The player that draws its answers: any legal one, all alike. It finds what a game can do, and loses to everybody else."""

from collections.abc import Callable
from random import Random
from typing import Any

from protocol.answers import AnyAnswer
from protocol.legal import draw
from protocol.prompts import AnyPrompt

Choose = Callable[[AnyPrompt, dict[str, Any]], AnyAnswer]
"""What makes a player: from a prompt and the view of the seat to an answer."""


def drawing_player(seed: str) -> Choose:
    """A player whose answers depend on its seed and its prompts alone."""
    rng = Random(seed)  # noqa: S311 - the bots' own dice; the game has its own

    def choose(prompt: AnyPrompt, view: dict[str, Any]) -> AnyAnswer:
        return draw(prompt, rng)

    return choose
