"""Troublemakers in a process of their own: `python -m tests.hostile.trouble NAME PORT ROOM SIZE`.

Each says `ready` when the trouble is on, goes on until standard input ends, and says then as JSON what it met with. Where
something is measured beside them they are nice to the other processes of the machine: it is the server that is measured,
not who gets a core.
"""

import asyncio
import json
import os
import resource
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any, TypeAlias
from zlib import crc32

from tests.hostile import crowd
from tests.hostile.raw import HANDSHAKE, HELLO, Raw, connect, framed, packed

HERE = f"127.0.2.{crc32(sys.argv[1].encode()) % 250 + 1}" if len(sys.argv) > 1 else "127.0.0.2"
"""The address that they come from: each kind from its own, the players beside them from another."""

Told: TypeAlias = dict[str, int]
"""What a troublemaker met with."""


class Again:
    """Work that begins anew whenever it ends, so many at a time; what each round ended with is counted."""

    def __init__(self, size: int, work: Callable[[Random], Any]) -> None:
        self.met: Counter[str] = Counter()
        self._first = asyncio.Event()
        self._tasks = [asyncio.create_task(self._repeat(work, Random(n))) for n in range(size)]

    async def _repeat(self, work: Callable[[Random], Any], rng: Random) -> None:
        while True:
            try:
                self.met[str(await work(rng))] += 1
            except (OSError, EOFError) as error:
                self.met[str(error)[:40] or type(error).__name__] += 1
                await asyncio.sleep(0.05)
            self._first.set()

    async def stop(self) -> Told:
        await self._first.wait()
        for task in self._tasks:
            task.cancel()
        return dict(self.met)


async def closed(one: Raw) -> str:
    """How it ended; its refusals are thrown away."""
    code = await one.until_closed()
    one.writer.close()
    return str(code)


def garbage(rng: Random) -> bytes:
    """A frame of random bytes, of a message with some bytes changed, or one that is no frame at all."""
    message = bytearray(packed(type="answer", id="1", room="abcdefghij", prompt=7, answer={"type": "bid", "power": 3}))
    for _ in range(rng.randrange(1, 4)):
        message[rng.randrange(6, len(message))] = rng.randrange(256)
    return rng.choice([framed(rng.randbytes(rng.randrange(300))), bytes(message), bytes(message), rng.randbytes(50)])


@asynccontextmanager
async def random_bytes(port: int, room: str, size: int) -> AsyncIterator[Again]:
    async def one(rng: Random) -> str:
        return await closed(await connect(port, HERE, *(garbage(rng) for _ in range(40))))

    yield Again(size, one)


@asynccontextmanager
async def valid_flood(port: int, room: str, size: int) -> AsyncIterator[Again]:
    async def one(rng: Random) -> str:
        return await closed(await connect(port, HERE, *[packed(type="list_rooms", id="1")] * 1000))

    yield Again(size, one)


@asynccontextmanager
async def invalid_flood(port: int, room: str, size: int) -> AsyncIterator[Again]:
    async def one(rng: Random) -> str:
        return await closed(await connect(port, HERE, *[packed(type="march", n=n) for n in range(1000)]))

    yield Again(size, one)


@asynccontextmanager
async def pings(port: int, room: str, size: int) -> AsyncIterator[Again]:
    """Frames of no use that are no messages: pings, and one message in a thousand parts."""
    parts = b"\x02\x80\0\0\0\0" + b"\0\x80\0\0\0\0" * 40_000

    async def one(rng: Random) -> str:
        return await closed(await connect(port, HERE, rng.choice([framed(b"", 9) * 40_000, parts])))

    yield Again(size, one)


@asynccontextmanager
async def large_frames(port: int, room: str, size: int) -> AsyncIterator[Again]:
    """The most expensive frames that are allowed, and some that are not."""
    tiny = b"\xdd" + (65_531).to_bytes(4, "big") + b"\x90" * 65_531

    async def one(rng: Random) -> str:
        return await closed(await connect(port, HERE, framed(tiny), framed(tiny), framed(b"\x80" * 2**20)))

    yield Again(size, one)


