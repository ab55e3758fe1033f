"""Sessions with a server, one after another: each is greeted, and when it is lost another one is opened."""

import asyncio
import logging
from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from random import SystemRandom
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus
from websockets.typing import Subprotocol

from protocol.errors import Disconnected, RequestError
from protocol.messages import VERSION, AnyServerMessage, ClientMessage, Error, GoingAway, Hello, Welcome
from protocol.wire import MAX_SERVER_FRAME, SUBPROTOCOLS, Format, WireError, decode_server, encode

WELCOME_SECONDS = 10
SETTLED_SECONDS = 60
"""After a session that lasted this long the delays start from the shortest again."""

_log = logging.getLogger("marchwarden.client")
_random = SystemRandom()


def backoff(attempt: int) -> float:
    """Seconds before attempt 0, 1, 2, ...: at most 0.5, 1, 2, ... 30; at random, so that not all clients come at once."""
    return _random.uniform(0, min(30.0, 0.5 * 2.0 ** min(attempt, 10)))


class Session:
    """An open connection that the server has welcomed. Made by `sessions`."""

    def __init__(self, socket: ClientConnection, format: Format) -> None:
        self.retry_after = 0.0
        """Seconds that the server wants to be left alone after this session."""
        self._socket = socket
        self._format: Format = format

    async def greet(self, name: str) -> None:
        """Say hello; raises `RequestError` if the server refuses the session."""
        async with asyncio.timeout(WELCOME_SECONDS):
            await self._socket.send(encode(Hello(VERSION, name), self._format))
            reply = decode_server(await self._socket.recv(), self._format)
        if isinstance(reply, Error):
            raise RequestError(reply)
        if not isinstance(reply, Welcome):
            raise WireError("bad_message", f"The server greets with {type(reply).__name__}.")

    async def send(self, message: ClientMessage) -> None:
        """Send a message. If the connection is lost nothing happens here; `messages` ends."""
        try:
            await self._socket.send(encode(message, self._format))
        except ConnectionClosed:
            _log.debug("the connection was lost while sending")

    async def messages(self) -> AsyncIterator[AnyServerMessage]:
        """What the server says, until the connection is lost; raises `WireError` for a frame that makes no sense."""
        try:
            async for frame in self._socket:
                try:
                    message = decode_server(frame, self._format)
                except WireError as error:
                    if error.path == "type":  # of a newer server: the protocol says to pass over it
                        continue
                    raise
                if isinstance(message, GoingAway):
                    self.retry_after = message.retry_after / 1000
                yield message
        except ConnectionClosed:
            _log.debug("the connection was lost while reading")

    async def close(self) -> None:
        """Say good-bye; `messages` ends."""
        await self._socket.close()

    @property
    def closed(self) -> str:
        """Why the connection was closed, in words for an error."""
        return f"the connection was closed ({self._socket.close_code} {self._socket.close_reason})"


async def sessions(
    url: str, format: Format, name: str, delay: Callable[[int], float] | None, options: dict[str, Any]
) -> AsyncGenerator[Session, None]:
    """Sessions, one after another, `delay(attempt)` seconds apart; without `delay` only one, then `Disconnected`.

    What fails while the first one is opened is raised, later only what will not get better by itself.
    """
    subprotocol = next(Subprotocol(name) for name, speaks in SUBPROTOCOLS.items() if speaks == format)
    options = {"compression": None, "max_size": MAX_SERVER_FRAME} | options
    clock = asyncio.get_running_loop().time
    opened = False
    attempt = 0
    while True:
        began, pause, lost = clock(), 0.0, "the server cannot be reached"
        try:
            async with open_socket(url, subprotocols=[subprotocol], **options) as socket:
                if socket.subprotocol != subprotocol:
                    raise RuntimeError(f"the server at {url} does not speak {subprotocol}")
                session = Session(socket, format)
                await session.greet(name)
                opened = True
                try:
                    yield session
                finally:
                    await session.close()  # a good-bye, whatever ends this; the socket alone would report a fault
                pause, lost = session.retry_after, session.closed
        except Exception as error:
            if not opened or not _may_pass(error):
                raise
        if not delay:
            raise Disconnected(lost)
        attempt = 0 if clock() - began > SETTLED_SECONDS else attempt + 1
        await sleep(pause + delay(attempt))


def _may_pass(error: Exception) -> bool:
    """Whether the next attempt may succeed after this."""
    if isinstance(error, RequestError):
        return error.code in ("server_draining", "rate_limited")
    if isinstance(error, InvalidStatus):
        return error.response.status_code == 429 or error.response.status_code >= 500
    return isinstance(error, OSError | EOFError | ConnectionClosed | InvalidMessage)
