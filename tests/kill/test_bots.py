"""SIGKILL in the middle of a game with bots: they go on, with or without anybody who comes back."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

from protocol.client import connect
from protocol.legal import draw
from server.rooms.entries import Answered, Manned, unpack
from server.store.store import Store
from tests.kill.process import Server
from tests.kill.test_sigkill import soon


async def test_bots_go_on_after_the_server_was_killed(tmp_path: Path) -> None:
    data, rng = tmp_path / "data", Random(5)
    server = Server(data, "--bot-pace", "0")
    await asyncio.to_thread(server.start)
    async with connect(server.url, delay=soon) as client:
        made = await client.create_room(6, bots=4)
        seats = [await client.take_seat(made.room, h.title(), invite=i) for h, i in made.invites.items()]
        await client.host(made.room, made.host, "bots", house=seats[1].house)
        table = await client.enter(made.room, seats[0].token)
        kills = 0
        async for prompt in table.prompts():
            await table.answer(prompt, draw(prompt, rng))
            if kills < 2 and rng.random() < 0.3:
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                kills += 1
        assert kills
        assert table.view["houses"][seats[1].house] == table.view["houses"][seats[1].house] | {
            "bot": "steward",
            "name": seats[1].house.title(),
        }
        assert table.view["result"]["winner"]
    assert await asyncio.to_thread(server.stop) == 0
    async with await Store.open(f"sqlite:///{data.resolve()}/marchwarden.db") as store:
        log = [unpack(stored.body)[0] for stored in await store.entries(made.room, limit=100_000)]
    assert [entry.houses for entry in log if isinstance(entry, Manned)] == [[seats[1].house]]
    answers = [(entry.house, entry.prompt) for entry in log if isinstance(entry, Answered)]
    assert len(set(answers)) == len(answers)
    assert {house for house, _ in answers} == set(table.view["houses"])


async def test_bots_answer_after_a_restart_though_nobody_comes_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    server = Server(data, "--bot-pace", "1000")  # they are still thinking when the server is killed
    await asyncio.to_thread(server.start)
    async with connect(server.url, reconnect=False) as client:
        made = await client.create_room(3, bots=2)
        ((house, invite),) = made.invites.items()
        await client.take_seat(made.room, "Arya", invite=invite)
    await asyncio.to_thread(server.kill)
    hurried = Server(data, "--bot-pace", "0")
    await asyncio.to_thread(hurried.start)
    try:
        async with asyncio.timeout(30):
            while await asyncio.to_thread(entries, data) < 3:  # noqa: ASYNC110 - another process writes
                await asyncio.sleep(0.1)
    finally:
        await asyncio.to_thread(hurried.stop)
    async with await Store.open(f"sqlite:///{data.resolve()}/marchwarden.db") as store:
        log = [unpack(stored.body)[0] for stored in await store.entries(made.room)]
    assert {entry.house for entry in log[1:]} == {"stark", "lannister", "baratheon"} - {house}


def entries(data: Path) -> int:
    """How many entries there are in the log that a server is writing."""
    with closing(sqlite3.connect(f"file:{data / 'marchwarden.db'}?mode=ro", uri=True)) as reader:
        return int(reader.execute("select count(*) from entries").fetchone()[0])
