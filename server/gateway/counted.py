"""Sockets that are counted from their first moment, so that those who never shake hands are bounded too."""

import asyncio
from collections.abc import Sequence

from websockets.asyncio.server import ServerConnection

from server.gateway.address import Network, client_address, trusts
from server.gateway.door import Door


def counted(door: Door, trusted: Sequence[Network]) -> type[ServerConnection]:
    """The class of such sockets. A trusted proxy may have as many as it likes: it answers for its clients."""

    class Counted(ServerConnection):
        _peer: str | None = None

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            peer = peer_of(self)
            if not trusts(trusted, peer):
                self._peer = client_address(peer, (), ())
                if not door.touch(self._peer):
                    self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self._peer is not None:
                door.let_go(self._peer)

    return Counted


def peer_of(socket: ServerConnection) -> str:
    """The address at the other end of a socket; empty if it is gone already."""
    peer = socket.transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
