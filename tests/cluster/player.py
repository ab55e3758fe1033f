"""Players that go from node to node, and write down everything that they are told."""

import asyncio
import contextlib
from collections.abc import Sequence
from random import Random
from typing import Any

from msgspec import UNSET
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from protocol.legal import draw
from protocol.messages import (
    AnswerPrompt,
    AnyClientMessage,
    Enter,
    Error,
    Hello,
    Ok,
    Presence,
    Private,
    Said,
    Say,
    Snapshot,
    Update,
    Welcome,
)
from protocol.replica import Replica
from protocol.wire import MAX_SERVER_FRAME, Format, decode_server, encode
from tests.cluster.process import Node

PASSING = {"unavailable", "rate_limited", "server_draining", "internal"}
CLOSED = {"stale_prompt", "not_your_prompt", "room_over", "too_late"}
LOST = (OSError, EOFError, WebSocketException, TimeoutError)


class Player:
    """Plays one seat, or watches, until the game is over: now through one node, now through another.

    What has no reply is sent again, on another connection or after a while, under the same id.
    """

    def __init__(self, nodes: Sequence[Node], room: str, house: str | None, token: str | None, seed: str) -> None:
        self.room = room
        self.house = house
        self.replica = Replica()
        self.updates: list[Update] = []
        self.snapshots: list[Snapshot] = []
        self.heard: list[Said] = []
        self.sent: list[AnswerPrompt] = []
        self.answered: set[str] = set()
        """Ids of answers that were acknowledged."""
        self.said: list[Say] = []
        self.said_well: set[str] = set()
        self.connections = 0
        self.unavailable = 0
        self.odd: list[Error] = []
        """Refusals that there is no reason for."""
        self._token = token
        self._nodes = nodes
        self._rng = Random(seed)
        self._format: Format = self._rng.choice(["msgpack", "json"])
        self._asked: AnswerPrompt | Say | None = None
        self._entered = False
        self._enters = 0
        """How often it asked to enter on this connection: what it asks for twice it may get twice."""
        self._numbers = 0

    @property
    def state(self) -> dict[str, Any]:
        """What there is to know if a game does not go on."""
        view, prompt = self.replica.view, self.replica.prompt
        return {
            "room": self.room,
            "house": self.house,
            "seq": self.replica.seq,
            "waiting": view.get("waiting"),
            "prompt": prompt and prompt.id,
            "asked": self._asked,
            "entered": self._entered,
            "sent": [one.prompt for one in self.sent[-3:]],
            "answered": len(self.answered),
        }

    async def play(self) -> None:
        while not self.replica.over:
            node = self._rng.choice(self._nodes)
            with contextlib.suppress(*LOST):
                subprotocol = Subprotocol(f"marchwarden.v1.{self._format}")
                how: dict[str, Any] = {"ping_interval": 1, "ping_timeout": 2, "max_size": MAX_SERVER_FRAME}
                async with connect(
                    node.url, subprotocols=[subprotocol], open_timeout=3, close_timeout=1, **how
                ) as socket:
                    self.connections += 1
                    await self._stay(socket)
            await asyncio.sleep(self._rng.uniform(0.01, 0.2))

    async def _stay(self, socket: ClientConnection) -> None:
        """On one connection until it breaks, the game is over or one feels like going elsewhere."""
        await self._send(socket, Hello(1, "wanderer"))
        self._entered, self._enters = False, 0
        messages = self._rng.randint(20, 400)
        await self._enter(socket)
        while not self.replica.over and messages:
            messages -= 1
            try:
                async with asyncio.timeout(2):
                    frame = await socket.recv()
            except TimeoutError:
                if not self._entered:
                    await self._enter(socket)
                elif self._asked:
                    await self._send(socket, self._asked)
                continue  # who is inside and is not asked anything waits, however long that takes
            await self._take(socket, frame)

    async def _take(self, socket: ClientConnection, frame: bytes | str) -> None:
        match message := decode_server(frame, self._format):
            case Update():
                found = self.replica.feed(message)
                assert found == "new" or (found == "old" and self._enters > 1), (found, message.seq, self.replica.seq)
                self.updates.append(message)
            case Snapshot():
                assert self.replica.seq is None or message.seq >= self.replica.seq, "what was shown was taken back"
                self.replica.feed(message)
                self.snapshots.append(message)
            case Private() | Presence():
                self.replica.feed(message)
            case Said(at=at) if self._enters > 1 and self.heard and at <= self.heard[-1].at:
                pass  # it was asked for twice
            case Said():
                self.heard.append(message)
            case Ok(id="enter"):
                self._entered = True
                if self._asked:
                    await self._send(socket, self._asked)
            case Ok(id=id):
                self._settled(id, well=True)
            case Error(id="enter", code=code) if code in PASSING:
                self.unavailable += 1
                await asyncio.sleep(0.3)
                await self._enter(socket)
            case Error(id=str(id), code=code) if code in PASSING:
                self.unavailable += 1
                await asyncio.sleep(0.3)
                if self._asked and self._asked.id == id:
                    await self._send(socket, self._asked)
            case Error(id=str(id), code=code) if code in CLOSED:
                self._settled(id, well=False)
            case Error():
                self.odd.append(message)
                raise AssertionError(f"there is no reason to refuse: {message}, in {self.state}")
            case Welcome() | _:
                pass
        await self._go_on(socket)

    async def _go_on(self, socket: ClientConnection) -> None:
        """Answer what is asked, and talk a little."""
        if self._asked or not self._entered or self.house is None or self.replica.over:
            return
        prompt = self.replica.prompt
        self._numbers += 1
        if self._rng.random() < 0.05:
            say = Say(f"s{self._numbers}", self.room, "all", f"{self.house} {self._numbers}")
            self.said.append(say)
            self._asked = say
        elif prompt and prompt.id not in {one.prompt for one in self.sent}:
            self._asked = AnswerPrompt(f"a{self._numbers}", self.room, prompt.id, draw(prompt, self._rng))
            self.sent.append(self._asked)
        else:
            return
        await self._send(socket, self._asked)

    def _settled(self, id: object, *, well: bool) -> None:
        if self._asked and self._asked.id == id:
            if well:
                (self.answered if isinstance(self._asked, AnswerPrompt) else self.said_well).add(self._asked.id)
            self._asked = None

    async def _enter(self, socket: ClientConnection) -> None:
        self._enters += 1
        since = UNSET if self.replica.seq is None else self.replica.seq
        heard = self.heard[-1].at if self.heard else UNSET
        await self._send(socket, Enter("enter", self.room, self._token or UNSET, since, heard))

    async def _send(self, socket: ClientConnection, message: AnyClientMessage) -> None:
        await socket.send(encode(message, self._format))
