"""What waits to be written to one connection, within bounds.

Whoever does not keep up with its rooms loses their letters, not its replies: the queue is thinned out and every room
that lost one owes a snapshot. While it owes one, further letters of that room would be of no use and are dropped too.
If the connection has not caught up when as much again has been lost, it is given up. What comes in a burst, faster than
anybody could have written it, is no reason for that: first the socket is given what it takes.
"""

from collections.abc import Callable
from typing import NamedTuple

from protocol.wire import Frame
from server.eyes.meters import Meters


class Stale(NamedTuple):
    """All that waited is written, and this room owes a snapshot."""

    room: str


class Close(NamedTuple):
    """All that had to be written is written: close with this code."""

    code: int
    reason: str


class _Waiting(NamedTuple):
    frame: Frame
    room: str | None
    since: float
    """When the commit ended that it is the news of; 0 if it is something else."""


class Outbox:
    """A bounded queue of frames. Nothing here waits; `wake` is called when there is something to do."""

    def __init__(self, max_frames: int, max_bytes: int, wake: Callable[[], None], meters: Meters | None = None) -> None:
        """How long news takes is counted in `meters`."""
        self._meters = meters or Meters()
        self.closing: Close | None = None
        self.overrun = False
        """Whether the connection was given up: there is no point in writing what waits."""
        self.guard: Callable[[str], bool] | None = None
        """Where there are several nodes: whether news of a room may still be written. It is asked at the last moment."""
        self.relieve: Callable[[], None] = lambda: None
        """Has the socket take what it can at once, by `frame`; whoever writes to it sets it."""
        self._max_frames = max_frames
        self._max_bytes = max_bytes
        self._wake = wake
        self._waiting: list[_Waiting] = []
        self._bytes = 0
        self._stale: dict[str, bool] = {}
        """Rooms that lost letters, and whether their snapshot has been asked for."""
        self._thinned = False
        self._lost_frames = 0
        self._lost_bytes = 0

    @property
    def size(self) -> int:
        """Bytes that wait."""
        return self._bytes

    def reply(self, frame: Frame) -> None:
        """Queue what this connection asked for, or talk; it is never dropped."""
        self._put(frame, None, 0.0)

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        """Queue news of a room, to be dropped if the connection does not keep up; `fresh` news is a snapshot."""
        if fresh:
            self.forget(room)
        if room in self._stale:
            self._lost_frames += 1
            self._lost_bytes += len(frame)
            if self._over(self._lost_frames, self._lost_bytes):
                self._give_up()
        else:
            self._put(frame, room, self._meters.committed)

    def forget(self, room: str) -> None:
        """This room owes no snapshot any more."""
        self._stale.pop(room, None)

    def close(self, code: int, reason: str) -> None:
        """Write what waits, then close. Only the first code counts; nothing more is queued."""
        if self.closing is None:
            self.closing = Close(code, reason)
            self._wake()

    def next(self) -> Frame | Stale | Close | None:
        """What to do next; None if there is nothing. What is given out is gone from here."""
        if (frame := self.frame()) is not None:
            return frame
        if self.closing is not None:
            return self.closing
        for room, asked in self._stale.items():
            if not asked:
                self._stale[room] = True
                return Stale(room)
        if not self._stale:
            self._thinned = False
            self._lost_frames = self._lost_bytes = 0
        return None

    def frame(self) -> Frame | None:
        """The next frame to write; None if none waits."""
        while self._waiting:
            waiting = self._waiting.pop(0)
            self._bytes -= len(waiting.frame)
            if waiting.room is None or self.guard is None or self.guard(waiting.room):
                if waiting.since:
                    self._meters.delivered(waiting.since)
                return waiting.frame
            self._recall(waiting.room)
        return None

    def _recall(self, room: str) -> None:
        """Nothing that waits of a room may be written any more: it owes a snapshot."""
        self._stale.setdefault(room, False)
        self._waiting = [waiting for waiting in self._waiting if waiting.room != room]
        self._bytes = sum(len(waiting.frame) for waiting in self._waiting)

    def _put(self, frame: Frame, room: str | None, since: float) -> None:
        if self.closing is not None:
            return
        self._waiting.append(_Waiting(frame, room, since))
        self._bytes += len(frame)
        if self._over(len(self._waiting), self._bytes):
            self.relieve()
            if self._over(len(self._waiting), self._bytes):
                self._thin_out()
        self._wake()

    def _thin_out(self) -> None:
        if self._thinned:
            self._give_up()
            return
        self._thinned = True
        self._stale |= {waiting.room: False for waiting in self._waiting if waiting.room is not None}
        self._waiting = [waiting for waiting in self._waiting if waiting.room is None]
        self._bytes = sum(len(waiting.frame) for waiting in self._waiting)
        if self._over(len(self._waiting), self._bytes):
            self._give_up()

    def _over(self, frames: int, size: int) -> bool:
        return frames > self._max_frames or size > self._max_bytes

    def _give_up(self) -> None:
        self.overrun = True
        self._waiting.clear()
        self._bytes = 0
        self._stale.clear()
        self.close(1013, "too slow: connect again and enter your rooms")
