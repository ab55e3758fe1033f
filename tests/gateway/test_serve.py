"""`marchwarden serve` as a process."""

import asyncio
import json
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect

from protocol.messages import GoingAway, Hello, Welcome
from protocol.wire import decode_server, encode
from server.cli import COMMANDS, main
from server.config import Config
from server.gateway.node import serve
from tests.gateway.net import PATIENCE

MARCHWARDEN = [sys.executable, "-c", "from server.cli import main; main()"]


class Running(NamedTuple):
    process: asyncio.subprocess.Process
    url: str

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE):
            return await self.process.wait()

    async def log(self) -> list[dict[str, object]]:
        assert self.process.stderr
        return [json.loads(line) for line in (await self.process.stderr.read()).splitlines()]


@asynccontextmanager
async def running(data: Path, *options: str) -> AsyncIterator[Running]:
    process = await asyncio.create_subprocess_exec(
        *MARCHWARDEN,
        "serve",
        "--port=0",
        f"--data={data}",
        *options,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout
        async with asyncio.timeout(PATIENCE):
            first = (await process.stdout.readline()).decode()
        assert first.startswith("listening http://127.0.0.1:")
        yield Running(process, first.split()[1])
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
async def test_S84_a_signal_stops_it_politely(signum: signal.Signals, tmp_path: Path) -> None:
    async with running(tmp_path / "made" / "here") as server:
        assert (tmp_path / "made" / "here").is_dir()
        async with connect(server.url.replace("http", "ws") + "/ws") as client:
            await client.send(encode(Hello(1), "msgpack"))
            assert isinstance(decode_server(await client.recv(), "msgpack"), Welcome)
            server.process.send_signal(signum)
            assert isinstance(decode_server(await client.recv(), "msgpack"), GoingAway)
            await client.wait_closed()
            assert client.close_code == 1012
        assert await server.ended() == 0
        events = [line["event"] for line in await server.log()]
        assert events == ["listening", "session_opened", "draining", "connection_closed", "stopped"]


async def test_S84_a_second_signal_cuts_it_short(tmp_path: Path) -> None:
    async with running(tmp_path, "--drain-seconds=3600") as server:
        host, port = server.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))  # a client that never answers a close frame
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        await reader.readuntil(b"\r\n\r\n")
        server.process.send_signal(signal.SIGTERM)
        await reader.readexactly(2)
        server.process.send_signal(signal.SIGTERM)
        assert await server.ended() == 0
        writer.close()


async def test_environment_variables_are_options_too(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("MARCHWARDEN_LOG_LEVEL", "error")
    async with running(tmp_path) as server:
        server.process.terminate()
        assert await server.ended() == 0
        assert await server.log() == []


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(main, ["serve", f"--port={port}", f"--data={tmp_path}"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"Error: 127.0.0.1 port {port} is in use: stop what listens there, or choose another with --port"
        " (0 takes a free one)\n"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host=nowhere.invalid"], "cannot listen on nowhere.invalid"),
        (["--data=/dev/null/rooms"], "cannot make /dev/null/rooms"),
        (["--port=99999"], "99999"),
        (["--log-level=loud"], "loud"),
    ],
)
def test_what_cannot_be_is_said(options: list[str], said: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", "--port=0", f"--data={tmp_path}", *options])
    assert result.exit_code != 0
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_every_command_is_there_and_says_what_it_does() -> None:
    listed = CliRunner().invoke(main, ["--help"]).stdout
    for name, what in COMMANDS.items():
        assert what in listed
        result = CliRunner().invoke(main, [name, "--help"])
        assert result.exit_code == 0
        assert result.stdout.startswith(f"Usage: main {name}")


async def test_the_help_page_is_quick() -> None:
    code = "import sys, server.cli; sys.exit(any(name in sys.modules for name in ('websockets', 'msgspec', 'asyncio')))"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)
    assert await process.wait() == 0


async def test_work_beside_the_server_may_fail_without_it(tmp_path: Path) -> None:
    called = asyncio.Event()

    async def fail(url: str) -> None:
        called.set()
        raise RuntimeError("no demo today")

    server = asyncio.create_task(serve(Config(port=0, data=tmp_path), fail))
    await asyncio.wait_for(called.wait(), PATIENCE)
    await asyncio.sleep(0)
    assert not server.done()
    signal.raise_signal(signal.SIGTERM)
    await asyncio.wait_for(server, PATIENCE)
