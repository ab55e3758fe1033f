"""One open socket: a reader and a writer around a session."""

import asyncio
import contextvars
import time
from typing import NamedTuple

import structlog
from websockets.exceptions import ConnectionClosed

from protocol.wire import Format, Frame
from server.config import Config
from server.gateway.counted import Heard
from server.gateway.door import Door
from server.gateway.front import Front
from server.gateway.session import Session
from server.gateway.turns import Turns
from server.gateway.writer import Writer


class Shared(NamedTuple):
    """What all connections have in common."""

    desk: Front
    config: Config
    door: Door
    busy: Turns
    """In which those are served who ask much."""


class Connection:
    """Moves frames between a socket and its session. Whoever is slow to read holds up nobody else."""

    def __init__(self, number: int, socket: Heard, fmt: Format, address: str, shared: Shared) -> None:
        desk, config, door, self._busy = shared
        # Bound here: a slow reader is found out while somebody else's message is served.
        self._log = structlog.get_logger().bind(conn=number)
        self._socket = socket
        self._hello_seconds = config.hello_timeout
        self._writer = Writer(socket, config, self._log, desk.hall.meters)
        self._outbox = self._writer.outbox
        self.session = Session(desk, self._outbox, fmt, config, door, address, clock=time.monotonic, now=time.time)
        self._writer.refresh = self.session.refresh
        self._context = contextvars.copy_context()  # the log names the connection from there
        socket.hear = self._hear

    async def run(self) -> None:
        """Serve the socket until it is closed."""
        hello_timer = asyncio.get_running_loop().call_later(self._hello_seconds, self.session.hello_is_due)
        try:
            async for frame in self._socket:
                self._receive(frame)
                if self._outbox.closing is not None:
                    continue  # what still comes is thrown away
                if self.session.busy:
                    await self._busy.turn()
                else:
                    await asyncio.sleep(0)  # the others first
        except ConnectionClosed:
            pass
        finally:
            self._socket.hear = None
            hello_timer.cancel()
            self.session.lost()
            await self._writer.stop()
            self._log.info("connection_closed", code=self._socket.close_code)

    def _hear(self, frame: Frame) -> bool:
        """Take a message as soon as it has come, unless this connection asks so much that others should be served between."""
        if self._outbox.closing is not None or self.session.busy:
            return False
        self._context.run(self._receive, frame)
        return True

    def _receive(self, frame: Frame) -> None:
        try:
            self.session.receive(frame)
        except Exception as fault:
            self._writer.fail(fault)

    @property
    def queued(self) -> int:
        """Bytes that wait to be sent, here and in the socket."""
        return self._outbox.size + self._socket.transport.get_write_buffer_size()

    def abort(self) -> None:
        """Cut the connection off, if it is not gone yet."""
        self._writer.abort()
