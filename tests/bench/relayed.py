"""The load at the bare relay."""

import asyncio

from tests.bench.link import Socket, connect
from tests.bench.process import Process
from tests.hostile.raw import framed


class Relayed:
    """Rooms at the relay."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.groups: list[list[tuple[Socket, bytes]]] = []
        """The sockets of each room, each with the frame that it sends."""

    async def open(self, rooms: int, seats: int, need: int, sent: int, news: int) -> None:
        """After `need` messages of `sent` bytes in a room everybody in it gets one of `news` bytes."""
        sockets, here = await connect(self.process.port, rooms * seats), list[asyncio.Future[None]]()
        frame = framed(b"." * sent)
        for n, socket in enumerate(sockets):
            inside = asyncio.get_running_loop().create_future()
            here.append(inside)
            socket.heard = lambda body, inside=inside: inside.set_result(None)  # type: ignore[misc]
            socket.write(framed(f"{n // seats} {need} {news}".encode()))
        await asyncio.gather(*here)
        for socket in sockets:
            socket.heard = _ignore
        self.groups = [[(s, frame) for s in sockets[n * seats : (n + 1) * seats]] for n in range(rooms)]

    async def talk(self, messages: int) -> None:
        """In every room somebody sends a message as soon as everybody has the last, so many times (where `need` is 1)."""
        await asyncio.gather(*(_talk(group, messages) for group in self.groups))

    async def close(self) -> None:
        for group in self.groups:
            for socket, _ in group:
                socket.close()
        await asyncio.sleep(0.1)


async def _talk(group: list[tuple[Socket, bytes]], messages: int) -> None:
    done, missing, sent = asyncio.get_running_loop().create_future(), 0, 0

    def heard(body: bytes) -> None:
        nonlocal missing, sent
        missing -= 1
        if missing > 0:
            return
        if sent == messages:
            if not done.done():
                done.set_result(None)
            return
        socket, frame = group[sent % len(group)]
        missing, sent = len(group), sent + 1
        socket.write(frame)

    for socket, _ in group:
        socket.heard = heard
    heard(b"")
    await asyncio.wait_for(done, 60)
    for socket, _ in group:
        socket.heard = _ignore


def _ignore(message: bytes) -> None:
    """What nobody waits for."""
