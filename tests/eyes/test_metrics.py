"""The page of metrics: what it says, and who may read it."""

import asyncio
import socket
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from protocol.client import connect
from protocol.legal import draw
from server.cli import main
from server.eyes.census import Census
from server.eyes.exposition import Exposition
from server.eyes.meters import Meters
from server.gateway.metrics import address
from tests.eyes.scrape import PATIENCE, Scrape, fetch, scrape
from tests.gateway.net import client, gateway, table
from tests.kill.process import Server, free_port


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, int]]:
    """A server, and the port of its metrics."""
    port = free_port()
    data = tmp_path_factory.mktemp("node") / "data"
    server = Server(data, "--bot-pace", "0", "--metrics", f"127.0.0.1:{port}")
    server.start()
    yield server, port
    server.kill()


async def test_the_numbers_move_while_a_game_is_played(node: tuple[Server, int]) -> None:
    server, port = node
    first, rng, answered = await scrape(port), Random(1), 0
    async with connect(server.url) as one, connect(server.url) as two:
        made = await one.create_room(3, bots=2)
        ((house, invite),) = made.invites.items()
        seat = await one.take_seat(made.room, house, invite=invite)
        await two.enter(made.room)
        table = await one.enter(made.room, seat.token)
        async for prompt in table.prompts():
            await table.answer(prompt, draw(prompt, rng))
            answered += 1
            if answered == 8:
                break
        now = await scrape(port)
    assert now["marchwarden_rooms", "playing"] == 1
    assert now["marchwarden_seats", "here"] == 1
    assert now["marchwarden_seats", "bot"] == 2
    assert now["marchwarden_spectators"] == 1
    assert now["marchwarden_connections"] == 2
    assert now["marchwarden_resumes_total", "new"] == 2
    assert now["marchwarden_answers_total", "player", "ok"] == answered
    assert now["marchwarden_answers_total", "bot", "ok"] > 0
    assert now["marchwarden_writes_total", "done"] > first["marchwarden_writes_total", "done"]
    assert now["marchwarden_commit_seconds_count"] > first["marchwarden_commit_seconds_count"]
    async with asyncio.timeout(PATIENCE):
        while now["marchwarden_loop_lag_seconds_count"] <= first["marchwarden_loop_lag_seconds_count"]:
            now = await scrape(port)
    assert now["marchwarden_delivery_seconds_count"] > 0
    assert now["marchwarden_faults_total"] == now["marchwarden_rooms_frozen"] == 0

    assert now["process_cpu_seconds_total"] > first["process_cpu_seconds_total"]
    assert now["process_resident_memory_bytes"] > 1e7


async def test_with_an_address_of_their_own_the_metrics_are_nowhere_else(node: tuple[Server, int]) -> None:
    server, port = node
    assert (await fetch(server.port))[0] == 404
    assert (await fetch(port, "/"))[0] == 404
    assert (await fetch(port, "/ws"))[0] == 404
    assert (await fetch(port, host="prometheus.example:9100", X_Forwarded_For="192.0.2.1"))[0] == 200


async def test_without_one_this_machine_may_read_them_and_nobody_else() -> None:
    async with gateway() as server:
        for host in ("localhost", f"localhost:{server.port}", "127.0.0.1", "[::1]:8000"):
            assert (await fetch(server.port, host=host))[0] == 200
        assert (await fetch(server.port, "/metrics?for=me"))[0] == 200
        for host in ("play.example.org", "play.example.org:443", "[", "localhost.example.org", "10.0.0.1"):
            assert (await fetch(server.port, host=host))[0] == 404
        for header in ("X_Forwarded_For", "Forwarded", "Via", "X_Real_IP", "X_Forwarded_Host"):
            assert (await fetch(server.port, **{header: "127.0.0.1"}))[0] == 404
        assert (await fetch(server.port, method="POST"))[0] == 405


async def test_a_node_that_stops_is_not_ready_and_still_tells_its_numbers() -> None:
    async with gateway() as server:
        assert (await scrape(server.port))["marchwarden_ready"] == 1
        server.desk.draining = True
        assert (await scrape(server.port))["marchwarden_ready"] == 0


async def test_what_waits_for_a_connection_is_counted() -> None:
    async with gateway() as server, client(server) as one, client(server) as two, client(server) as three:
        made = await table(server, [one, two, three])
        (connection, *_) = server._open
        connection.session.outbox._wake = lambda: None  # a socket that takes nothing
        connection.session.post(made.room, b"x" * 1000, False)
        now = await scrape(server.port)
    assert now["marchwarden_queue_bytes"] == now["marchwarden_queue_longest_bytes"] == 1000
    assert now["marchwarden_connections"] == 3


def test_labels_are_bounded_and_name_no_room_seat_or_address(node: tuple[Server, int]) -> None:
    now = asyncio.run(scrape(node[1]))
    allowed = {"phase", "state", "kind", "by", "outcome", "request", "code", "change", "what", "le", "node", "version"}
    ours = [sample for sample in now.samples if sample.name.startswith("marchwarden_")]
    assert {label for sample in ours for label in sample.labels} <= allowed
    assert len(ours) < 300


def test_what_has_not_happened_yet_is_told_as_none() -> None:
    told = Scrape(Exposition(Meters(), "here").text(Census()).decode())
    for change in ("taken", "given", "lost"):
        assert (sample := [s for s in told.samples if s.labels.get("change") == change]) and sample[0].value == 0
    assert told["marchwarden_info", "here"] == 1


@pytest.mark.parametrize(
    ("where", "found"),
    [("127.0.0.1:9100", ("127.0.0.1", 9100)), ("[::]:0", ("::", 0)), ("metrics.internal:1", ("metrics.internal", 1))],
)
def test_addresses(where: str, found: tuple[str, int]) -> None:
    assert address(where) == found


@pytest.mark.parametrize("where", ["9100", ":9100", "host:", "host:http", "host:65536", "::1:9100", "host:-1"])
def test_what_is_no_address_is_said(where: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", f"--data={tmp_path}", "--port=0", f"--metrics={where}"])
    assert result.exit_code == 2
    assert "--metrics" in result.stderr
    assert "127.0.0.1:9100" in result.stderr


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        result = CliRunner().invoke(main, ["serve", "--port=0", f"--data={tmp_path}", f"--metrics={where}"])
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: cannot listen on 127.0.0.1 port")
    assert line.endswith("choose another address with --metrics")
