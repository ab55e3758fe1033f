"""The game as a room sees it. The real one is `server.game.game.Game`; tests put a small one in its place."""

from collections.abc import Sequence
from typing import Any, Protocol

from protocol.answers import AnyAnswer
from protocol.prompts import AnyPrompt


class Play(Protocol):
    """A game that is being played.

    Documents and events are never changed once they are handed out, so a room may compare them or pack them later. A
    part that stayed the same is best the same object as before: comparing then costs nothing.
    """

    @property
    def over(self) -> bool:
        """Whether it has ended."""

    @property
    def owing(self) -> dict[str, int]:
        """The houses that owe an answer, with the ids of their prompts."""

    @property
    def undoable(self) -> int:
        """How many answers may be undone."""

    def prompt(self, house: str) -> AnyPrompt:
        """The open prompt of a house that has one."""

    def submit(self, house: str, prompt: int, answer: AnyAnswer) -> list[dict[str, Any]]:
        """Take an answer and give what happened, in order. Raises Refused, and then nothing has changed."""

    def retract(self, house: str, prompt: int) -> list[dict[str, Any]]:
        """Take back a secret answer and give what happened. Raises Refused, and then nothing has changed."""

    def undo(self) -> list[dict[str, Any]]:
        """Take the last answer back and give what happened. Raises Refused."""

    def public(self) -> dict[str, Any]:
        """The public part of the document."""

    def you(self, house: str) -> dict[str, Any]:
        """The house's own part of the document, its prompt in it."""

    def hash(self) -> str:
        """A fingerprint of the whole game."""

    def dump(self) -> bytes:
        """The whole game as bytes."""


class Rules(Protocol):
    """What makes games."""

    @property
    def version(self) -> int:
        """Grows when the same inputs could give another game."""

    def houses(self, players: int) -> Sequence[str]:
        """The houses in play with that many players."""

    def new(self, players: int, seed: bytes, tides: bool) -> Play:
        """A game at its first decision."""

    def load(self, data: bytes) -> Play:
        """A game from its dump."""
