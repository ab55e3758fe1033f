"""The few HTTP answers beside the socket: the page for people, its files, and how the node is."""

from collections.abc import Mapping
from http import HTTPStatus
from importlib.resources import files
from typing import Final, NamedTuple

from websockets.datastructures import Headers
from websockets.http11 import Response

from server.web.files import FILES, POLICY

_NOTHING: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Page(NamedTuple):
    """A page as it is sent."""

    status: HTTPStatus
    body: bytes
    kind: str = "text/plain"
    more: tuple[tuple[str, str], ...] = (("Cache-Control", "no-store"),)

    def response(self) -> Response:
        """The page with headers that keep it from doing or leaking anything."""
        headers = Headers(
            [
                ("Content-Type", f"{self.kind}; charset=utf-8"),
                ("Content-Length", str(len(self.body))),
                ("Content-Security-Policy", POLICY if self.kind == "text/html" else _NOTHING),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
                ("Connection", "close"),
                *self.more,
            ]
        )
        return Response(self.status.value, self.status.phrase, headers, self.body)


def page(method: str, path: str, asked: Mapping[str, str], *, unready: str) -> Page:
    """What to answer to a request that is not for the socket; `path` is without the query, `asked` its headers.

    `unready` says why no new clients should come; it is empty if they may.
    """
    if method != "GET":
        return Page(HTTPStatus.METHOD_NOT_ALLOWED, b"Only GET is of use here.\n", more=(("Allow", "GET"),))
    match path:
        case "/healthz":
            return Page(HTTPStatus.OK, b"ok\n")
        case "/readyz":
            if unready:
                return Page(HTTPStatus.SERVICE_UNAVAILABLE, f"{unready}\n".encode())
            return Page(HTTPStatus.OK, b"ready\n")
        case "/protocol":
            manual = files("protocol").joinpath("PROTOCOL.md")
            if manual.is_file():
                return Page(HTTPStatus.OK, manual.read_bytes())
    if path in FILES:
        return _file(path, asked)
    return Page(HTTPStatus.NOT_FOUND, b"There is nothing here. The socket is at /ws, a page for people at /.\n")


def _file(path: str, asked: Mapping[str, str]) -> Page:
    """A file of the page. A browser may keep it, but asks each time whether it is still the same."""
    file = FILES[path]
    more = (("Cache-Control", "no-cache"), ("ETag", file.mark), ("Vary", "Accept-Encoding"))
    if file.mark in asked.get("If-None-Match", ""):
        return Page(HTTPStatus.NOT_MODIFIED, b"", file.kind, more)
    if "gzip" in asked.get("Accept-Encoding", ""):
        return Page(HTTPStatus.OK, file.packed, file.kind, (*more, ("Content-Encoding", "gzip")))
    return Page(HTTPStatus.OK, file.body, file.kind, more)


def refused(status: HTTPStatus, why: str, retry_after: int | None = None) -> Response:
    """A handshake that is turned down, why, and after how many seconds to come back."""
    more = [("Cache-Control", "no-store")] + ([] if retry_after is None else [("Retry-After", str(retry_after))])
    return Page(status, f"{why}\n".encode(), more=tuple(more)).response()


def same_origin(origin: str, host: str, allowed: tuple[str, ...]) -> bool:
    """Whether a page of this origin may open the socket: the server's own pages may, and those that were allowed."""
    return origin in allowed or origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())
