"""A wire between a node and a server, to be cut and mended."""

import asyncio
import contextlib
from collections.abc import AsyncIterator


class Cable:
    """Passes everything on to a port of this machine until it is cut: then nobody gets through."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self.whole = True
        self._there = port
        self._writers: set[asyncio.StreamWriter] = set()

    @contextlib.asynccontextmanager
    async def laid(self) -> AsyncIterator["Cable"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            self.cut()
            server.close()

    def cut(self) -> None:
        self.whole = False
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self.whole = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine = {writer}
        with contextlib.suppress(OSError):
            if self.whole:
                back, forth = await asyncio.open_connection("127.0.0.1", self._there)
                mine.add(forth)
                self._writers |= mine
                await asyncio.gather(_pipe(reader, forth), _pipe(back, writer))
        self._writers -= mine
        for each in mine:
            each.transport.abort()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    raise ConnectionResetError
