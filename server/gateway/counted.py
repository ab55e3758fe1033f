"""Sockets that are counted from their first moment, and whose frames are counted before anybody looks at them."""

import asyncio
import time
from collections.abc import Sequence

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame
from websockets.protocol import Event, State

from server.bucket import Bucket
from server.config import Config
from server.gateway.address import Network, client_address, trusts
from server.gateway.door import Door

PIECE = 1024
"""Bytes that are taken apart at a time. A quarter of a mebibyte may come at once, and hold forty thousand frames."""
SPARE_FRAMES = 100


def counted(config: Config, door: Door, trusted: Sequence[Network]) -> type[ServerConnection]:
    """The class of such sockets.

    Those of a peer are counted, so that who never shakes hands is bounded too; a trusted proxy may have as many as it
    likes, it answers for its clients. Pings and parts of messages cost time as well: who sends far more frames than it
    may send messages is closed without a word, and what it still sends is thrown away.
    """

    class Counted(ServerConnection):
        _peer: str | None = None
        _frames: Bucket

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            self._frames = Bucket(4 * config.rate, 4 * config.burst + SPARE_FRAMES, time.monotonic)
            peer = peer_of(self)
            if not trusts(trusted, peer):
                self._peer = client_address(peer, (), ())
                if not door.touch(self._peer):
                    self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self._peer is not None:
                door.let_go(self._peer)

        def data_received(self, data: bytes) -> None:
            for start in range(0, len(data), PIECE):
                super().data_received(data[start : start + PIECE])

        def process_event(self, event: Event) -> None:
            super().process_event(event)
            if isinstance(event, Frame) and not self._frames.take() and self.protocol.state is State.OPEN:
                self.protocol.fail(1008, "too many frames")
                self.send_data()

    return Counted


def peer_of(socket: ServerConnection) -> str:
    """The address at the other end of a socket; empty if it is gone already."""
    peer = socket.transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
