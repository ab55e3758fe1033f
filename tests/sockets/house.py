"""A real server on a real port, and what tests need around it."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as open_socket

from protocol.messages import AnyServerMessage, ClientMessage, Hello
from protocol.wire import Format, decode_server, encode
from server.bots.pilots import Pilots
from server.config import Config
from server.game.board import SETUPS
from server.game.game import RULES_VERSION, Game
from server.gateway.node import Tasks
from server.gateway.server import Gateway
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall
from server.rooms.stored import Stored
from server.scenario.position import position
from server.store.journal import Journal
from server.store.store import Store

SUBPROTOCOL = {"msgpack": "marchwarden.v1.msgpack", "json": "marchwarden.v1.json"}


class Prepared:
    """Rules whose games begin as a rule case sets them up."""

    version = RULES_VERSION

    def __init__(self, setup: dict[str, Any]) -> None:
        self._setup = setup

    def load(self, data: bytes) -> Game:
        return Game.load(data)

    def houses(self, players: int) -> Sequence[str]:
        return SETUPS[players].houses

    def new(self, players: int, seed: bytes, tides: bool) -> Game:
        return position({"players": players, "units": "none", "tides": tides, **self._setup})


@asynccontextmanager
async def serving(
    setup: dict[str, Any] | None = None, *, seed: int = 1, kept: Path | None = None, bots: bool = False
) -> AsyncIterator[tuple[str, Hall]]:
    """A server whose chance is fixed by `seed`: its socket's address and its rooms.

    With `kept` it has a log in that folder, with `bots` it plays seats itself.
    """
    entropy: Callable[[int], bytes] = Random(seed).randbytes
    rules, tasks = Prepared(setup) if setup else BaseGame(), Tasks()
    async with AsyncExitStack() as stack:
        archive = None
        if kept:
            store = await stack.enter_async_context(await Store.open(Config(data=kept).store_url))
            archive = Stored(store, await stack.enter_async_context(Journal(store)))
        pilots = stack.enter_context(Pilots(tasks.spawn, pace=0, budget=1)) if bots else None
        stack.push_async_callback(tasks.stop)
        hall = Hall(rules, entropy, lambda: 1e9, 100, archive, tasks.spawn if archive else None, piloted=bots)
        desk = Desk(hall, tasks.spawn if archive else None, pilots)
        gateway = await stack.enter_async_context(Gateway(Config(port=0, data=Path()), desk))
        yield gateway.url.replace("http", "ws", 1) + "/ws", hall


class Raw:
    """A connection that keeps every frame it was sent, byte for byte."""

    def __init__(self, socket: ClientConnection, fmt: Format) -> None:
        self._socket = socket
        self._format: Format = fmt
        self.frames: list[bytes | str] = []

    async def ask(self, message: ClientMessage, *, replies: int = 1) -> list[AnyServerMessage]:
        """Sends a message and reads so many frames."""
        await self._socket.send(encode(message, self._format))
        return [await self.read() for _ in range(replies)]

    async def read(self) -> AnyServerMessage:
        frame = await self._socket.recv()
        self.frames.append(frame)
        return decode_server(frame, self._format)

    async def quiet(self) -> None:
        """Waits until everything the server sent before has arrived: its pong comes after it."""
        await (await self._socket.ping())


@asynccontextmanager
async def raw(url: str, fmt: Format = "msgpack") -> AsyncIterator[Raw]:
    async with open_socket(
        url, subprotocols=[SUBPROTOCOL[fmt]], compression=None, max_size=2**22, max_queue=None
    ) as socket:
        connection = Raw(socket, fmt)
        await connection.ask(Hello(1, "test"))
        connection.frames.clear()  # the welcome holds the time
        yield connection


def only(kind: type[Any], messages: Sequence[AnyServerMessage]) -> Any:
    """The one message of a kind."""
    (found,) = [m for m in messages if isinstance(m, kind)]
    return found
