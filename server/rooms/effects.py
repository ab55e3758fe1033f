"""What a room decided. It is settled when the input is taken and delivered afterwards, in the same order."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import UNSET

from protocol.messages import AnyServerMessage, Error
from server.game.refused import Refused
from server.rooms.archive import Spoken
from server.rooms.audience import Listener, Viewer
from server.rooms.entries import AnyEntry
from server.rooms.letters import Letter


class Post(NamedTuple):
    """A letter and who gets it: those who were in the room when it was decided."""

    to: Sequence[tuple[Listener, Viewer]]
    letter: Letter
    own: bool = False
    """Whether it is for these alone, who asked for it or need it now, whatever others are told meanwhile."""


class Effects(NamedTuple):
    """The reply to who asked, then letters, in order, both to be delivered once `entries` and `spoken` are durable.

    `fault` is an exception that must not happen, for the log.
    """

    reply: AnyServerMessage | None = None
    posts: Sequence[Post] = ()
    fault: Exception | None = None
    entries: Sequence[AnyEntry] = ()
    spoken: Spoken | None = None


def internal(request: str, fault: Exception) -> Effects:
    """The reply to a request that ran into a fault of ours. Nothing of the fault is told."""
    error = Error("internal", "The server has run into a fault; nothing has changed.", id=request)
    return Effects(error, fault=fault)


def refusal(refused: Refused, request: str) -> Error:
    """A refusal as the message that the client gets."""
    return Error(
        code=refused.code,
        message=refused.message,
        id=request,
        path=refused.path or UNSET,
        hint=refused.hint or UNSET,
        rules=list(refused.rules) or UNSET,
        needed=UNSET if refused.needed is None else refused.needed,
        total=UNSET if refused.total is None else refused.total,
        prompt=UNSET if refused.prompt is None else refused.prompt,
    )
