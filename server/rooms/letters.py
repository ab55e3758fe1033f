"""What a room sends: each letter is packed at most once for a wire format, however many receive it."""

from typing import Any, NamedTuple, Protocol

import msgspec

from protocol.messages import Presence, Private, Said
from protocol.shared import SharedMessage, shared_snapshot, shared_update
from protocol.wire import Format, Frame, encode, pack
from server.rooms.audience import Viewer


class Letter(Protocol):
    """Something to deliver."""

    room: str
    fresh: bool
    """Whether it can be understood without what was sent before."""
    talk: bool
    """Whether it is press, which nothing makes up for."""

    def frame(self, viewer: Viewer, fmt: Format) -> Frame:
        """The bytes for one viewer."""


class Note:
    """A message that is the same for everybody who gets it."""

    fresh = False

    def __init__(self, message: Presence | Private | Said) -> None:
        self.room = message.room
        self.message = message
        self.talk = isinstance(message, Said)
        self._frames: dict[Format, Frame] = {}

    def frame(self, viewer: Viewer, fmt: Format) -> Frame:
        """The message, packed."""
        if fmt not in self._frames:
            self._frames[fmt] = encode(self.message, fmt)
        return self._frames[fmt]


class _Change(NamedTuple):
    patch: dict[str, Any]
    events: list[dict[str, Any]]
    you: dict[str, dict[str, Any]]


_unpack = msgspec.msgpack.Decoder(_Change).decode


class Update:
    """A numbered change: one public part for all, and the seats' own parts, each for that seat alone."""

    fresh = False
    talk = False

    def __init__(
        self,
        room: str,
        seq: int,
        patch: dict[str, Any],
        events: list[dict[str, Any]],
        you: dict[str, dict[str, Any]],
    ) -> None:
        self.room = room
        self.seq = seq
        self._change: _Change | bytes = _Change(patch, events, you)
        self._shared: dict[Format, SharedMessage] = {}

    @property
    def change(self) -> "_Change":
        """What it tells."""
        return _unpack(self._change) if isinstance(self._change, bytes) else self._change

    def pack_up(self) -> None:
        """Take less room, and none of the garbage collector's time: it is probably not needed any more."""
        if not isinstance(self._change, bytes):
            self._change = pack(self._change)
            self._shared.clear()

    def frame(self, viewer: Viewer, fmt: Format) -> Frame:
        """The update as this viewer gets it."""
        shared = self._shared.get(fmt)
        if shared is None:
            patch, events, _ = self.change
            shared = self._shared[fmt] = shared_update(self.room, self.seq, patch, events, fmt)
        return shared.for_spectator() if viewer is None else shared.for_seat(self.change.you.get(viewer))


class Whole:
    """A snapshot: the public document and, for a seat, its own part."""

    fresh = True
    talk = False

    def __init__(self, room: str, seq: int, public: dict[str, Any]) -> None:
        self.room = room
        self.seq = seq
        self.public = public
        self.you: dict[str, Any] | None = None
        self._shared: dict[Format, SharedMessage] = {}

    def for_seat(self, you: dict[str, Any]) -> "Whole":
        """The same snapshot with a seat's own part; the public part is not packed again."""
        seen = Whole(self.room, self.seq, self.public)
        seen.you, seen._shared = you, self._shared
        return seen

    def frame(self, viewer: Viewer, fmt: Format) -> Frame:
        """The snapshot, packed."""
        shared = self._shared.get(fmt)
        if shared is None:
            shared = self._shared[fmt] = shared_snapshot(self.room, self.seq, self.public, fmt)
        return shared.for_spectator() if self.you is None else shared.for_seat(self.you)
