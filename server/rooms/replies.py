"""Requests that arrive twice are applied once (INTERFACE section 2, `id`)."""

import hashlib
from collections.abc import Callable

import msgspec
from msgspec import Struct

from protocol.messages import AnswerPrompt, AnyServerMessage, CreateRoom, Host, Retract, Say, TakeSeat, Vote
from server.game.refused import Refused
from server.rooms.effects import Effects, refusal

Request = CreateRoom | TakeSeat | AnswerPrompt | Retract | Say | Vote | Host
"""What changes something. To enter, to leave and to list may be done again as they are."""

KEPT = 256
"""How many requests of one sender are remembered."""


CONFLICT = Refused(
    "id_conflict",
    "This id was used for another request.",
    path="id",
    hint="Give every new request an id of its own; repeat an id only with the very same request.",
)


class First(Struct, frozen=True, gc=False):
    """The first reply to a request, and the fingerprint of that request. There are hundreds for every seat."""

    body: bytes
    reply: AnyServerMessage


class Replies:
    """The first reply to each of the last requests of one seat, host or connection."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self.first: dict[str, First] = {}
        """By request id, the oldest first."""

    def once(self, request: Request, work: Callable[[bytes], Effects]) -> Effects:
        """Do the work of a request that is new, given its fingerprint; give one that came before its first reply again.

        Refusals are replies like any other. Only a fault of ours is not remembered, so that the same request may be
        tried again. The same id with another body is refused as `id_conflict`.
        """
        body = fingerprint(request)
        first = self.first.get(request.id)
        if first is not None and first.body == body:
            return Effects(first.reply)
        if first is not None:
            return Effects(refusal(CONFLICT, request.id))
        try:
            effects = work(body)
        except Refused as refused:
            effects = Effects(refusal(refused, request.id))
        known = request.id in self.first  # the room has remembered it already, with what it changed
        if effects.reply is not None and effects.fault is None and not known:
            self.remember(request.id, body, effects.reply)
        return effects

    def remember(self, request: str, body: bytes, reply: AnyServerMessage) -> None:
        """This was the reply to the request of that id and fingerprint."""
        self.first[request] = First(body, reply)
        if len(self.first) > self._kept:
            del self.first[next(iter(self.first))]

    def forget(self, request: str) -> None:
        """The request has come to nothing: asked again it is done anew."""
        self.first.pop(request, None)


def fingerprint(request: Request) -> bytes:
    """A hash of the whole request, the same whatever wire format and order of keys it came in."""
    return hashlib.sha256(msgspec.msgpack.encode(request, order="sorted")).digest()
