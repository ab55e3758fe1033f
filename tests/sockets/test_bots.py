"""A person and bots of the server over real sockets (PROTOCOL.md, "Bots")."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from protocol.client import connect
from protocol.legal import draw
from server.bots.pilots import Pilots
from server.config import Config
from server.gateway.node import Tasks
from server.gateway.server import Gateway
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall


@asynccontextmanager
async def serving_bots() -> AsyncIterator[str]:
    """A server that seats bots, which take no longer than they think."""
    tasks = Tasks()
    hall = Hall(BaseGame(), Random(3).randbytes, time.time, 100, piloted=True)
    with Pilots(tasks.spawn, pace=0, budget=1) as pilots:
        async with Gateway(Config(port=0), Desk(hall, pilots=pilots)) as gateway:
            yield gateway.url.replace("http", "ws", 1) + "/ws"
            await tasks.stop()


async def test_one_person_and_five_bots_play_a_whole_game():
    async with serving_bots() as url, connect(url) as client:
        made = await client.create_room(6, bots=5)
        ((house, invite),) = made.invites.items()
        seat = await client.take_seat(made.room, "Arya", invite=invite)
        table = await client.enter(made.room, seat.token)
        rng, answered = Random(1), 0
        async for prompt in table.prompts():
            await table.answer(prompt, draw(prompt, rng))
            answered += 1
        assert answered >= table.view["round"], "it is asked once a round at least, however soon somebody wins"
        assert table.view["result"]["winner"] in table.view["houses"]
        assert [h for h, part in table.view["houses"].items() if "bot" not in part] == [house]


async def test_bots_of_every_kind_play_for_somebody_who_looks_on():
    async with serving_bots() as url, connect(url) as client:
        made = await client.create_room(3)
        table = await client.enter(made.room)
        for house, kind in zip(made.invites, ("random", "steward", "regent"), strict=True):
            await client.host(made.room, made.host, "bots", house=house, kind=kind)
        while not table.over:
            await table.changed()
        assert [part["bot"] for part in table.view["houses"].values()] == ["random", "steward", "regent"]
