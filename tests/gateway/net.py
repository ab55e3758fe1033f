"""A gateway on a free port, and clients on real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Self

from msgspec import UNSET
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State
from websockets.typing import Subprotocol

from protocol.messages import CreateRoom, Enter, Hello, RoomCreated, Seated, Snapshot, TakeSeat
from protocol.wire import MAX_SERVER_FRAME, Format, decode_server, encode
from server.config import Config
from server.gateway.server import Gateway
from server.rooms.desk import Desk
from server.rooms.face import Rules
from server.rooms.hall import Hall
from tests.rooms.table import HOUSES, Clock, SmallRules, Stream

PATIENCE = 10
"""Seconds after which a test gives up waiting for something that ought to come."""


@asynccontextmanager
async def gateway(rules: Rules | None = None, **settings: Any) -> AsyncIterator[Gateway]:
    config = Config(**{"port": 0, "drain_seconds": 2, **settings})
    desk = Desk(Hall(rules or SmallRules(), Stream(), Clock(), config.max_rooms))
    async with Gateway(config, desk) as running:
        yield running


class Client:
    """A raw client: it sends what it is told to, well-formed or not, and says what comes back."""

    def __init__(self, server: Gateway, fmt: Format = "msgpack", **options: Any) -> None:
        subprotocols = [Subprotocol(f"marchwarden.v1.{fmt}")]
        options = {"subprotocols": subprotocols, "compression": None, "max_size": MAX_SERVER_FRAME, **options}
        self._connect = connect(f"ws://127.0.0.1:{server.port}/ws", **options)
        self.fmt: Format = fmt
        self.socket: ClientConnection
        self.token = ""
        self.room = ""
        self.view: dict[str, Any] = {}

    async def __aenter__(self) -> Self:
        self.socket = await self._connect
        return self

    async def __aexit__(self, *exc: object) -> None:
        if self.socket.state is not State.CLOSED:
            await self.socket.close()

    async def send(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, bytes | str) else encode(message, self.fmt))

    async def take(self) -> Any:
        """The next message."""
        async with asyncio.timeout(PATIENCE):
            return decode_server(await self.socket.recv(), self.fmt)

    async def ask(self, message: Any) -> Any:
        """Send, and take the next message."""
        await self.send(message)
        return await self.take()

    async def hello(self) -> Self:
        await self.ask(Hello(1, "test"))
        return self

    async def enter(self, room: str, token: str = "", since: int | None = None) -> Any:
        """Enter a room; gives the first message after the `ok`."""
        self.room = room
        await self.ask(Enter("enter", room, token=token or UNSET, since=UNSET if since is None else since))
        message = await self.take()
        if isinstance(message, Snapshot):
            self.view = message.view
        return message

    async def sit(self, made: RoomCreated, house: str) -> Self:
        """Take a seat and enter with it."""
        seated = await self.ask(TakeSeat(f"take-{house}", made.room, house, invite=made.invites[house]))
        assert isinstance(seated, Seated)
        self.token = seated.token
        await self.enter(made.room, seated.token)
        return self

    async def until(self, kind: type) -> Any:
        """The next message of a kind; others are passed over."""
        while not isinstance(message := await self.take(), kind):
            pass
        return message

    async def close_code(self) -> int | None:
        """Read to the end; the code with which the server closed."""
        try:
            async with asyncio.timeout(PATIENCE):
                while True:
                    await self.socket.recv()
        except ConnectionClosed:
            return self.socket.close_code


@asynccontextmanager
async def client(server: Gateway, fmt: Format = "msgpack", **options: Any) -> AsyncIterator[Client]:
    """A client that has said hello."""
    async with Client(server, fmt, **options) as one:
        yield await one.hello()


async def table(server: Gateway, clients: list[Client]) -> RoomCreated:
    """Seat these clients in a new room, everybody entered and the game begun, and nothing unread."""
    made = await clients[0].ask(CreateRoom("make", len(clients)))
    assert isinstance(made, RoomCreated)
    for one, house in zip(clients, HOUSES, strict=False):
        await one.sit(made, house)
    for one in clients[:-1]:
        while len(getattr(await one.take(), "connected", ())) < len(clients):
            pass
    return made
