"""One open socket: a reader and a writer around a session."""

import asyncio
import time
from typing import NamedTuple

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from protocol.wire import Format
from server.config import Config
from server.gateway.door import Door
from server.gateway.front import Front
from server.gateway.outbox import Close, Outbox, Stale
from server.gateway.session import Session
from server.gateway.turns import Turns
from server.log import explain

CLOSE_SECONDS = 5
"""How long a client has to take what is on its way and answer a close frame."""


class Shared(NamedTuple):
    """What all connections have in common."""

    desk: Front
    config: Config
    door: Door
    busy: Turns
    """In which those are served who ask much."""


class Connection:
    """Moves frames between a socket and its session. The writer alone writes, so a slow client holds up nobody else."""

    def __init__(self, number: int, socket: ServerConnection, fmt: Format, address: str, shared: Shared) -> None:
        desk, config, door, self._busy = shared
        # Bound here: a slow reader is found out while somebody else's message is served.
        self._log = structlog.get_logger().bind(conn=number)
        self._socket = socket
        self._hello_seconds = config.hello_timeout
        self._stall_seconds = config.ping_timeout
        self._awake = asyncio.Event()
        self._outbox = Outbox(config.queue_frames, config.queue_bytes, self._wake)
        self._given_up: asyncio.Task[None] | None = None
        self.session = Session(desk, self._outbox, fmt, config, door, address, clock=time.monotonic, now=time.time)

    async def run(self) -> None:
        """Serve the socket until it is closed."""
        writer = asyncio.create_task(self._write())
        hello_timer = asyncio.get_running_loop().call_later(self._hello_seconds, self.session.hello_is_due)
        try:
            async for frame in self._socket:
                self.session.receive(frame)
                if self._outbox.closing is not None:
                    continue  # what still comes is thrown away
                if self.session.busy:
                    await self._busy.turn()
                else:
                    await asyncio.sleep(0)  # the others first
        except ConnectionClosed:
            pass
        finally:
            hello_timer.cancel()
            self.session.lost()
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            self._log.info("connection_closed", code=self._socket.close_code)

    def abort(self) -> None:
        """Cut the connection off, if it is not gone yet."""
        if self._socket.state is not State.CLOSED:
            self._socket.transport.abort()

    def _wake(self) -> None:
        self._awake.set()
        closing = self._outbox.closing
        if closing and self._outbox.overrun and self._given_up is None:
            self._log.info("connection_too_slow")  # the writer is stuck in a frame that nobody takes: close past it
            self._given_up = asyncio.create_task(self._close(closing))

    async def _write(self) -> None:
        """Write what the outbox gives, one frame after the other, until it says to close."""
        try:
            while True:
                match self._outbox.next():
                    case None:
                        self._awake.clear()
                        await self._awake.wait()
                    case Stale(room):
                        self.session.refresh(room)
                    case Close() as close:
                        await self._close(close)
                        return
                    case bytes() | str() as frame:
                        async with asyncio.timeout(self._stall_seconds):
                            await self._socket.send(frame)
        except ConnectionClosed:
            pass
        except TimeoutError:
            self._log.info("connection_stalled")
            self.abort()
        except Exception as fault:
            self._log.error("fault", **explain(fault))
            self.abort()

    async def _close(self, close: Close) -> None:
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._socket.close(close.code, close.reason)
        except TimeoutError:
            self.abort()
