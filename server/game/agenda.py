"""What is still to be done, as data: a stack of steps (play.py plays one input through them).

A step on top of the stack runs: it finishes, puts further steps on top of itself, or asks houses and waits. All open prompts
belong to the step on top. Nothing of the flow lives anywhere else, so a game can be stored and resumed at any decision.
"""

from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct, convert, to_builtins

if TYPE_CHECKING:
    from server.game.play import Play


class Step(Struct, frozen=True, tag_field="step"):
    """One thing to be done. Subclasses are found by their name when a game is loaded."""

    kinds: ClassVar[dict[str, type["Step"]]] = {}
    sealed: ClassVar[bool] = False
    """Whether answers stay secret until everybody has answered."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        Step.kinds[cls.__name__] = cls

    def run(self, play: "Play") -> None:
        """Works until the step finishes, puts others on top of itself, or has asked somebody."""
        raise NotImplementedError

    def check(self, play: "Play", house: str, prompt: Any, answer: Any) -> None:
        """Raises `Refused` if a sealed answer is against the rules; changes nothing."""

    def take(self, play: "Play", house: str, prompt: Any, answer: Any) -> None:
        """Carries out the answer to a prompt, which is closed already; raises `Refused` if it is against the rules."""
        raise NotImplementedError

    def reveal(self, play: "Play", answers: dict[str, Any]) -> None:
        """Carries out all sealed answers together, by house in turn order."""
        raise NotImplementedError


def revive(steps: tuple[Any, ...]) -> tuple[Step, ...]:
    """The steps of a stored game, which come as plain maps."""
    return tuple(convert(s, Step.kinds[s["step"]]) if isinstance(s, dict) else s for s in to_builtins(steps))
