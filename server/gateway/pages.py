"""The few HTTP answers beside the socket."""

import base64
import hashlib
import re
from http import HTTPStatus
from importlib.resources import files
from typing import Final, NamedTuple

from websockets.datastructures import Headers
from websockets.http11 import Response

_INDEX: Final = files("server.gateway").joinpath("index.html").read_text(encoding="utf-8")


def _policy(page: str) -> str:
    """A content security policy under which a page may do nothing but use its own styles."""
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    hashes = [base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() for style in styles]
    allowed = " ".join(f"'sha256-{each}'" for each in hashes) or "'none'"
    return f"default-src 'none'; style-src {allowed}; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Page(NamedTuple):
    """A page as it is sent."""

    status: HTTPStatus
    body: str
    kind: str = "text/plain"
    more: tuple[tuple[str, str], ...] = ()

    def response(self) -> Response:
        """The page with headers that keep it from doing or leaking anything."""
        body = self.body.encode()
        headers = Headers(
            [
                ("Content-Type", f"{self.kind}; charset=utf-8"),
                ("Content-Length", str(len(body))),
                ("Content-Security-Policy", _policy(self.body if self.kind == "text/html" else "")),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cache-Control", "no-store"),
                ("Connection", "close"),
                *self.more,
            ]
        )
        return Response(self.status.value, self.status.phrase, headers, body)


def page(method: str, path: str, *, ready: bool) -> Page:
    """What to answer to a request that is not for the socket; `path` is without the query."""
    if method != "GET":
        return Page(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is of use here.\n", more=(("Allow", "GET"),))
    match path:
        case "/":
            return Page(HTTPStatus.OK, _INDEX, "text/html")
        case "/healthz":
            return Page(HTTPStatus.OK, "ok\n")
        case "/readyz":
            return Page(HTTPStatus.OK, "ready\n") if ready else Page(HTTPStatus.SERVICE_UNAVAILABLE, "draining\n")
        case "/protocol":
            manual = files("protocol").joinpath("PROTOCOL.md")
            if manual.is_file():
                return Page(HTTPStatus.OK, manual.read_text(encoding="utf-8"))
    return Page(HTTPStatus.NOT_FOUND, "There is nothing here. The socket is at /ws, a page for people at /.\n")


def refused(status: HTTPStatus, why: str) -> Response:
    """A handshake that is turned down, and why."""
    return Page(status, f"{why}\n").response()


def same_origin(origin: str, host: str, allowed: tuple[str, ...]) -> bool:
    """Whether a page of this origin may open the socket: the server's own pages may, and those that were allowed."""
    return origin in allowed or origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())