@asynccontextmanager
async def resyncs(port: int, room: str, size: int) -> AsyncIterator[Again]:
    """X23: the whole room again and again."""

    async def one(rng: Random) -> str:
        again = [packed(type="enter", id=str(n), room=room) for n in range(1000)]
        return await closed(await connect(port, HERE, *again))

    yield Again(size, one)


@asynccontextmanager
async def handshakes(port: int, room: str, size: int) -> AsyncIterator[Again]:
    """Connect and go, as fast as can be."""

    async def one(rng: Random) -> str:
        (await connect(port, HERE)).writer.transport.abort()
        return "in"

    yield Again(size, one)


@asynccontextmanager
async def rooms(port: int, room: str, size: int) -> AsyncIterator[Again]:
    """Rooms without end."""

    async def one(rng: Random) -> str:
        make = [packed(type="create_room", id=str(n), players=6) for n in range(100)]
        raw = await connect(port, HERE, *make)
        await asyncio.sleep(0.1)
        raw.writer.close()
        return "made"

    yield Again(size, one)


class Sitting:
    """Sockets that were opened and are held."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        self.sockets = sockets

    async def stop(self) -> Told:
        cut = 0
        for one in self.sockets:
            one.setblocking(False)
            told = False
            try:
                while data := one.recv(2**20):
                    told = told or b"no hello" in data
                cut += 1
            except BlockingIOError:
                cut += told
            except ConnectionError:
                cut += 1
            one.close()
        return {"held": len(self.sockets), "cut": cut}


def plug(port: int, *first: bytes, buffer: int | None = None) -> socket.socket:
    """A socket that sends something and then sits there."""
    one = socket.socket()
    if buffer is not None:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    one.bind((HERE, 0))
    one.connect(("127.0.0.1", port))
    one.sendall(b"".join(first))
    return one


@asynccontextmanager
async def silent(port: int, room: str, size: int) -> AsyncIterator[Sitting]:
    """W11: sockets that say nothing, half a handshake, a handshake a byte at a time, or no hello."""
    parts = [b"", b"GET /ws HTTP/1.1\r\nHost: ", HANDSHAKE[:-2], HANDSHAKE]
    yield Sitting([plug(port, parts[n % 4]) for n in range(size)])


@asynccontextmanager
async def never_reading(port: int, room: str, size: int) -> AsyncIterator[Sitting]:
    """W05: watchers of the room that is played beside them who read nothing, behind small buffers."""
    enter = packed(type="enter", id="1", room=room)
    held = []
    for _ in range(size):
        one = plug(port, HANDSHAKE, buffer=4096)
        one.recv(1000)
        one.sendall(packed(**HELLO) + enter)
        held.append(one)
    yield Sitting(held)


class Watching:
    """A crowd."""

    def __init__(self, spectators: list[crowd.Spectator]) -> None:
        self.spectators = spectators

    async def stop(self) -> Told:
        frames = [spectator.frames for spectator in self.spectators]
        gone = sum(spectator.gone for spectator in self.spectators)
        return {"watching": len(frames), "gone": gone, "least": min(frames), "most": max(frames), "frames": sum(frames)}


@asynccontextmanager
async def spectators(port: int, room: str, size: int) -> AsyncIterator[Watching]:
    """S98: a crowd in one room."""
    yield Watching(await crowd.come(port, room, size))


TROUBLES = {
    each.__name__: each
    for each in (
        random_bytes, valid_flood, invalid_flood, pings, large_frames, resyncs, handshakes, rooms, silent, never_reading,
        spectators,
    )
}  # fmt: skip


def allow_files() -> int:
    """As many open files as this machine allows; how many."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


async def main(name: str, port: str, room: str, size: str) -> None:
    allow_files()
    if "HOSTILE_SECONDS" in os.environ:
        os.nice(15)
    async with TROUBLES[name](int(port), room, int(size)) as trouble:
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        print(json.dumps(await trouble.stop()), flush=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
