"""The last changes of a room, for those who were away for a moment."""

from collections import deque

from server.rooms.letters import Update

KEPT = 64
FRESH = 4
"""So many of the last are as they were when they were made; older ones are packed up."""


class History:
    """A ring of the last updates: either it holds everything since a seq, or it says that it does not."""

    def __init__(self, kept: int = KEPT) -> None:
        self._ring: deque[Update] = deque(maxlen=kept)

    def add(self, update: Update) -> None:
        """Remember an update; its seq is one above the last one's."""
        assert not self._ring or update.seq == self._ring[-1].seq + 1
        self._ring.append(update)
        if len(self._ring) > FRESH:
            self._ring[-FRESH - 1].pack_up()

    def since(self, seq: int, now: int) -> list[Update] | None:
        """All updates after `seq` up to `now`, in order; None if some are gone or `seq` has not been yet."""
        missed = now - seq
        if not 0 <= missed <= len(self._ring):
            return None
        return list(self._ring)[len(self._ring) - missed :]
