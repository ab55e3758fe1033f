"""A server on a real socket that follows a script, one coroutine a connection."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from websockets.asyncio.server import ServerConnection, serve

from protocol.messages import ClientMessage, Hello, Limits, ServerMessage, Welcome
from protocol.wire import SUBPROTOCOLS, decode_client, encode

M = TypeVar("M", bound=ClientMessage)
WELCOME = Welcome(1, "scripted", 0, Limits(65_536, 36, 10, 3000, 200, 3000, 200, 1000, 200))


class Peer:
    """The script's end of a connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.fmt = SUBPROTOCOLS[socket.subprotocol or ""]

    async def take(self, kind: type[M]) -> M:
        """The next message, which must be of this kind."""
        message = decode_client(await self.socket.recv(), self.fmt)
        assert isinstance(message, kind), message
        return message

    async def send(self, *messages: ServerMessage) -> None:
        for message in messages:
            await self.socket.send(encode(message, self.fmt))

    async def welcome(self) -> None:
        await self.take(Hello)
        await self.send(WELCOME)


Script = Callable[[Peer], Awaitable[None]]


@asynccontextmanager
async def scripted(*scripts: Script) -> AsyncIterator[str]:
    """The address of a server whose first, second, ... connection follows the first, second, ... script.

    A connection is closed when its script has ended. What fails in a script fails in the test.
    """
    waiting = list(scripts)
    faults: list[Exception] = []

    async def follow(socket: ServerConnection) -> None:
        try:
            await waiting.pop(0)(Peer(socket))
        except Exception as fault:
            faults.append(fault)

    try:
        async with serve(follow, "127.0.0.1", 0, subprotocols=list(SUBPROTOCOLS)) as server, asyncio.timeout(20):
            yield f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws"
    finally:
        if faults:
            raise faults[0]
    assert not waiting, "connections that were expected and did not come"
