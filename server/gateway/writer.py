"""Writes to a socket what waits in its outbox, all of it in one piece: a call of the system costs more than what it sends."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeAlias

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from protocol.wire import Frame
from server.config import Config
from server.eyes.meters import Meters
from server.gateway.outbox import Close, Outbox, Stale
from server.gateway.whole import BINARY, TEXT
from server.log import explain

What: TypeAlias = Frame | Stale | Close | None
"""What an outbox gives."""

CLOSE_SECONDS = 5
"""How long a client has to take what is on its way and answer a close frame."""
AT_ONCE = 64 * 1024
"""After so many bytes it is asked whether the socket takes more."""


class Writer:
    """Hands frames to a socket once a turn of the event loop, for as long as it takes them.

    No task waits for that: there is one only while a slow socket is waited for, and to close.
    """

    def __init__(
        self, socket: ServerConnection, config: Config, log: structlog.typing.FilteringBoundLogger, meters: Meters
    ) -> None:
        self.outbox = Outbox(config.queue_frames, config.queue_bytes, self.wake, meters)
        self.outbox.relieve = self._relieve
        self.refresh: Callable[[str], None] = self.outbox.forget
        """Has a snapshot queued of a room that lost letters; whoever has the rooms sets it."""
        self._socket = socket
        self._stall_seconds = config.ping_timeout
        self._log = log
        self._meters = meters
        self._loop = asyncio.get_running_loop()
        self._due = False
        self._task: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """There is something to do."""
        closing = self.outbox.closing
        if closing and self.outbox.overrun and self._closing is None:
            self._log.info("connection_too_slow")  # the socket takes nothing any more: close past it
            self._closing = self._loop.create_task(self._close(closing))
        elif not self._due and self._task is None:
            self._due = True
            self._loop.call_soon(self._write)

    async def stop(self) -> None:
        """The socket is closed."""
        tasks = [task for task in (self._task, self._closing) if task is not None]
        self._due = True  # and nothing more is done
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def abort(self) -> None:
        """Cut the connection off, if it is not gone yet."""
        if self._socket.state is not State.CLOSED:
            self._socket.transport.abort()

    def fail(self, fault: Exception) -> None:
        """Something of ours is wrong with this connection: it is cut off."""
        self._meters.faults += 1
        self._log.error("fault", **explain(fault))
        self.abort()

    def _write(self) -> None:
        """Write what the outbox gives, until it is empty, says to close, or the socket takes no more."""
        self._due = False
        try:
            while self._takes:
                last = self._write_some(self.outbox.next)
                match last:
                    case None:
                        break
                    case Close():
                        self._closing = self._loop.create_task(self._close(last))
                    case Stale(room):
                        self.refresh(room)
        except Exception as fault:
            self.fail(fault)
            return
        if self._socket.paused and self._task is None:
            self._task = self._loop.create_task(self._wait())

    def _relieve(self) -> None:
        """Write what waits, as far as the socket takes it, before the outbox finds that too much does."""
        try:
            while self._takes and self._write_some(self.outbox.frame) is not None:
                pass
        except Exception as fault:
            self.fail(fault)

    @property
    def _takes(self) -> bool:
        """Whether the socket may be given something."""
        return not self._socket.paused and self._socket.state is State.OPEN and self._closing is None

    def _write_some(self, take: Callable[[], What]) -> What:
        """Write as many frames as the socket is given at once, in one piece; what came last from the outbox."""
        pieces, size = list[bytes](), 0
        while (last := take()) is not None and not isinstance(last, (Stale, Close)):
            first, data = (BINARY, last) if isinstance(last, bytes) else (TEXT, last.encode())
            pieces += (_header(first, len(data)), data)
            size += len(data)
            if size >= AT_ONCE:
                break
        if pieces:
            self._socket.transport.write(b"".join(pieces))
        return last

    async def _wait(self) -> None:
        """Wait until the socket takes more."""
        if await self._in_time(self._socket.drain(), self._stall_seconds):
            self._task = None
            self._write()
        else:
            self._log.info("connection_stalled")
            self.abort()

    async def _close(self, close: Close) -> None:
        if not await self._in_time(self._socket.close(close.code, close.reason), CLOSE_SECONDS):
            self.abort()

    async def _in_time(self, work: Coroutine[Any, Any, None], seconds: float) -> bool:
        """Do something with the socket; whether that was possible in time. Nothing is, once it is gone."""
        try:
            async with asyncio.timeout(seconds):
                await work
        except TimeoutError:
            return False
        except (ConnectionClosed, OSError):
            pass
        except Exception as fault:
            self.fail(fault)
        return True


def _header(first: int, size: int) -> bytes:
    """What stands before the data of a frame that a server sends: without a mask (RFC 6455, 5.2)."""
    if size < 126:
        return bytes((first, size))
    if size < 2**16:
        return bytes((first, 126)) + size.to_bytes(2, "big")
    return bytes((first, 127)) + size.to_bytes(8, "big")
