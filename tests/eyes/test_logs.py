"""A room can be followed through the logs of all nodes; and nothing that is secret stands in them or in the metrics."""

import ast
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import structlog
from msgspec.structs import replace

import server
from protocol.client import connect
from protocol.errors import RequestError
from protocol.legal import draw
from protocol.messages import Enter
from server.game.board import AREAS, HOUSES, ORDERS
from server.log import configure
from tests.cluster.process import NatsServer
from tests.eyes.nodes import two_nodes
from tests.eyes.scrape import scrape
from tests.sockets.house import raw, serving

PUBLIC = {"seat_taken", "seat_freed", "seat_on_autopilot", "bot_seated"}
"""Lines that name a house, because everybody at the table sees it do that."""
NOT_HERE = {"room_not_woken", "room_not_brought", "room_quarantined", "not_acknowledged"}
"""Lines about a room that this node has not got, and so has no epoch of."""


class Log(io.StringIO):
    """The log of this process."""

    def lines(self, room: str = "") -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.getvalue().splitlines()]
        return [line for line in found if not room or line.get("room") == room]


@pytest.fixture
def log() -> Iterator[Log]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    stream = Log()
    configure("debug", stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


async def test_a_room_that_moves_is_followed_from_node_to_node(
    log: Log, postgres_url: str, nats_server: NatsServer, tmp_path: Path
) -> None:
    async with two_nodes(postgres_url, nats_server.url, tmp_path) as (left, right):
        async with connect(left.url) as one, connect(right.url) as two:
            made = await one.create_room(3)
            seats = {house: await two.take_seat(made.room, house, invite=key) for house, key in made.invites.items()}
            table = await two.enter(made.room, seats["stark"].token)
            await left.leave()
            while table.prompt is None:
                await table.changed()
            await table.answer(table.prompt, draw(table.prompt, Random(1)))
        moved = await scrape(left.port)
        assert moved["marchwarden_leases_total", "given"] == moved["marchwarden_leases_total", "taken"] == 1
        assert moved["marchwarden_leases_total", "lost"] == 0
        assert moved["marchwarden_letters_total", "sent"] > 0
        assert (await scrape(right.port))["marchwarden_leases_total", "taken"] == 1
    about = log.lines(made.room)
    told = [(line["node"], line["epoch"], line["event"]) for line in about]
    wanted = [
        ("left", 1, "lease_taken"),
        ("left", 1, "room_made"),
        ("left", 1, "seat_taken"),
        ("left", 1, "game_started"),
        ("left", 1, "lease_given"),
        ("left", 1, "room_left_memory"),
        ("right", 2, "lease_taken"),
        ("right", 2, "room_brought"),
    ]
    places = [told.index(line) for line in wanted]
    assert places == sorted(places)
    assert {line["seat"] for line in about if line["event"] == "seat_taken"} == set(seats)
    assert {line["node"] for line in log.lines() if "node" in line} == {"left", "right"}
    assert all("node" in line for line in log.lines())


def test_every_line_about_a_room_says_which_taking_over_it_is_of() -> None:
    without, rooms = set[str](), 0
    for file in Path(server.__file__).parent.rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text())):
            if not (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and "log" in ast.unparse(call.func)
            ):
                continue
            given = {keyword.arg for keyword in call.keywords}
            if "room" in given:
                rooms += 1
                if "epoch" not in given:
                    without.add(ast.literal_eval(call.args[0]))
    assert rooms > 5
    assert without == NOT_HERE


async def test_no_secret_is_in_the_log_or_in_the_metrics(log: Log, tmp_path: Path) -> None:
    async with serving(kept=tmp_path) as (url, hall):
        async with connect(url) as one, connect(url) as two, connect(url) as three, raw(url, "json") as rude:
            made = await one.create_room(3)
            secrets = [made.host, *made.invites.values()]
            tables = []
            for client, (house, invite) in zip((one, two, three), made.invites.items(), strict=True):
                seat = await client.take_seat(made.room, f"Ser {house}", invite=invite)
                secrets.append(seat.token)
                tables.append(await client.enter(made.room, seat.token))
            while tables[0].view["phase"] == "lobby":
                await tables[0].changed()
            await rude.ask(Enter("w", made.room, token=secrets[-1][:-1] + "!"))
            await rude._socket.send(f'{{"type": "enter", "token": "{secrets[-1]}", "what": "winterfell"}}')
            await rude.read()
            rng, answers = Random(7), 0
            while answers < 25 and not tables[0].over:
                for table in tables:
                    if prompt := table.prompt:
                        with pytest.raises(RequestError, match="not_your_prompt"):
                            await table.answer(replace(prompt, id=9999), draw(prompt, rng))
                        await table.answer(prompt, draw(prompt, rng))
                        answers += 1
            await tables[0].say("a word in winterfell")
        metrics = (await scrape(int(url.split(":")[2].split("/")[0]))).text
    assert hall.meters.answers.total() >= 50
    lines = log.lines()
    assert {"refused", "malformed", "seat_taken", "game_started"} <= {line["event"] for line in lines}
    orders = [order for order in ORDERS if "-" in order]
    for told in (log.getvalue(), metrics):
        for secret in (*secrets, *AREAS, *orders, "Ser ", "a word"):
            assert secret not in told, secret
    assert not [house for house in HOUSES if house in metrics.lower()]
    named = {line["event"] for line in lines if any(house in json.dumps(line).lower() for house in HOUSES)}
    assert named <= PUBLIC | {"refused"}
    assert made.room not in metrics
