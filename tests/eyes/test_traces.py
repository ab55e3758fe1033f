"""Traces: what a command is made of, on one node and over two; and that they cost nothing where nobody wants them."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF
from structlog.testing import capture_logs

from protocol.answers import Bid, Choose
from protocol.client import connect
from protocol.legal import draw
from protocol.messages import AnswerPrompt, ClockOptions, CreateRoom, Enter, Ok, RoomOptions, TakeSeat, Update
from server.eyes.traces import Traces
from server.gateway.tracing import ASKED_FOR_BY, tracing
from server.rooms.hall import Hall
from server.rooms.traced import TracedDesk
from tests.cluster.process import NatsServer
from tests.eyes.nodes import two_nodes
from tests.eyes.scrape import PATIENCE
from tests.rooms.ledger import Ledger, at_once
from tests.rooms.table import HOUSES, Clock, Player, SmallRules, Stream
from tests.sockets.house import raw


class Told(InMemorySpanExporter):
    """Spans that are over."""

    def named(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.get_finished_spans() if span.name == name]

    def children(self, parent: ReadableSpan) -> list[str]:
        """What a span is made of, in the order in which it began."""
        assert parent.context
        inside = [s for s in self.get_finished_spans() if s.parent and s.parent.span_id == parent.context.span_id]
        return [span.name for span in sorted(inside, key=lambda span: span.start_time or 0)]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def traces(told: Told) -> Iterator[Traces]:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(told))
    made = Traces(provider)
    yield made
    made.close()


class House:
    """A traced desk on an archive that can be told to wait, with three players in a game."""

    def __init__(self, traces: Traces, clock: ClockOptions | None = None) -> None:
        self.ledger, self.clock = Ledger(), Clock()
        hall = Hall(SmallRules(), Stream(), self.clock, 100, self.ledger, at_once)
        self.desk = TracedDesk(hall, at_once, None, traces)
        self.players = [Player() for _ in range(3)]
        made = self.ask(self.players[0], CreateRoom("make", 3, RoomOptions(clock=clock) if clock else RoomOptions()))
        self.room = made.room
        for player, house in zip(self.players, HOUSES, strict=False):
            seated = self.ask(player, TakeSeat(f"t-{house}", self.room, "x", invite=made.invites[house]))
            self.ask(player, Enter(f"e-{house}", self.room, token=seated.token))

    def ask(self, player: Player, message: Any) -> Any:
        before = len(player.ready)
        self.desk.handle(player, message)
        return player.ready.pop(before) if len(player.ready) > before else None

    def answer(self, given: Bid | Choose) -> Any:
        prompt = self.players[0].views[self.room]["you"]["prompt"]["id"]
        return self.ask(self.players[0], AnswerPrompt(type(given).__name__, self.room, prompt, given))


def test_an_answer_is_validated_committed_and_revealed(traces: Traces, told: Told) -> None:
    house = House(traces)
    house.ledger.slow = True
    told.clear()
    house.answer(Bid(1))
    assert [span.name for span in told.get_finished_spans()] == ["validate"]
    house.ledger.settle()
    (answer,) = told.named("answer")
    assert told.children(answer) == ["validate", "commit", "reveal"]
    assert answer.parent is None
    assert answer.attributes == {"marchwarden.room": house.room, "marchwarden.kind": "bid"}
    (commit,) = told.named("commit")
    assert commit.attributes == {"marchwarden.epoch": 1, "marchwarden.outcome": "durable"}


def test_what_is_refused_or_cannot_be_written_ends_too(traces: Traces, told: Told) -> None:
    house = House(traces)
    told.clear()
    assert house.answer(Choose("nothing")).code == "illegal"
    house.ledger.broken = True
    assert house.answer(Bid(1)).code == "unavailable"
    refused, lost = told.named("answer")
    assert told.children(refused) == ["validate"]
    assert told.children(lost)[:2] == ["validate", "commit"]
    (commit,) = told.named("commit")
    assert commit.attributes and commit.attributes["marchwarden.outcome"] == "unavailable"


def test_a_trace_that_is_not_kept_has_no_parts_and_changes_nothing(told: Told) -> None:
    provider = TracerProvider(sampler=ALWAYS_OFF, shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(told))
    house = House(Traces(provider))
    assert isinstance(house.answer(Bid(1)), Ok)
    assert told.get_finished_spans() == ()


def test_what_the_server_does_by_itself_is_no_command(traces: Traces, told: Told) -> None:
    house = House(traces, ClockOptions("live", bank=0, increment=1))
    told.clear()
    written = len(house.ledger.entries[house.room])
    house.clock.at += 10
    house.desk.tick()
    assert len(house.ledger.entries[house.room]) > written
    assert told.get_finished_spans() == ()


async def test_a_trace_goes_on_at_the_node_that_has_the_room_and_no_client_hears_of_it(
    traces: Traces, told: Told, postgres_url: str, nats_server: NatsServer, tmp_path: Path
) -> None:
    async with (
        two_nodes(postgres_url, nats_server.url, tmp_path, traces) as (left, right),
        connect(left.url) as one,
        connect(right.url) as two,
        raw(right.url) as watcher,
    ):
        made = await one.create_room(3)
        seats = [await two.take_seat(made.room, house, invite=invite) for house, invite in made.invites.items()]
        table = await two.enter(made.room, seats[0].token)
        while table.view["phase"] == "lobby":
            await table.changed()
        await watcher.ask(Enter("w", made.room), replies=2)
        told.clear()
        prompt = table.prompt
        assert prompt
        await table.answer(prompt, draw(prompt, Random(1)))
        while not isinstance(await watcher.read(), Update):
            pass
    (forward,) = told.named("forward")
    (answer,) = told.named("answer")
    assert forward.context and answer.context and answer.parent
    assert answer.context.trace_id == forward.context.trace_id
    assert answer.parent.span_id == forward.context.span_id
    assert told.children(answer) == ["validate", "commit", "reveal"]
    assert forward.attributes and forward.attributes["marchwarden.taken"] is True
    for secret in ("trace", f"{forward.context.trace_id:032x}", f"{forward.context.span_id:016x}"):
        assert secret not in str(watcher.frames)


def test_without_being_asked_for_nothing_of_opentelemetry_is_imported(tmp_path: Path) -> None:
    program = """
