"""What a frame is checked against: msgspec prepares a struct once, a bare union at every call."""

from msgspec import Struct

from protocol.messages import AnyClientMessage, AnyServerMessage


class FromClient(Struct):
    """Any message of a client."""

    message: AnyClientMessage


class FromServer(Struct):
    """Any message of a server."""

    message: AnyServerMessage
