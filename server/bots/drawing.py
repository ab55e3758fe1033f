"""The player that draws its answers: any legal one, all alike. It finds what a game can do, and loses to everybody else."""

from random import Random

from protocol.answers import AnyAnswer
from protocol.legal import draw
from protocol.prompts import AnyPrompt
from server.bots.player import Choose, View


def drawing_player(seed: str) -> Choose:
    """A player whose answers depend on its seed and its prompts alone."""
    rng = Random(seed)  # noqa: S311 - the bots' own dice; the game has its own

    def choose(prompt: AnyPrompt, view: View) -> AnyAnswer:
        return draw(prompt, rng)

    return choose
