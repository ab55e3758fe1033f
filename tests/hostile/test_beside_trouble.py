"""A room that is played beside trouble of every kind notices nothing; `make hostile` does it at full size.

Every trouble comes from another process and another address, against a server process with its default limits. How long
the answers of the players beside it take is printed and not asserted: what is, is that their games go on to the end.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.beside import Bystanders, Latency
from tests.hostile.trouble import allow_files
from tests.kill.process import Server

FULL = "HOSTILE_SECONDS" in os.environ
SECONDS = float(os.environ.get("HOSTILE_SECONDS", "0.6"))
"""How long the players are watched before and during every trouble."""
CROWD = 5000 if FULL else 500
SPARE = 500
"""Files that a crowd of the machine's limit must leave."""
PATIENCE = 60

SIZES = {
    "random_bytes": 20,
    "valid_flood": 20,
    "invalid_flood": 20,
    "pings": 20,
    "large_frames": 5,
    "resyncs": 20,
    "handshakes": 50,
    "rooms": 5,
    "silent": 200,
    "never_reading": 50,
}


def memory(pid: int) -> float:
    """Resident memory of a process in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


class Watch:
    """What the trouble brought, and how the players beside it fared."""

    told: dict[str, Any]
    during: Latency


@asynccontextmanager
async def trouble(name: str, server: Server, room: str, size: int) -> AsyncIterator[Watch]:
    """The trouble is on in the block; afterwards it has told what it met with."""
    watch = Watch()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.hostile.trouble", name, str(server.port), room, str(size)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    try:
        async with asyncio.timeout(PATIENCE):
            assert await process.stdout.readline() == b"ready\n"
            yield watch
            process.stdin.close()
            watch.told = json.loads(await process.stdout.readline())
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def report(name: str, size: int, before: Latency, watch: Watch, server: Server) -> None:
    ratios = f"median x{watch.during.median / before.median:.2f}, p95 x{watch.during.p95 / before.p95:.2f}"
    print(f"\n{name} ({size}): {ratios}; {memory(server.pid):.0f} MB\n  before {before}\n  during {watch.during}")
    print(f"  {watch.told}")


def report_noise(quiet: list[Latency]) -> None:
    """How much the windows without any trouble differ from each other: what is measured beside trouble is read against it."""
    medians, tails = ([getattr(each, name) for each in quiet] for name in ("median", "p95"))
    print(
        f"\nnoise: in {len(quiet)} quiet windows median {min(medians):.2f} to {max(medians):.2f} ms"
        f" (x{max(medians) / min(medians):.2f}), p95 {min(tails):.2f} to {max(tails):.2f} ms (x{max(tails) / min(tails):.2f})"
    )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "data", "--store=memory", "--hello-timeout=1", "--handshake-burst=10000")
    running.start()
    yield running
    assert running.stop() == 0


async def test_beside_floods_and_loafers_games_go_on(server: Server) -> None:
    met, quiet = {}, []
    async with Bystanders(server.url) as room:
        await room.watch(SECONDS)
        start = memory(server.pid)
        for name, size in SIZES.items():
            before = await room.watch(SECONDS)
            quiet.append(before)
            async with trouble(name, server, room.room, size) as watch:
                watch.during = await room.watch(max(SECONDS, 1.2 if name == "silent" else 0))
                assert watch.during.answers > 0, name
            met[name] = watch.told
            report(name, size, before, watch, server)
        report_noise([*quiet, await room.watch(SECONDS)])
        await room.finish()
        assert room.finished
    assert memory(server.pid) < start + 200
    for name in ("random_bytes", "valid_flood", "invalid_flood", "resyncs"):
        assert met[name].get("1008") or met[name].get("1002"), met[name]  # told, then closed
    assert set(met["large_frames"]) <= {"1009", "1006", "HTTP/1.1 429 Too Many Requests", "ConnectionResetError"}
    assert met["silent"]["cut"] == SIZES["silent"]


async def test_S98_a_crowd_in_one_room_is_nothing_to_another(server: Server) -> None:
    crowd = min(CROWD, allow_files() - SPARE)
    async with Bystanders(server.url) as room, Bystanders(server.url, pace=CROWD / 5000) as watched:
        await room.watch(SECONDS)
        before = await room.watch(SECONDS)
        async with trouble("spectators", server, watched.room, crowd) as watch:
            watch.during = await room.watch(SECONDS)
        report("spectators", crowd, before, watch, server)
        report_noise([before, await room.watch(SECONDS)])
        assert watch.told["watching"] == crowd
        assert watch.told["gone"] == 0
        assert watch.told["least"] > 0
        await room.finish()
        assert room.finished
