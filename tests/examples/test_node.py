"""The example bot for Node.js plays whole games against a server process, and comes back when its connection is cut."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from protocol.client import connect, play
from protocol.legal import draw
from tests.kill.process import Server

EXAMPLE = Path(__file__).parents[2] / "protocol" / "examples" / "node"
PATIENCE = 25
"""Seconds for a game; it takes one or two."""


@pytest.fixture(scope="session")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot in a copy of its own, with the packages of its lock file."""
    if not (shutil.which("node") and shutil.which("npm")):
        if os.environ.get("CI"):
            pytest.fail("CI must have node and npm")
        pytest.skip("node or npm is not here")
    copy = tmp_path_factory.mktemp("node") / "bot"
    shutil.copytree(EXAMPLE, copy, ignore=shutil.ignore_patterns("node_modules"))
    done = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund"], check=False, cwd=copy, capture_output=True, text=True, timeout=30
    )
    assert done.returncode == 0, done.stderr
    return copy / "bot.js"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server process; at its end nobody may have been refused anything."""
    running = Server(tmp_path / "data", "--log-level", "debug")
    running.start()
    yield running
    assert running.stop() == 0
    log = [json.loads(line) for line in (tmp_path / "server.log").read_text().splitlines()]
    assert {"session_opened", "seat_taken"} <= {line["event"] for line in log}
    assert not [line for line in log if line["event"] in ("refused", "malformed", "fault")]


class Node:
    """A bot that is running, and what it has printed."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout
        self.process = process
        self.printed = process.stdout

    async def says(self, pattern: str) -> re.Match[str]:
        """The next line that is like this."""
        while line := (await self.printed.readline()).decode():
            if found := re.match(pattern, line):
                return found
        raise AssertionError(f"it never said {pattern}")

    async def rest(self) -> str:
        """What it still prints, to its end, which must be a good one."""
        rest = (await self.printed.read()).decode()
        assert await self.process.wait() == 0, rest
        return rest


@asynccontextmanager
async def running(bot: Path, *arguments: str) -> AsyncIterator[Node]:
    process = await asyncio.create_subprocess_exec(
        "node", str(bot), *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    try:
        yield Node(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_three_node_bots_play_a_game_that_one_of_them_makes(bot: Path, server: Server) -> None:
    async with asyncio.timeout(PATIENCE), running(bot, server.url) as host:
        two, three = [(await host.says(r"another: node bot\.js (\S+) (\S+) (\S+)")).groups() for _ in range(2)]
        async with running(bot, *two) as second, running(bot, *three) as third:
            ends = await asyncio.gather(*(each.rest() for each in (host, second, third)))
        (winner,) = {re.findall(r"^over: (\w+) wins$", end, re.MULTILINE)[0] for end in ends}
        async with connect(server.url) as client:
            table = await client.enter(two[1])
            assert table.over
            assert table.view["result"]["winner"] == winner


class Scissors:
    """A proxy that cuts a client off, at some of the pieces that it sends: before the server has them, or right after."""

    def __init__(self, port: int, cuts: dict[int, str]) -> None:
        """`cuts`: `before` or `after`, by the number of the piece."""
        self._port = port
        self._cuts = cuts
        self._pieces = 0
        self._served: set[asyncio.Task[None]] = set()
        self.done: list[str] = []

    @asynccontextmanager
    async def url(self) -> AsyncIterator[str]:
        async with await asyncio.start_server(self._accept, "127.0.0.1", 0) as listening:
            yield f"ws://127.0.0.1:{listening.sockets[0].getsockname()[1]}/ws"
            await asyncio.gather(*self._served)

    def _accept(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        self._served.add(asyncio.create_task(self._serve(client, to_client)))

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._forth(client, to_server, to_client), self._back(server, to_client))

    async def _forth(
        self, client: asyncio.StreamReader, to_server: asyncio.StreamWriter, to_client: asyncio.StreamWriter
    ) -> None:
        async with closing(to_server):
            while piece := await client.read(65_536):
                self._pieces += 1
                cut = self._cuts.get(self._pieces)
                if cut != "before":
                    to_server.write(piece)
                    await to_server.drain()
                if cut:
                    self.done.append(cut)
                    to_client.transport.abort()
                    return

    async def _back(self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        async with closing(to_client):
            while piece := await server.read(65_536):
                if not to_client.is_closing():
                    to_client.write(piece)


@asynccontextmanager
async def closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    """Close it at the end, also of a connection that the other side has reset."""
    with contextlib.suppress(ConnectionError):
        yield
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


async def test_a_node_bot_that_is_cut_off_comes_back_and_nothing_is_lost(bot: Path, server: Server) -> None:
    scissors = Scissors(server.port, {12: "after", 20: "before", 33: "after", 45: "before"})
    async with asyncio.timeout(PATIENCE), scissors.url() as url, connect(server.url) as host:
        made = await host.create_room(3)
        first, *others = made.invites
        async with running(bot, url, made.room, made.invites[first]) as node:
            await node.says(f"playing {first} in room {made.room}")

            async def other(house: str) -> dict[str, Any]:
                rng = Random(house)
                seat = await host.take_seat(made.room, house, invite=made.invites[house])
                return await play(server.url, made.room, seat.token, lambda prompt, view: draw(prompt, rng))

            views = await asyncio.gather(*map(other, others))
            end = await node.rest()
    assert scissors.done == ["after", "before", "after", "before"]
    assert end.count("connection lost; back in") == 4
    assert f"over: {views[0]['result']['winner']} wins" in end


async def test_node_bots_come_back_to_a_server_that_is_started_again(bot: Path, server: Server) -> None:
    async with asyncio.timeout(PATIENCE), contextlib.AsyncExitStack() as stack:
        async with connect(server.url) as watcher:
            made = await watcher.create_room(3)
            seats = [(server.url, made.room, invite) for invite in made.invites.values()]
            bots = [await stack.enter_async_context(running(bot, *seat)) for seat in seats]
            table = await watcher.enter(made.room)
            while table.view.get("round", 0) < 2:
                await table.changed()
        assert await asyncio.to_thread(server.stop) == 0
        await asyncio.to_thread(server.start)
        ends = await asyncio.gather(*(each.rest() for each in bots))
    assert all("connection lost; back in" in end for end in ends)
    assert len({re.findall(r"^over: (\w+) wins$", end, re.MULTILINE)[0] for end in ends}) == 1


def test_it_is_short_and_its_lock_names_no_registry() -> None:
    assert sum(len(source.read_text().splitlines()) for source in EXAMPLE.glob("*.js")) < 150
    lock = json.loads((EXAMPLE / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages.keys() == {"node_modules/ws", "node_modules/@msgpack/msgpack"}
    assert all("integrity" in package and "resolved" not in package for package in packages.values())
