"""The bare relay: `websockets` on uvloop and nothing else, the limit of what a server made of them can do.

The first message of a connection says where it sits: "ROOM NEED SIZE". From then on, whenever NEED messages have come in a
room, everybody in it is sent one of SIZE bytes. No game, no check, no log, no reply.
"""

import argparse
import asyncio
import resource
import signal
from dataclasses import dataclass, field

import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

from tests.bench.mark import MARK


@dataclass(eq=False)
class Room:
    """Who sits there, how many messages came since the last that was sent, and how many have to."""

    need: int
    news: bytes
    sockets: list[ServerConnection] = field(default_factory=list)
    came: int = 0


async def run(port: int) -> None:
    """Relay until SIGTERM."""
    rooms: dict[str, Room] = {}

    async def sit(socket: ServerConnection) -> None:
        name, need, size = str(await socket.recv(decode=True)).split()
        room = rooms.setdefault(name, Room(int(need), MARK.ljust(int(size), b".")))
        room.sockets.append(socket)
        try:
            await socket.send(b"here")
            async for _ in socket:
                room.came += 1
                if room.came == room.need:
                    room.came = 0
                    broadcast(room.sockets, room.news)
        finally:
            room.sockets.remove(socket)
            if not room.sockets:
                rooms.pop(name, None)

    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with serve(sit, "127.0.0.1", port, compression=None, ping_interval=None, close_timeout=0.1):
        print(f"listening {port}", flush=True)
        await stop.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run(parser.parse_args().port))


if __name__ == "__main__":
    main()
