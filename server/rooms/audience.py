"""Who receives a room, and as whom."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

from protocol.messages import AnyServerMessage
from protocol.wire import Format, Frame

Viewer: TypeAlias = str | None
"""A house, or None for a spectator."""


class Listener(Protocol):
    """A connection as a room sees it. Neither call may wait or raise: a slow reader is its own affair."""

    @property
    def format(self) -> Format:
        """The wire format it speaks."""

    def reply(self, frame: Frame) -> None:
        """Take what must not be lost: the answer to something this connection asked, or talk."""

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        """Take news of a room, which a snapshot may replace; `fresh` news is one, and needs nothing that was sent before."""


Send: TypeAlias = Callable[[Listener, AnyServerMessage | None], None]
"""Sends a reply to a connection, at once, if there is one."""


class Audience:
    """The connections that entered a room. A seat is present while at least one entered with its token."""

    def __init__(self) -> None:
        self._viewers: dict[Listener, Viewer] = {}
        self._present: dict[Viewer, dict[Listener, None]] = {}

    def __contains__(self, listener: Listener) -> bool:
        return listener in self._viewers

    def __bool__(self) -> bool:
        return bool(self._viewers)

    def enter(self, listener: Listener, viewer: Viewer) -> None:
        """Let a connection in, or let it see the room as somebody else from now on."""
        self.leave(listener)
        self._viewers[listener] = viewer
        self._present.setdefault(viewer, {})[listener] = None

    def leave(self, listener: Listener) -> None:
        """Let a connection go, if it is here."""
        if listener in self._viewers:
            viewer = self._viewers.pop(listener)
            del self._present[viewer][listener]
            if not self._present[viewer]:
                del self._present[viewer]

    def viewer(self, listener: Listener) -> Viewer:
        """As whom a connection entered. Raises KeyError if it did not."""
        return self._viewers[listener]

    def present(self, viewer: Viewer) -> bool:
        """Whether anybody sees the room as this viewer."""
        return viewer in self._present

    def everybody(self, but: Listener | None = None) -> list[tuple[Listener, Viewer]]:
        """Everybody who is here now, but for one. A list of its own: what is decided now may be delivered later."""
        return [pair for pair in self._viewers.items() if pair[0] is not but]

    def watchers(self) -> list[Listener]:
        """The connections that only watch."""
        return list(self._present.get(None, ()))

    def of(self, house: str) -> list[tuple[Listener, Viewer]]:
        """The connections of one seat."""
        return [(listener, house) for listener in self._present.get(house, ())]
