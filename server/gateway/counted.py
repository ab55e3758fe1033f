"""Sockets that are counted from their first moment, and whose frames are counted before anybody looks at them.

What comes as one whole message goes straight to whoever hears it; the library reads the rest.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from functools import partial

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame
from websockets.protocol import Event, State

from protocol.wire import Frame as Message
from server.bucket import Bucket
from server.config import Config
from server.gateway.address import Network, client_address, trusts
from server.gateway.door import Door
from server.gateway.turns import Turns
from server.gateway.whole import Boundary, message

Hear = Callable[[Message], bool]
"""Takes a message at once; False if it shall wait, behind those that wait already."""

PIECE = memoryview(bytearray(256))
"""What is read of a socket at a time. A quarter of a mebibyte may have come at once, and hold forty thousand frames.

All sockets share it: what was read is taken out of it before another one reads.
"""
SPARE_FRAMES = 100
RUBBISH = memoryview(bytearray(65536))
"""Where all goes that comes from a socket that was closed for what it sent."""
CALM_FRAMES = 50
"""Who has sent more than this, over what its pace gives back, is read when it is its turn."""


class Heard(ServerConnection):
    """A socket whose messages are heard at once if they come one by one; else they are read from it, as of any socket."""

    __slots__ = ("hear",)  # thirty attributes share their names' table with all other sockets; one more, and none does

    hear: Hear | None
    """Set by whoever serves it; None until then."""


def counted(config: Config, door: Door, trusted: Sequence[Network], busy: Turns) -> type[Heard]:
    """The class of such sockets; those that send much are read in the turns of `busy`.

    Those of a peer are counted, so that who never shakes hands is bounded too; a trusted proxy may have as many as it
    likes, it answers for its clients. Pings and parts of messages cost time as well: who sends far more frames than it
    may send messages is closed without a word, and what it still sends is thrown away.
    """

    class Counted(Heard):
        __slots__ = ("_boundary", "_frames", "_peer")

        _peer: str | None
        """Where it comes from, if it is counted."""
        _frames: Bucket
        _boundary: Boundary

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            self.hear, self._peer = None, None
            self._frames = Bucket(4 * config.rate, 4 * config.burst + SPARE_FRAMES, time.monotonic)
            self._boundary = Boundary()
            self.transport.set_protocol(_Pieces(self, self.received))
            peer = peer_of(self)
            if not trusts(trusted, peer):
                self._peer = client_address(peer, (), ())
                if not door.touch(self._peer):
                    self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self._peer is not None:
                door.let_go(self._peer)

        def received(self, piece: bytes) -> None:
            if self._busy():
                self.transport.pause_reading()
                busy.start(partial(self._in_turn, piece))
            elif not self._heard_at_once(piece):
                self._read(piece)

        def _busy(self) -> bool:
            if self.protocol.state is State.CONNECTING:
                return self._peer is not None and door.hurried(self._peer)
            return self._frames.spent > CALM_FRAMES

        def _in_turn(self, piece: bytes) -> None:
            if self.transport.is_closing():
                return
            if not self.protocol.eof_sent:  # else it was closed for what it sent, and this is more of it
                self._read(piece)
            if not self.recv_messages.paused:  # else it goes on by itself when its messages have been served
                self.transport.resume_reading()

        def _heard_at_once(self, piece: bytes) -> bool:
            """Have a piece heard that is a message, if none waits to be read before it.

            Of a piece as large as any, more may have come: it would be read, and heard, in the same turn of the loop.
            """
            if self.hear is None or not self._boundary.here or self.recv_messages.frames or len(piece) == len(PIECE):
                return False
            if self.protocol.current_size is not None or self.protocol.state is not State.OPEN:
                return False
            whole = message(piece)
            if whole is None or not self.hear(whole):
                return False
            self._count()
            return True

        def _read(self, piece: bytes) -> None:
            self._boundary.follow(piece)
            self.data_received(piece)

        def process_event(self, event: Event) -> None:
            super().process_event(event)
            if isinstance(event, Frame):
                self._count()

        def _count(self) -> None:
            if not self._frames.take() and self.protocol.state is State.OPEN:
                self.protocol.fail(1008, "too many frames")
                self.send_data()

    return Counted


class _Pieces(asyncio.BufferedProtocol):
    """Stands before a socket's protocol and reads for it, a small piece at a time.

    Between two pieces the event loop looks after the others.
    """

    __slots__ = ("_received", "_socket")

    def __init__(self, socket: ServerConnection, received: Callable[[bytes], None]) -> None:
        self._socket = socket
        self._received = received

    def get_buffer(self, sizehint: int) -> memoryview:
        return RUBBISH if self._socket.protocol.eof_sent else PIECE

    def buffer_updated(self, nbytes: int) -> None:
        if not self._socket.protocol.eof_sent:
            self._received(bytes(PIECE[:nbytes]))

    def connection_lost(self, exc: Exception | None) -> None:
        self._socket.connection_lost(exc)

    def eof_received(self) -> bool | None:
        self._socket.eof_received()
        return None

    def pause_writing(self) -> None:
        self._socket.pause_writing()

    def resume_writing(self) -> None:
        self._socket.resume_writing()


def peer_of(socket: ServerConnection) -> str:
    """The address at the other end of a socket; empty if it is gone already."""
    peer = socket.transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
