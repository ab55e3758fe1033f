"""A connection of the load: as little of WebSocket as it takes, so that the server is what is measured."""

import asyncio
import time
from collections.abc import Callable
from typing import cast

from tests.bench.mark import MARK
from tests.hostile.raw import HANDSHAKE, framed, take


class Socket(asyncio.Protocol):
    """Hands every message to `heard`. While it is `watching` it only looks for a reveal; `catch_up` reads the rest later."""

    def __init__(self, failed: Callable[[Exception], None]) -> None:
        """`failed` is told of a lost connection, and of what `heard` raises."""
        self._failed = failed
        self._closed = False
        self.heard: Callable[[bytes], None] = self._ignore
        self.bytes = 0
        """That came as messages; without the heads of their frames."""
        self.revealed_at = 0.0
        """When the reveal was there that it watches for; 0 if it is not."""
        self.watching: Callable[[], None] | None = None
        """Whom to tell of the reveal."""
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._held = bytearray()
        self._shaken = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(HANDSHAKE)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._closed:
            self._fail(ConnectionError(f"the server has gone; last came {bytes(self._held[:200])!r}"))

    def data_received(self, data: bytes) -> None:
        self._held += data
        if self.watching is not None:
            if not self.revealed_at and MARK in self._held:
                self.revealed_at = time.perf_counter()
                self.watching()
            return
        try:
            self.catch_up()
        except Exception as fault:
            self._fail(fault)

    def watch(self, told: Callable[[], None]) -> None:
        """From now on only look for the reveal."""
        self.revealed_at, self.watching = 0.0, told

    def catch_up(self) -> None:
        """Read what has come, and from now on all that comes."""
        self.watching = None
        if not self._shaken:
            end = self._held.find(b"\r\n\r\n")
            if end < 0 or not self._held.startswith(b"HTTP/1.1 101"):
                return
            del self._held[: end + 4]
            self._shaken = True
            self.ready.set_result(None)
        while (frame := take(self._held)) is not None:
            opcode, body = frame
            if opcode == 9:
                self._transport.write(framed(body, 10))
            elif opcode == 8:
                raise AssertionError(f"the server closed: {body!r}")
            else:
                self.bytes += len(body)
                self.heard(body)

    def write(self, frame: bytes) -> None:
        """Send a frame that was made by `framed`."""
        self._transport.write(frame)

    def close(self) -> None:
        self._closed = True
        self._transport.abort()

    def _fail(self, fault: Exception) -> None:
        """End the measuring: a figure with a refusal or a lost connection in it would be none."""
        self.close()
        self._failed(fault)

    @staticmethod
    def _ignore(message: bytes) -> None:
        """What nobody wants to hear."""


AT_ONCE = 50
faults: list[Exception] = []
"""What went wrong with a connection; the first ends whoever opened it."""


async def connect(port: int, count: int) -> list[Socket]:
    """So many connections, some at a time."""
    loop, made, task = asyncio.get_running_loop(), list[Socket](), asyncio.current_task()

    def failed(fault: Exception) -> None:
        if not faults and task:
            task.cancel()
        faults.append(fault)

    while len(made) < count:
        opened = [
            loop.create_connection(lambda: Socket(failed), "127.0.0.1", port)
            for _ in range(min(AT_ONCE, count - len(made)))
        ]
        some = [(await each)[1] for each in opened]
        await asyncio.gather(*(socket.ready for socket in some))
        made += some
    return made
