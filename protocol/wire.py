"""Frames to messages and back, in both wire formats, within bounds.

A frame of `marchwarden.v1.msgpack` is `bytes`, one of `marchwarden.v1.json` is `str`: just as `websockets` gives and
takes binary and text frames. Whatever is wrong with a frame ends in one exception, `WireError`. Nothing is coerced.
"""

import json
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any, Final, Literal, NamedTuple, NoReturn, TypeAlias, cast

import msgpack  # type: ignore[import-untyped]  # it has no hints, and no stubs of its own
import msgspec
import msgspec.inspect
from msgspec import UNSET

from protocol.envelope import FromClient, FromServer
from protocol.explain import Fault, Twice, clip, find_fault
from protocol.messages import AnyClientMessage, AnyServerMessage, ClientMessage, Error, ServerMessage

Format: TypeAlias = Literal["msgpack", "json"]
Frame: TypeAlias = bytes | str

SUBPROTOCOLS: Final[dict[str, Format]] = {"marchwarden.v1.msgpack": "msgpack", "marchwarden.v1.json": "json"}
"""The format that each WebSocket subprotocol speaks, the preferred one first."""
MAX_CLIENT_FRAME: Final = 64 * 1024
MAX_SERVER_FRAME: Final = 4 * 1024 * 1024


class WireError(Exception):
    """A frame that is no message.

    `code` is `bad_message` or `too_large`, `path` names the field, `hint` the remedy, `id` is the message's if legible.
    """

    def __init__(self, code: str, message: str, path: str = "", hint: str = "", id: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.hint = hint
        self.id = id

    def to_message(self) -> Error:
        """The `error` message that tells the sender."""
        return Error(self.code, self.message, id=self.id or UNSET, path=self.path or UNSET, hint=self.hint or UNSET)


def encode(message: ClientMessage | ServerMessage, fmt: Format) -> Frame:
    """The frame of a message: `bytes` for msgpack, `str` for JSON."""
    return pack(message) if fmt == "msgpack" else to_json(message)


def decode_client(frame: Frame, fmt: Format) -> AnyClientMessage:
    """The message in a client's frame, every part of it checked; raises `WireError`."""
    return cast(AnyClientMessage, _decode(frame, fmt, _CLIENT))


def decode_server(frame: Frame, fmt: Format) -> AnyServerMessage:
    """The message in a server's frame; raises `WireError`. The insides of views, patches and events are not checked."""
    return cast(AnyServerMessage, _decode(frame, fmt, _SERVER))


pack: Final = msgspec.msgpack.Encoder().encode
"""Any message or plain data in MessagePack."""


def to_json(data: Any) -> str:
    """Any message or plain data in JSON."""
    return _encode_json(data).decode()


_encode_json = msgspec.json.Encoder().encode

_Pairs: TypeAlias = list[tuple[Any, Any]]


def _mark(pairs: _Pairs) -> dict[Any, Any] | Twice:
    """A map; if a key is there twice, something that fits no type of a client's message."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    return Twice(Counter(key for key, _ in pairs).most_common(1)[0][0])


def _refuse(pairs: _Pairs) -> dict[Any, Any]:
    """A map; where plain data is taken as it is, a key that is there twice is refused at once."""
    found = _mark(pairs)
    if isinstance(found, Twice):
        raise WireError("bad_message", "A map has a key twice.", path=clip(found.key))
    return found


class _Side(NamedTuple):
    """What one side may send: its messages, what to do about double keys, and bounds (in bytes and entries)."""

    envelope: type[FromClient] | type[FromServer]
    pairs: Callable[[_Pairs], Any]
    frame: int
    string: int
    entries: int


_CLIENT = _Side(FromClient, _mark, MAX_CLIENT_FRAME, string=4096, entries=256)
_SERVER = _Side(FromServer, _refuse, MAX_SERVER_FRAME, string=65_536, entries=65_536)


def _decode(frame: Frame, fmt: Format, side: _Side) -> Any:
    document = _unpack(frame, side) if fmt == "msgpack" else _parse(frame, side)
    try:
        return msgspec.convert({"message": document}, side.envelope, strict=True).message
    except msgspec.ValidationError:
        fault = find_fault(document, _messages(side.envelope)) or Fault("", "This is no message.")
        id_ = document.get("id") if isinstance(document, dict) else None
        legible = isinstance(id_, str) and 1 <= len(id_) <= 36
        raise WireError("bad_message", fault.message, fault.path, fault.hint, id_ if legible else None) from None


@cache
def _messages(envelope: type[msgspec.Struct]) -> msgspec.inspect.Type:
    """The type of the messages in an envelope, to be looked at."""
    info = msgspec.inspect.type_info(envelope)
    assert isinstance(info, msgspec.inspect.StructType)
    return info.fields[0].type


def _unpack(frame: Frame, side: _Side) -> Any:
    if isinstance(frame, str):
        raise WireError(
            "bad_message",
            "This is a text frame, but the subprotocol is marchwarden.v1.msgpack.",
            hint="Send binary frames, or ask for the subprotocol marchwarden.v1.json.",
        )
    _check_size(frame, side)
    try:
        return msgpack.unpackb(
            frame,
            object_pairs_hook=side.pairs,
            ext_hook=_refuse_extension,
            max_str_len=side.string,
            max_array_len=side.entries,
            max_map_len=side.entries,
            max_bin_len=0,
            max_ext_len=0,
        )
    except msgpack.ExtraData:
        raise WireError("bad_message", "Bytes follow the message.", hint="Send one message a frame.") from None
    except UnicodeDecodeError:
        raise WireError("bad_message", "A string is not UTF-8.") from None
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise WireError(
            "bad_message",
            "This is not one whole MessagePack message, or it has parts beyond the bounds.",
            hint="Use maps with string keys, lists, strings, integers and booleans; no binary data, no extensions.",
        ) from None


def _check_size(frame: bytes, side: _Side) -> None:
    if len(frame) > side.frame:
        raise WireError("too_large", f"A frame may have {side.frame} bytes.", hint="Send less in one message.")


def _refuse_extension(code: int, data: bytes) -> NoReturn:
    raise ValueError(code)


def _parse(frame: Frame, side: _Side) -> Any:
    if isinstance(frame, bytes):
        raise WireError(
            "bad_message",
            "This is a binary frame, but the subprotocol is marchwarden.v1.json.",
            hint="Send text frames, or ask for the subprotocol marchwarden.v1.msgpack.",
        )
    try:
        _check_size(frame.encode(), side)
        document = _JSON_READERS[side.pairs](frame)
        if "\\u" in frame:  # may spell half a surrogate pair, which nobody could be sent
            json.dumps(document, ensure_ascii=False, default=repr).encode()
        return document
    except json.JSONDecodeError as error:
        raise WireError("bad_message", f"This is not JSON: it goes wrong at character {error.pos}.") from None
    except UnicodeEncodeError:
        raise WireError("bad_message", "A string holds half a surrogate pair.", hint="Send valid Unicode.") from None
    except (ValueError, RecursionError):
        raise WireError("bad_message", "NaN, Infinity, or a number or nesting beyond all use.") from None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


_JSON_READERS: Final[dict[Callable[[_Pairs], Any], Callable[[str], Any]]] = {
    pairs: json.JSONDecoder(object_pairs_hook=pairs, parse_constant=_refuse_constant).decode
    for pairs in (_mark, _refuse)
}
