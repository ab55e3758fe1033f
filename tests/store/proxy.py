"""A wire to PostgreSQL that can be cut at the worst moment: around the COMMIT."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Literal
from urllib.parse import urlsplit

Cut = Literal["never", "before", "after", "down"]
COMMIT = b"COMMIT;"


class Proxy:
    """Cuts the first connection that commits `before` PostgreSQL has heard of it, or `after` it has done so.

    While it is `down` nobody gets through.
    """

    def __init__(self, url: str) -> None:
        self._there = urlsplit(url)
        self.cut: Cut = "never"
        self.then: Cut = "never"
        self.url = ""
        self._writers: set[asyncio.StreamWriter] = set()

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator["Proxy"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        self.url = self._there._replace(netloc=f"{self._there.username}@127.0.0.1:{port}").geturl()
        try:
            yield self
        finally:
            server.close()
            self.hang_up()
            await server.wait_closed()

    def hang_up(self) -> None:
        """Cut everybody off."""
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.cut == "down":
            writer.transport.abort()
            return
        up_reader, up_writer = await asyncio.open_connection(self._there.hostname, self._there.port)
        self._writers |= {writer, up_writer}
        with contextlib.suppress(OSError):
            await asyncio.gather(self._ask(reader, up_writer, writer), self._answer(up_reader, writer))
        for each in (writer, up_writer):
            each.transport.abort()
        self._writers -= {writer, up_writer}

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        while data := await reader.read(65536):
            if COMMIT in data and self.cut in {"before", "after"}:
                if self.cut == "after":
                    back.transport.abort()
                    writer.write(data)
                    await writer.drain()
                self.cut = self.then
                raise ConnectionResetError
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        raise ConnectionResetError
