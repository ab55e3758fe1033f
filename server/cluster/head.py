"""What a frame for a client is, without looking at all of it."""

import msgspec
from msgspec import Struct

from protocol.wire import Frame


class Head(Struct, frozen=True):
    """The fields of any message of the server that tell which one it is."""

    type: str
    id: str | None = None
    code: str = ""
    seq: int = 0
    at: int = 0


_msgpack = msgspec.msgpack.Decoder(Head)
_json = msgspec.json.Decoder(Head)


def head(frame: Frame) -> Head:
    """The head of a frame that the server made itself."""
    return _json.decode(frame) if isinstance(frame, str) else _msgpack.decode(frame)
