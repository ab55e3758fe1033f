"""The gateway: it listens, answers the few pages, and gives every socket a connection."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Sequence
from http import HTTPStatus
from itertools import count
from typing import Self
from urllib.parse import urlsplit

import structlog
from websockets import Subprotocol
from websockets.asyncio.server import Server, ServerConnection
from websockets.asyncio.server import serve as listen
from websockets.datastructures import Headers
from websockets.exceptions import NegotiationError
from websockets.http11 import Request, Response

from protocol.wire import MAX_CLIENT_FRAME, SUBPROTOCOLS
from server.config import Config
from server.eyes.exposition import Exposition
from server.gateway import census, pages
from server.gateway.address import client_address, networks
from server.gateway.connection import Connection, Shared
from server.gateway.counted import Heard, counted, peer_of
from server.gateway.door import Door
from server.gateway.front import Front
from server.gateway.metrics import Metrics
from server.gateway.tls import CertificateError, tls_context
from server.gateway.turns import Turns
from server.gateway.writer import CLOSE_SECONDS
from server.rooms.pace import Pace

log = structlog.get_logger()

MISBEHAVED = (1002, 1003, 1007, 1008, 1009)
"""Codes with which connections are closed for what they sent, or did not send."""
SHAKEN = Request("/ws", Headers())
"""What is kept of the request of a handshake that is over."""

# Its debug lines hold whole frames, and so tokens: they are never wanted.
_websockets_log = logging.getLogger("marchwarden.websockets")
_websockets_log.setLevel(logging.WARNING)


class Gateway:
    """Sockets and pages in front of a desk. `async with` listens and, at the end, stops."""

    def __init__(self, config: Config, desk: Front) -> None:
        """Raises `CertificateError`, and ValueError for a trusted proxy that is no network, or metrics at no address."""
        self.desk = desk
        self.desk.pace = Pace(config.seat_rate, config.seat_burst, time.monotonic)
        self._config = config
        self._tls = tls_context(config.tls_cert, config.tls_key)
        self._trusted = networks(config.trusted_proxies)
        self._door = Door(config, time.monotonic)
        self._shared = Shared(desk, config, self._door, Turns())
        self._numbers = count(1)
        self._open: dict[Connection, asyncio.Task[None]] = {}
        exposition = Exposition(desk.hall.meters, config.node_name)
        self.metrics = Metrics(config.metrics, exposition, lambda: census.take(desk, self._open, config))
        self._server: Server

    @property
    def port(self) -> int:
        """The port that it listens on."""
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def url(self) -> str:
        """The address of its page; the socket is at /ws there."""
        host = f"[{self._config.host}]" if ":" in self._config.host else self._config.host
        return f"{'http' if self._tls is None else 'https'}://{host}:{self.port}"

    async def __aenter__(self) -> Self:
        """Listen. Raises OSError if that is not possible there."""
        self._server = await listen(
            self._serve,
            self._config.host,
            self._config.port,
            reuse_port=self._config.workers > 1 or None,
            select_subprotocol=_select_subprotocol,
            process_request=self._answer,
            compression=None,
            server_header=None,
            max_size=MAX_CLIENT_FRAME,
            open_timeout=self._config.hello_timeout,
            ping_interval=self._config.ping_interval,
            ping_timeout=self._config.ping_timeout,
            close_timeout=CLOSE_SECONDS,
            logger=_websockets_log,
            create_connection=counted(self._config, self._door, self._trusted, Turns()),
            ssl=self._tls,
            ssl_handshake_timeout=None if self._tls is None else self._config.hello_timeout,
        )
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Stop at once, without asking anybody."""
        self.desk.draining = True
        for connection in self._open:
            connection.abort()
        self._server.close()
        await self._server.wait_closed()

    def renew_certificate(self) -> None:
        """Read the certificate and its key again, for handshakes from now on; what is of no use changes nothing."""
        if self._tls is None:
            return
        cert, key = self._config.tls_cert, self._config.tls_key
        try:
            tls_context(cert, key)
        except CertificateError as error:
            log.error("certificate_not_renewed", why=str(error))
        else:
            assert cert and key
            self._tls.load_cert_chain(cert, key, password="")
            log.info("certificate_renewed")

    async def drain(self, hurry: asyncio.Event, *, elsewhere: bool = False) -> None:
        """Take nothing new, tell everybody to come back later, and wait until they are gone or there is need to hurry.

        `elsewhere`: there are other nodes to come back to, at once.
        """
        self.desk.draining = True
        log.info("draining", connections=len(self._open))
        for number, connection in enumerate(self._open):
            first = 50 if elsewhere else 500
            connection.session.going_away(retry_after=first + number * 10 % 3000)  # not all at the same instant
        hurried = asyncio.create_task(hurry.wait())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._config.drain_seconds):
                while self._open and not hurry.is_set():
                    await asyncio.wait([hurried, *self._open.values()], return_when=asyncio.FIRST_COMPLETED)
        hurried.cancel()

    async def _serve(self, socket: ServerConnection) -> None:
        assert isinstance(socket, Heard)
        number = next(self._numbers)
        structlog.contextvars.bind_contextvars(conn=number)
        fmt = SUBPROTOCOLS.get(socket.subprotocol or "", "msgpack")
        address = self._address(socket, socket.request)
        socket.request, socket.response = SHAKEN, None  # their headers take two kilobytes
        connection = Connection(number, socket, fmt, address, self._shared)
        task = asyncio.current_task()
        assert task is not None
        self._open[connection] = task
        self._door.enter(address)
        try:
            await connection.run()
        finally:
            del self._open[connection]
            self._door.leave(address)
            if (sent := socket.protocol.close_sent) and sent.code in MISBEHAVED:
                self._door.blame(address)

    def _answer(self, socket: ServerConnection, request: Request) -> Awaitable[Response] | Response | None:
        """A page, or None to go on with the handshake of a socket."""
        if self.metrics.may_read(peer_of(socket), request):
            return self.metrics.response()
        path = urlsplit(request.path).path
        if path != "/ws" or request.method != "GET":
            return pages.page(request.method, path, _single(request.headers), unready=self.desk.unready).response()
        if "token" in urlsplit(request.path).query:
            why = "The address is /ws and no more: tokens travel inside frames, never in an address (see /protocol)."
            return pages.refused(HTTPStatus.BAD_REQUEST, why)
        if self.desk.draining:
            return pages.refused(HTTPStatus.SERVICE_UNAVAILABLE, "This server is about to stop. Come back in a moment.")
        address = self._address(socket, request)
        if turned_down := self._door.knock(address):
            log.debug("handshake_refused", address=address, status=turned_down.status.value)
            return pages.refused(turned_down.status, turned_down.why, turned_down.retry_after)
        host = "".join(request.headers.get_all("Host"))
        for origin in request.headers.get_all("Origin"):
            if not pages.same_origin(origin, host, self._config.origins):
                return pages.refused(HTTPStatus.FORBIDDEN, "Pages of that origin may not connect (--origin allows it).")
        return None

    def _address(self, socket: ServerConnection, request: Request | None) -> str:
        forwarded = request.headers.get_all("X-Forwarded-For") if request else []
        return client_address(peer_of(socket), forwarded, self._trusted)


def _single(headers: Headers) -> dict[str, str]:
    """Headers that came once or more often, each as one text."""
    return {name: ", ".join(headers.get_all(name)) for name in ("If-None-Match", "Accept-Encoding")}


def _select_subprotocol(socket: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The client's first choice among those spoken here; MessagePack if it offers none."""
    for name in offered:
        if name in SUBPROTOCOLS:
            return name
    if offered:
        raise NegotiationError(f"none of the subprotocols is spoken here; offer {' or '.join(SUBPROTOCOLS)}")
    return None