import asyncio, sys
from pathlib import Path
from server.config import Config
from server.gateway.node import serve
async def main():
    async def stop(url):
        import os, signal
        os.kill(os.getpid(), signal.SIGTERM)
    await serve(Config(port=0, data=Path(sys.argv[1])), stop)
asyncio.run(main())
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""
    environment = {"PATH": "/usr/bin:/bin"}
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True, env=environment
    )
    assert ran.stdout.splitlines()[-1] == "[]"


async def test_traces_are_on_when_a_collector_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ASKED_FOR_BY:
        monkeypatch.delenv(name, raising=False)
    async with tracing("here") as none:
        assert none is None
    monkeypatch.setenv(ASKED_FOR_BY[0], "http://127.0.0.1:9")
    async with tracing("here") as found:
        assert isinstance(found, Traces)
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    async with tracing("here") as none:
        assert none is None


async def test_who_wants_traces_and_has_no_sdk_is_told_and_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ASKED_FOR_BY[0], "http://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "server.eyes.traces", None)
    with capture_logs() as log:
        async with tracing("here") as none:
            assert none is None
    assert log == [{"event": "no_traces", "log_level": "warning", "remedy": "pip install marchwarden[otel]"}]


async def test_a_collector_that_takes_nothing_does_not_keep_a_node_from_stopping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = threading.Event()
    monkeypatch.setenv(ASKED_FOR_BY[0], "http://127.0.0.1:9")
    monkeypatch.setattr("server.gateway.tracing.CLOSE_SECONDS", 0.01)
    monkeypatch.setattr(Traces, "close", lambda self: taken.wait())
    async with asyncio.timeout(PATIENCE), tracing("here"):
        pass
    assert not taken.is_set()
    taken.set()
