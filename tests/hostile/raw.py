"""WebSocket by hand: sockets that send what no library would."""

import asyncio
import struct
from typing import Any

import msgspec

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
KEY = b"\0\0\0\0"
"""The mask of the frames: a mask of zeros leaves them as they are."""
HELLO = {"type": "hello", "protocol": 1}


def framed(body: bytes, opcode: int = 2) -> bytes:
    """A frame as a client sends it."""
    if len(body) < 126:
        return struct.pack("!BB4s", 0x80 | opcode, 0x80 | len(body), KEY) + body
    if len(body) < 65536:
        return struct.pack("!BBH4s", 0x80 | opcode, 0x80 | 126, len(body), KEY) + body
    return struct.pack("!BBQ4s", 0x80 | opcode, 0x80 | 127, len(body), KEY) + body


def packed(**message: Any) -> bytes:
    """A message in a frame."""
    return framed(msgspec.msgpack.encode(message))


def take(waiting: bytearray) -> tuple[int, bytes] | None:
    """A whole frame of the server off the front of what waits: its opcode and what is in it."""
    if len(waiting) < 2:
        return None
    size, start = waiting[1], 2
    if size >= 126:
        start = 4 if size == 126 else 10
        size = int.from_bytes(waiting[2:start])
    if len(waiting) < start + size:
        return None
    taken = waiting[0] & 15, bytes(waiting[start : start + size])
    del waiting[: start + size]
    return taken


class Raw:
    """A socket after its handshake and hello."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.errors = 0
        """Refusals that it was sent."""
        self._waiting = bytearray()

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def until_closed(self) -> int:
        """Read to the end; the code with which the server closed, 1006 if it gave none."""
        try:
            while data := await self.reader.read(65536):
                self._waiting += data
                while (frame := take(self._waiting)) is not None:
                    opcode, body = frame
                    if opcode == 8:
                        return int.from_bytes(body[:2])
                    self.errors += b"\xa5error" in body[:12]
        except ConnectionError:
            pass
        return 1006


async def connect(port: int, address: str, *first: bytes, limit: int = 65536) -> Raw:
    """Shake hands from an address of this machine and say hello; `first` is sent right behind. Raises ConnectionError."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0), limit=limit)
    writer.write(HANDSHAKE)
    answer = await reader.readuntil(b"\r\n\r\n")
    if not answer.startswith(b"HTTP/1.1 101"):
        writer.close()
        raise ConnectionError(answer.split(b"\r\n")[0].decode())
    writer.write(packed(**HELLO) + b"".join(first))
    return Raw(reader, writer)
