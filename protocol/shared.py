"""Messages for a whole room: the public part packed once, a seat's own part put behind it.

What a room shows is the same for everybody but for `you`. So the public part of an `update` or `snapshot` is encoded
once in each wire format in use; a seat's frame is those bytes and the bytes of its own part.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol

from protocol.wire import Format, Frame, pack, to_json

_Doc = dict[str, Any]


class SharedMessage(Protocol):
    """A message to everybody in a room, in one wire format."""

    def for_spectator(self) -> Frame:
        """The frame for whoever has no seat, and for a seat of which only the public part changed."""

    def for_seat(self, you: _Doc | None) -> Frame:
        """The frame with `you` in it: a snapshot's whole part, an update's patch of it. None: as for a spectator."""


def shared_update(room: str, seq: int, patch: _Doc, events: list[_Doc], fmt: Format) -> SharedMessage:
    """An `update`; `patch` is the public one, without `you`."""
    return _SHARED[fmt]({"type": "update", "room": room, "seq": seq, "events": events}, "patch", patch)


def shared_snapshot(room: str, seq: int, view: _Doc, fmt: Format) -> SharedMessage:
    """A `snapshot`; `view` is the public document, without `you`."""
    return _SHARED[fmt]({"type": "snapshot", "room": room, "seq": seq}, "view", view)


class _SharedMsgpack:
    """The message is one map; its last entry is the public map, and that one's last entry is `you`."""

    def __init__(self, head: _Doc, name: str, public: _Doc) -> None:
        self._start = _map_header(len(head) + 1) + _entries(head) + pack(name)
        self._size = len(public)
        self._public = _entries(public)
        self._spectator: bytes | None = None

    def for_spectator(self) -> bytes:
        if self._spectator is None:
            self._spectator = self._start + _map_header(self._size) + self._public
        return self._spectator

    def for_seat(self, you: _Doc | None) -> bytes:
        if you is None:
            return self.for_spectator()
        return b"".join((self._start, _map_header(self._size + 1), self._public, _YOU, pack(you)))


class _SharedJson:
    """The same in JSON; the braces of both maps are closed behind `you`."""

    def __init__(self, head: _Doc, name: str, public: _Doc) -> None:
        start = f'{to_json(head)[:-1]},"{name}":{to_json(public)[:-1]}'
        self._spectator = start + "}}"
        self._seat = start + (',"you":' if public else '"you":')

    def for_spectator(self) -> str:
        return self._spectator

    def for_seat(self, you: _Doc | None) -> str:
        return self._spectator if you is None else f"{self._seat}{to_json(you)}}}}}"


_SHARED: Final[dict[Format, Callable[[_Doc, str, _Doc], SharedMessage]]] = {
    "msgpack": _SharedMsgpack,
    "json": _SharedJson,
}


_YOU: Final = pack("you")


def _map_header(size: int) -> bytes:
    """How MessagePack begins a map of `size` entries."""
    if size < 16:
        return bytes((0x80 | size,))
    return b"\xde" + size.to_bytes(2, "big") if size < 2**16 else b"\xdf" + size.to_bytes(4, "big")


def _entries(mapping: _Doc) -> bytes:
    """The entries of a map in MessagePack, without its header."""
    return pack(mapping)[len(_map_header(len(mapping))) :]
