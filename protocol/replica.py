"""A room's document as the server has shown it so far. Sans-I/O: messages go in, the current state is there to read."""

from typing import Any, Literal, TypeAlias

import msgspec

from protocol import patch
from protocol.messages import Presence, Private, Snapshot, Update
from protocol.prompts import AnyPrompt

Change: TypeAlias = Snapshot | Update | Private | Presence
"""A message that changes the document."""


class _Asked(msgspec.Struct):
    prompt: AnyPrompt | None = None


class Replica:
    """One viewer's copy of one room."""

    def __init__(self) -> None:
        self.view: dict[str, Any] = {}
        """The document; replaced, never changed, so what was read from it stays as it was."""
        self.seq: int | None = None
        """The number of the last change that is in `view`; None before the first snapshot."""

    def feed(self, message: Change) -> Literal["new", "old", "gap"]:
        """Follow a message. `old`: it was known already; `gap`: one before it is missing, so nothing was done."""
        match message:
            case Snapshot():
                self.view, self.seq = message.view, message.seq
                return "new"
            case Update():
                if self.seq is None or message.seq > self.seq + 1:
                    return "gap"
                if message.seq <= self.seq:
                    return "old"
                self.view, self.seq = patch.apply(self.view, message.patch), message.seq
                return "new"
            case Private():
                if self.seq is None or message.seq > self.seq:
                    return "gap"
                if message.seq < self.seq:
                    return "old"
                self.view = self.view | {"you": message.you}
                return "new"

            case Presence():
                houses = self.view.get("houses", {})
                here = {h: part | {"connected": h in message.connected} for h, part in houses.items() if "name" in part}
                self.view = self.view | {"houses": houses | here} if here else self.view
                return "new"

    @property
    def prompt(self) -> AnyPrompt | None:
        """What the viewer is asked now, if anything; raises `msgspec.ValidationError` for a prompt not known here."""
        return msgspec.convert(self.view.get("you", {}), _Asked).prompt

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.view.get("phase") == "over")
