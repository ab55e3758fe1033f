"""Pieces of what a client sends that are one whole message each: they need no parser, no queue and no task.

Nearly all are, since clients send a message in one go and it is small. The library reads everything else: messages in
several parts, several in one piece, pings, and whatever is wrong.
"""

from typing import Final

from protocol.wire import Frame

try:
    from websockets.speedups import apply_mask
except ImportError:  # where the library was installed without its compiled part
    from websockets.utils import apply_mask

TEXT: Final = 0x81
BINARY: Final = 0x82
"""The first byte of a frame that is a whole message (RFC 6455, 5.2)."""
MASKED: Final = 0x80
TWO, EIGHT = 126, 127
"""What stands in the place of a length that takes two or eight bytes."""
END: Final = b"\r\n\r\n"
"""After it, the handshake is over and the first frame begins."""


class Boundary:
    """Follows what comes from a client, from its handshake on, to know whether the next piece begins a frame."""

    __slots__ = ("_begun", "_left", "_shaken")

    def __init__(self) -> None:
        self._shaken = False
        self._begun = b""
        """The beginning of a frame's head, or what may be of the handshake's end."""
        self._left = 0
        """Bytes that are still to come of a frame."""

    @property
    def here(self) -> bool:
        """Whether a frame begins with what comes next."""
        return self._shaken and not self._left and not self._begun

    def follow(self, piece: bytes) -> None:
        """A piece came, whatever it is."""
        rest, self._begun = self._begun + piece, b""
        if not self._shaken:
            head, end, rest = rest.partition(END)
            if not end:
                self._begun = head[1 - len(END) :]
                return
            self._shaken = True
        while rest:
            if not self._left:
                size = _size(rest)
                if size is None:
                    self._begun = rest
                    return
                self._left = size
            of_it = min(self._left, len(rest))
            self._left, rest = self._left - of_it, rest[of_it:]


def _size(begun: bytes) -> int | None:
    """How many bytes a client's frame has with its head, of which these are the first; None if they do not tell yet."""
    if len(begun) < 2:
        return None
    size, more = begun[1] % MASKED, 0
    if size >= TWO:
        more = 2 if size == TWO else 8
        if len(begun) < 2 + more:
            return None
        size = int.from_bytes(begun[2 : 2 + more], "big")
    return 2 + more + (4 if begun[1] >= MASKED else 0) + size


def message(piece: bytes) -> Frame | None:
    """The message in a piece that is just one frame with all of it; None if the piece is anything else."""
    if len(piece) < 6:
        return None
    kind, size, start = piece[0], piece[1] - MASKED, 6
    if size == TWO:
        size, start = int.from_bytes(piece[2:4], "big"), 8
    if kind not in (BINARY, TEXT) or size < 0 or piece[1] == MASKED + EIGHT or len(piece) != start + size:
        return None
    data = apply_mask(piece[start:], piece[start - 4 : start])
    if kind == BINARY:
        return data
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
