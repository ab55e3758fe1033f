"""`marchwarden serve --workers N`: several nodes at one address under a supervisor."""

import asyncio
import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from protocol.client import connect
from server.cli import main
from server.commands.handed import read, written
from server.commands.pauses import FIRST_SECONDS, LONGEST_SECONDS, STEADY_SECONDS, Pauses
from server.commands.reserved import reserved
from server.commands.workers import shares
from server.config import Config
from tests.cluster.player import Player
from tests.cluster.process import NatsServer, Node
from tests.gateway.net import PATIENCE
from tests.gateway.test_tls import CERT, KEY

POSTGRES = "postgresql://nobody@127.0.0.1:1/nothing"


class Workers(Node):
    """Two workers, and what they log."""

    def __init__(self, directory: Path, store: str, nats: str, *options: str) -> None:
        super().__init__("m", directory, store, nats, "--workers", "2", "--log-level", "info", *options)
        self._log = directory / "server.log"

    def logged(self, event: str) -> list[dict[str, Any]]:
        """All lines of an event, of the supervisor and the workers; one that is being written does not count yet."""
        whole, _, _ = self._log.read_text().rpartition("\n")
        return [line for line in map(json.loads, whole.splitlines()) if line["event"] == event]

    def pids(self) -> dict[str, int]:
        """The process of each worker, as it was started last."""
        return {line["worker"]: line["pid"] for line in self.logged("worker_started")}

    async def until(self, true: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not true():  # noqa: ASYNC110 - it is about other processes
                await asyncio.sleep(0.02)


@pytest.fixture
def started() -> Iterator[list[Workers]]:
    """What is in here at the end is killed, supervisor first."""
    running = list[Workers]()
    yield running
    for each in running:
        each.kill()
        for pid in each.pids().values():
            if Path(f"/proc/{pid}/cmdline").exists():  # it would end by itself, but not if it hangs
                os.kill(pid, signal.SIGKILL)


async def test_a_game_is_played_on_both_and_goes_on_when_one_is_killed(
    postgres_url: str, nats_server: NatsServer, tmp_path: Path, started: list[Workers]
) -> None:
    workers = Workers(tmp_path, postgres_url, nats_server.url, "--no-share", "--drain-seconds", "1")
    started.append(workers)
    await asyncio.to_thread(workers.start)
    first = workers.pids()
    assert first.keys() == {"m-1", "m-2"}
    async with connect(workers.url) as host:
        made = await host.create_room(3)
        seats = [await host.take_seat(made.room, house, invite=invite) for house, invite in made.invites.items()]
    tables = [Player([workers], made.room, seat.house, seat.token, seat.house) for seat in seats]
    games = [asyncio.create_task(table.play()) for table in tables]

    await workers.until(lambda: {line["node"] for line in workers.logged("session_opened")} >= {"m-1", "m-2"})
    holder = workers.logged("room_made")[0]["node"]
    (other,) = first.keys() - {holder}
    os.kill(first[other], signal.SIGKILL)
    await workers.until(lambda: workers.pids()[other] != first[other])
    (died,) = workers.logged("worker_ended")
    assert (died["worker"], died["pid"], died["status"], died["node"]) == (other, first[other], -9, "m")
    async with asyncio.timeout(60):
        await asyncio.gather(*games)
    assert [table.odd for table in tables] == [[], [], []]
    assert all(table.answered for table in tables)

    assert await asyncio.to_thread(workers.stop) == 0
    assert sorted(line["node"] for line in workers.logged("stopped")) == ["m", "m-1", "m-2"]
    assert not workers.logged("fault")


async def test_signals_are_passed_on_and_nobody_is_left_behind(
    postgres_url: str, nats_server: NatsServer, tmp_path: Path, started: list[Workers]
) -> None:
    files = ("--tls-cert", str(CERT), "--tls-key", str(KEY))
    workers = Workers(tmp_path, postgres_url, nats_server.url, "--metrics", "127.0.0.1:0", *files)
    started.append(workers)
    await asyncio.to_thread(workers.start)
    workers.signal(signal.SIGHUP)
    await workers.until(lambda: len(workers.logged("certificate_renewed")) == 2)
    workers.kill()
    await workers.until(lambda: len(workers.logged("stopped")) == 2)
    assert {line["node"] for line in workers.logged("supervisor_gone")} == {"m-1", "m-2"}


def test_what_keeps_the_first_from_starting_is_said_once(nats_server: NatsServer, tmp_path: Path, capfd) -> None:
    options = ["--workers=3", "--port=0", f"--data={tmp_path}", f"--nats={nats_server.url}", "--node=m"]
    result = CliRunner().invoke(main, ["serve", *options, f"--store={POSTGRES}"])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr == "Error: m-1 did not start: see above\n"
    assert capfd.readouterr().err.count("PostgreSQL cannot be reached") == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--workers 2 needs --store postgresql://USER:PASSWORD@HOST/DATABASE and --nats nats://HOST:4222"),
        ([f"--store={POSTGRES}"], "and --nats nats://HOST:4222"),
        (
            [f"--store={POSTGRES}", "--nats=nats://127.0.0.1:1", "--metrics=127.0.0.1:65535"],
            "the workers take the ports from 65535 on",
        ),
    ],
)
def test_what_workers_need_is_said(options: list[str], said: str) -> None:
    result = CliRunner().invoke(main, ["serve", "--workers=2", *options])
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_each_worker_has_a_name_and_metrics_of_its_own() -> None:
    config = Config(workers=3, node="m", metrics="[::1]:9100", port=0)
    told = [(each.node, each.metrics, each.port) for each in shares(config, 8000)]
    assert told == [("m-1", "[::1]:9100", 8000), ("m-2", "[::1]:9101", 8000), ("m-3", "[::1]:9102", 8000)]
    assert {each.metrics for each in shares(Config(workers=2, metrics="127.0.0.1:0"), 8000)} == {"127.0.0.1:0"}
    assert {each.metrics for each in shares(Config(workers=2), 8000)} == {""}


def test_settings_reach_a_worker_as_they_are() -> None:
    config = Config(workers=2, tls_cert=CERT, origins=("https://a.example", "https://b.example"), bot_pace=0)
    assert read(written(config)) == config


def test_pauses_grow_and_begin_anew_after_a_long_life() -> None:
    pauses = Pauses()
    waited = [pauses.after(0.5) for _ in range(10)]
    assert waited[:3] == [FIRST_SECONDS, 2 * FIRST_SECONDS, 4 * FIRST_SECONDS]
    assert waited == sorted(waited)
    assert waited[-1] == LONGEST_SECONDS
    assert pauses.after(STEADY_SECONDS - 1) == LONGEST_SECONDS
    assert pauses.after(STEADY_SECONDS) == FIRST_SECONDS


def listening(port: int) -> socket.socket:
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    one.bind(("127.0.0.1", port))
    one.listen()
    return one


def test_a_reserved_address_is_for_several_who_share_it_and_for_nobody_else() -> None:
    with reserved("127.0.0.1", 0) as port:
        with listening(port), listening(port), pytest.raises(OSError, match="in use"), reserved("127.0.0.1", port):
            pass
        with socket.socket() as alone, pytest.raises(OSError, match="in use"):
            alone.bind(("127.0.0.1", port))
    with reserved("localhost", port) as again:
        assert again == port
