"""Bots of the server think in processes of their own, which end with it (PROTOCOL.md, "Bots")."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from protocol.messages import BotKind, Snapshot
from protocol.wire import encode
from server.bots.kinds import KINDS
from server.bots.pilots import Pilots, decide
from server.game.game import Game


def snapshot(house="stark", **change):
    game = Game.new(3, bytes(16))
    view = {"room": "r", "seq": 1, **game.public(), "you": game.you(house), **change}
    return encode(Snapshot("r", 1, view), "msgpack")


class Desk:
    """Asks pilots and waits for what they say."""

    def __init__(self, **how):
        self.tasks = []
        self.pilots = Pilots(lambda work: self.tasks.append(asyncio.create_task(work)), pace=0, seed="x", **how)

    async def ask(self, kind, packed):
        told = asyncio.get_running_loop().create_future()
        self.pilots.think(kind, "r:stark", packed, told.set_result)
        assert not told.done(), "never at once"
        return await told


def test_the_protocol_names_the_kinds_that_there_are():
    assert set(get_args(BotKind)) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
async def test_every_kind_answers_by_the_snapshot_of_its_seat_alone(kind):
    desk = Desk(budget=5)
    with desk.pilots:
        answer = await desk.ask(kind, snapshot())
    game = Game.new(3, bytes(16))
    game.submit("stark", game.prompt("stark").id, answer)


async def test_what_goes_wrong_is_told():
    desk = Desk()
    with desk.pilots:
        assert isinstance(await desk.ask("steward", snapshot(areas=17)), Exception)
        assert await desk.ask("steward", snapshot()) == decide("steward", "x:r:stark", 50, snapshot())


async def test_a_process_that_is_ended_from_outside_is_replaced():
    desk = Desk()
    with desk.pilots:
        expected = await desk.ask("steward", snapshot())
        pool = children(os.getpid())
        assert pool
        for pid in pool:
            os.kill(pid, signal.SIGKILL)
        assert await desk.ask("steward", snapshot()) == expected


SERVER = """
import asyncio, sys
from server.bots.pilots import Pilots
from tests.bots.test_pilots import snapshot
async def main():
    pilots = Pilots(asyncio.create_task, pace=0)
    done = asyncio.get_running_loop().create_future()
    pilots.think("steward", "r:stark", snapshot(), done.set_result)
    await done
    print("thought", flush=True)
    await asyncio.sleep(600)
if __name__ == "__main__":
    asyncio.run(main())
"""


def test_no_process_outlives_a_server_that_is_killed(tmp_path):
    script = tmp_path / "node.py"
    script.write_text(SERVER)
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(Path.cwd())}
    ) as server:
        assert server.stdout
        thought, pool = server.stdout.readline(), children(server.pid)
        server.kill()
        assert thought == b"thought\n"
        assert pool
        # The processes hold the other end of this pipe: it ends when the last of them is gone.
        assert server.stdout.read() == b""


def children(pid):
    """The processes of the pool that a process has started."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(pid)], capture_output=True, text=True, check=True
    )
    return [int(line.split()[0]) for line in listed.stdout.splitlines() if "spawn_main" in line]
