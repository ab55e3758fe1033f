"""Who may read the metrics, and where."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import structlog
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.http11 import Request, Response

from server.eyes.census import Census
from server.eyes.exposition import KIND, Exposition
from server.gateway.pages import Page

log = structlog.get_logger()

PATH: Final = "/metrics"
PASSED_ON: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")
"""Headers of requests that a proxy has passed on, from who knows where."""


class NoMetrics(Exception):  # noqa: N818 - there will be no metrics
    """The metrics cannot be served there; the text says why."""


def address(where: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; an IPv6 address stands in brackets. Raises ValueError."""
    host, colon, port = where.rpartition(":")
    if not (host and colon and port.isascii() and port.isdecimal() and int(port) < 65536):
        raise ValueError(f"{where!r} is no HOST:PORT")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise ValueError(f"{where!r} has an IPv6 address without brackets")
    return host, int(port)


class Metrics:
    """Answers who asks for `/metrics`: on an address of its own, or on the one of the game to this machine alone."""

    def __init__(self, where: str, exposition: Exposition, census: Callable[[], Awaitable[Census]]) -> None:
        """`where`: `HOST:PORT`, or empty. Raises ValueError."""
        self._where = address(where) if where else None
        self._exposition = exposition
        self._census = census
        self.port = 0
        """The port of its own, if it has one."""

    def may_read(self, peer: str, request: Request) -> bool:
        """Whether a request at the address of the game is for the metrics and comes from a program on this machine.

        What a proxy or a tunnel on this machine passes on does not; it gives itself away by its headers or by the host
        that was asked for.
        """
        if self._where is not None or request.method != "GET" or urlsplit(request.path).path != PATH:
            return False
        passed_on = any(request.headers.get_all(name) for name in PASSED_ON)
        return not passed_on and _here(peer) and _here(_host("".join(request.headers.get_all("Host"))))

    async def response(self) -> Response:
        """The metrics as they are now."""
        return Page(HTTPStatus.OK, self._exposition.text(await self._census()), KIND).response()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Answer at the address of its own, if it has one. Raises `NoMetrics`."""
        if self._where is None:
            yield
            return
        host, port = self._where
        try:
            server = await listen(_nobody, host, port, process_request=self._answer, server_header=None)
        except OSError as error:
            raise NoMetrics(f"cannot listen on {host} port {port}: {error.strerror or error}") from None
        async with server:
            self.port = server.sockets[0].getsockname()[1]
            log.info("metrics", port=self.port)
            yield

    async def _answer(self, socket: ServerConnection, request: Request) -> Response:
        if request.method == "GET" and urlsplit(request.path).path == PATH:
            return await self.response()
        return Page(HTTPStatus.NOT_FOUND, f"The metrics are at {PATH}.\n".encode()).response()


async def _nobody(socket: ServerConnection) -> None:
    """Every request is answered before it becomes a socket."""


def _host(asked: str) -> str:
    """The host of a `Host` header, without its port; empty if it makes no sense."""
    try:
        return urlsplit(f"//{asked}").hostname or ""
    except ValueError:
        return ""


def _here(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback
