"""The HTTP answers beside the socket."""

import asyncio
import gzip
import re
from http import HTTPStatus

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from protocol.messages import ListRooms, RoomList
from server.gateway.pages import page
from server.gateway.server import Gateway
from tests.gateway.net import PATIENCE, Client, client, gateway


async def fetch(server: Gateway, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    """A request over a bare socket: status, headers, body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *(f"{k}: {v}" for k, v in headers.items())]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    async with asyncio.timeout(PATIENCE):
        answer = (await reader.read()).decode()
    writer.close()
    head, _, body = answer.partition("\r\n\r\n")
    status, *fields = head.split("\r\n")
    return int(status.split()[1]), dict(field.split(": ", 1) for field in fields), body


async def test_the_front_page_tells_what_this_is() -> None:
    async with gateway() as server:
        status, headers, body = await fetch(server, "/?from=elsewhere")
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    assert "Server" not in headers
    for needed in (
        "<title>Marchwarden</title>",
        "/ws",
        "marchwarden.v1.json",
        'href="/protocol"',
        "width=device-width",
    ):
        assert needed in body
    assert not re.search(r"https?://|<style|<script[^>]*>[^<]|style=|\son\w+=", body)


async def test_the_front_page_may_use_what_is_here_and_nothing_else() -> None:
    async with gateway() as server:
        _, headers, _ = await fetch(server, "/")
        _, plain, _ = await fetch(server, "/healthz")
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self'; ")
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "'self'" not in plain["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == plain["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/web/main.js", "text/javascript"),
        ("/web/style/base.css", "text/css"),
        ("/web/facts.json", "application/json"),
        ("/web/board/board.json", "application/json"),
        ("/web/icon.svg", "image/svg+xml"),
    ],
)
async def test_files_come_with_their_type_and_are_asked_for_again_only_when_they_change(path: str, kind: str) -> None:
    async with gateway() as server:
        status, headers, body = await fetch(server, path)
        assert (status, headers["Content-Type"]) == (200, f"{kind}; charset=utf-8")
        assert headers["Cache-Control"] == "no-cache"
        again, _, nothing = await fetch(server, path, **{"If-None-Match": headers["ETag"]})
        assert (again, nothing) == (304, "")
        changed, _, anew = await fetch(server, path, **{"If-None-Match": '"of-yesterday"'})
        assert (changed, anew) == (200, body)


def test_files_are_packed_for_those_who_can_unpack_them() -> None:
    sent = page("GET", "/web/facts.json", {"Accept-Encoding": "br, gzip"}, unready="")
    assert ("Content-Encoding", "gzip") in sent.more
    assert ("Vary", "Accept-Encoding") in sent.more
    assert gzip.decompress(sent.body) == page("GET", "/web/facts.json", {}, unready="").body


async def test_health_and_readiness() -> None:
    async with gateway() as server:
        assert (await fetch(server, "/healthz"))[0::2] == (200, "ok\n")
        assert (await fetch(server, "/readyz"))[0::2] == (200, "ready\n")
        server.desk.draining = True
        assert (await fetch(server, "/healthz"))[0::2] == (200, "ok\n")
        assert (await fetch(server, "/readyz"))[0::2] == (503, "draining\n")


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/ws/",
        "/../etc/passwd",
        "/index.html",
        "//",
        "/%2e%2e/",
        "/web",
        "/web/",
        "/web/index.html",
        "/web/../server/config.py",
        "/web/%2e%2e/config.py",
        "/web/..%2fconfig.py",
        "/web/facts.py",
        "/web//main.js",
        "/web/./main.js",
        "/web/main.js/",
    ],
)
async def test_there_is_nothing_else(path: str) -> None:
    async with gateway() as server:
        status, _, body = await fetch(server, path)
        assert status == 404
        assert path not in body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("path", ["/", "/healthz", "/ws"])
async def test_only_get_is_of_use(method: str, path: str) -> None:
    async with gateway() as server:
        status, headers, _ = await fetch(server, path, method)
    assert (status, headers["Allow"]) == (405, "GET")


async def test_the_socket_is_no_page() -> None:
    async with gateway() as server:
        assert (await fetch(server, "/ws"))[0] == 426


async def test_the_protocol_is_there_to_read(monkeypatch, tmp_path) -> None:
    (tmp_path / "PROTOCOL.md").write_text("# The protocol\n", encoding="utf-8")
    monkeypatch.setattr("server.gateway.pages.files", lambda package: tmp_path)
    assert page("GET", "/protocol", {}, unready="").body == b"# The protocol\n"
    (tmp_path / "PROTOCOL.md").unlink()
    assert page("GET", "/protocol", {}, unready="").status == HTTPStatus.NOT_FOUND


async def turned_down(server: Gateway, origin: str) -> int:
    with pytest.raises(InvalidStatus) as refused:
        async with Client(server, additional_headers={"Origin": origin}):
            pass
    return refused.value.response.status_code


async def test_S93_pages_from_elsewhere_may_not_connect() -> None:
    async with gateway() as server:
        for origin in (
            "https://evil.example",
            "null",
            f"http://127.0.0.1:{server.port}.evil.example",
            "",
            "http://127.0.0.1:1",
        ):
            assert await turned_down(server, origin) == 403
        for origin in (f"http://127.0.0.1:{server.port}", f"https://127.0.0.1:{server.port}"):
            async with client(server, additional_headers={"Origin": origin}) as one:
                assert isinstance(await one.ask(ListRooms("1")), RoomList)


async def test_S93_an_origin_may_be_allowed() -> None:
    async with gateway(origins=("https://friend.example",)) as server:
        async with client(server, additional_headers={"Origin": "https://friend.example"}) as one:
            assert isinstance(await one.ask(ListRooms("1")), RoomList)
        assert await turned_down(server, "https://evil.example") == 403
        assert await turned_down(server, "null") == 403


async def test_garbage_instead_of_http_is_survived() -> None:
    async with gateway() as server:
        for garbage in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nHost", b"\r\n" * 100):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(garbage)
            writer.close()
        assert (await fetch(server, "/", X="y" * 9000))[0] == 431
        assert (await fetch(server, "/" + "y" * 9000))[0] == 414
        assert (await fetch(server, "/healthz"))[0] == 200


async def test_S42_a_token_in_the_address_is_turned_down(capfd: pytest.CaptureFixture[str]) -> None:
    async with gateway() as server:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{server.port}/ws?room=x&token=hGkQ0xV5")
        assert refused.value.response.status_code == 400
        assert b"inside frames" in refused.value.response.body
        async with connect(f"ws://127.0.0.1:{server.port}/ws?utm_source=a-friend"):
            pass
    assert "hGkQ0xV5" not in "".join(capfd.readouterr())
