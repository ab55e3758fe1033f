"""Spectators by the thousand, in one process: they read and count frames, no more."""

import asyncio
from typing import cast

from tests.hostile.raw import HANDSHAKE, HELLO, framed, packed, take

AT_ONCE = 100
EACH = 500
"""How many come from one address."""


class Spectator(asyncio.Protocol):
    """One who watches a room: `there` when the snapshot has come."""

    def __init__(self, room: str) -> None:
        self.there: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.gone = False
        self.frames = 0
        """Since the snapshot."""
        self._room = room
        self._end = "no close frame"
        self._waiting = bytearray()
        self._shaken = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(HANDSHAKE)

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone = True
        if not self.there.done():
            self.there.set_exception(ConnectionError(f"{self._end}; {bytes(self._waiting[:100])!r}"))

    def data_received(self, data: bytes) -> None:
        self._waiting += data
        if not self._shaken:
            end = self._waiting.find(b"\r\n\r\n")
            if end < 0 or not self._waiting.startswith(b"HTTP/1.1 101"):
                return
            del self._waiting[: end + 4]
            self._shaken = True
            self._transport.write(packed(**HELLO) + packed(type="enter", id="1", room=self._room))
        while (frame := take(self._waiting)) is not None:
            self._receive(*frame)

    def _receive(self, opcode: int, body: bytes) -> None:
        if opcode == 9:
            self._transport.write(framed(body, 10))
        elif opcode == 8:
            self._end = f"closed with {int.from_bytes(body[:2])} {body[2:]!r}"
        elif opcode == 2:
            self.frames += 1
            if not self.there.done() and b"\xa8snapshot" in body[:20]:
                self.frames = 0
                self.there.set_result(None)


async def come(port: int, room: str, count: int) -> list[Spectator]:
    """All of them, some at a time, from as many addresses as they need."""
    loop, crowd = asyncio.get_running_loop(), list[Spectator]()
    while len(crowd) < count:
        more = min(AT_ONCE, count - len(crowd))
        here = (f"127.0.1.{1 + len(crowd) // EACH}", 0)
        made = [
            loop.create_connection(lambda: Spectator(room), "127.0.0.1", port, local_addr=here) for _ in range(more)
        ]
        came = [(await each)[1] for each in made]
        crowd += came
        await asyncio.gather(*(spectator.there for spectator in came))
    return crowd
