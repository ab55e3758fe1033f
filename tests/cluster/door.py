"""A door in front of nodes, as the proxy of the deployment is one: whoever comes is led to a node that is ready."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Sequence

LOOK_SECONDS = 0.25
"""Between two looks at which nodes are ready."""
PATIENCE_SECONDS = 5.0
"""For so long whoever comes waits for one that is."""


async def readiness(port: int) -> str:
    """What a node says of itself: `ready`, or why it is not; empty if nobody is there."""
    try:
        async with asyncio.timeout(2):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
            writer.close()
    except (OSError, TimeoutError):
        return ""
    assert (" 200 " in head) == (body == "ready\n")
    return body.strip()


class Door:
    """Leads to one ready node after the other; a connection stays with its node."""

    def __init__(self, ports: Sequence[int]) -> None:
        self.port = 0
        self._ports = ports
        self._ready: set[int] = set()
        self._turns = itertools.count()

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/ws"

    @contextlib.asynccontextmanager
    async def open(self, port: int = 0) -> AsyncIterator["Door"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", port)
        self.port = server.sockets[0].getsockname()[1]
        looking = asyncio.create_task(self._look())
        try:
            yield self
        finally:
            looking.cancel()
            await asyncio.wait([looking])
            server.close()

    async def _look(self) -> None:
        while True:
            found = await asyncio.gather(*(readiness(port) for port in self._ports))
            self._ready = {port for port, said in zip(self._ports, found, strict=True) if said == "ready"}
            await asyncio.sleep(LOOK_SECONDS)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine = {writer}
        with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError):
            async with asyncio.timeout(PATIENCE_SECONDS):
                back, forth = await self._enter()
            mine.add(forth)
            await asyncio.gather(_pipe(reader, forth), _pipe(back, writer))
        for each in mine:
            each.transport.abort()

    async def _enter(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while True:
            if ready := sorted(self._ready):
                port = ready[next(self._turns) % len(ready)]
                try:
                    return await asyncio.open_connection("127.0.0.1", port)
                except OSError:
                    self._ready.discard(port)
            else:
                await asyncio.sleep(LOOK_SECONDS / 5)


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    await asyncio.sleep(0)
    raise ConnectionResetError
