"""SIGKILL at random instants of games over sockets: every acknowledged answer is there once, nothing shown is taken back.

`MARCHWARDEN_KILLS=200 pytest tests/kill` is the long run.
"""

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from websockets.exceptions import WebSocketException

from protocol.client import Client, connect
from protocol.legal import draw
from server.rooms.base_game import BaseGame
from server.rooms.entries import Answered, unpack, unpack_birth
from server.rooms.room import Room
from server.store.store import Store
from tests.kill.process import Server

KILLS = int(os.environ.get("MARCHWARDEN_KILLS", "8"))
HOUSES = 3


class Witness:
    """What clients were told: every document by room, viewer and seq, and every answer that was acknowledged."""

    def __init__(self) -> None:
        self.shown: dict[tuple[str, str], dict[int, dict]] = defaultdict(dict)
        self.acknowledged: list[tuple[str, str, int]] = []
        self.over: list[str] = []

    def saw(self, room: str, house: str, view: dict) -> None:
        seen = self.shown[room, house]
        known = seen.setdefault(view["seq"], plain(view))
        assert known["areas"] == view.get("areas"), "what was shown was taken back"


def plain(view: dict) -> dict:
    """A document without who is connected, which no log keeps."""
    houses = {h: {k: v for k, v in part.items() if k != "connected"} for h, part in view["houses"].items()}
    return {**view, "houses": houses, "areas": view.get("areas")}


def soon(attempt: int) -> float:
    return 0.05


@asynccontextmanager
async def patiently(url: str) -> AsyncIterator[Client]:
    """A client, opened as soon as there is a server; from then on it reconnects by itself."""
    while True:
        client = connect(url, delay=soon)
        try:
            await client.__aenter__()
            break
        except (OSError, EOFError, WebSocketException):
            await asyncio.sleep(0.05)
    try:
        yield client
    finally:
        await client.close()


async def make_table(url: str) -> tuple[str, dict[str, str]]:
    """A room and its seat tokens. Whoever loses the reply with a token asks again and gets another."""
    async with patiently(url) as host:
        made = await host.create_room(HOUSES)
        seats = [await host.take_seat(made.room, h, invite=i) for h, i in made.invites.items()]
        return made.room, {seat.house: seat.token for seat in seats}


async def play_games(url: str, witness: Witness, stop: asyncio.Event, number: int) -> None:
    """One game of drawing bots after another; a refusal of any kind fails the test."""
    rng = Random(number)

    async def bot(room: str, house: str, token: str) -> None:
        async with patiently(url) as client:
            table = await client.enter(room, token)
            async for prompt in table.prompts():
                witness.saw(room, house, table.view)
                await table.answer(prompt, draw(prompt, rng))
                witness.acknowledged.append((room, house, prompt.id))
                witness.saw(room, house, table.view)

    while not stop.is_set():
        room, tokens = await make_table(url)
        await asyncio.gather(*(bot(room, house, token) for house, token in tokens.items()))
        witness.over.append(room)


async def read_back(url: str, room_id: str) -> tuple[dict[tuple[str, int], dict], list[tuple[str, int]]]:
    """From the log alone: the document of every seat at every seq, and all answers in it."""
    async with await Store.open(url) as store:
        stored = await store.claim(room_id)
        entries = await store.entries(room_id, limit=100_000)
    room = Room(room_id, unpack_birth(stored.created), BaseGame())
    documents: dict[tuple[str, int], dict] = {}
    answers = []
    for stored_entry in entries:
        entry, state = unpack(stored_entry.body)
        room.apply(entry)
        assert not state or (room.play and room.play.hash() == state)
        if isinstance(entry, Answered):
            answers.append((entry.house, entry.prompt))
        for house in room.seats:
            documents[house, room.seq] = plain({**room.document(), "you": room.you(house)})
    return documents, answers


async def test_S80_killed_at_random_instants_nothing_is_lost_and_nothing_taken_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    await prove(Server(data), data, KILLS)


async def prove(server: Server, data: Path, kills: int) -> None:
    """Games on a server that is killed so many times, and all that was told and acknowledged held against its log."""
    witness, stop, rng = Witness(), asyncio.Event(), Random(kills)
    server.start()
    games = [asyncio.create_task(play_games(server.url, witness, stop, n)) for n in range(2)]
    for _ in range(kills):
        await asyncio.sleep(rng.uniform(0.02, 0.8))
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)
        for game in games:
            if game.done():
                game.result()
    stop.set()
    await asyncio.gather(*games)
    assert await asyncio.to_thread(server.stop) == 0
    url = f"sqlite:///{data}/marchwarden.db"
    rooms = {room for room, _ in witness.shown}
    assert rooms
    compared = 0
    for room in rooms:
        documents, answers = await read_back(url, room)
        for house in {h for r, h in witness.shown if r == room}:
            for seq, view in witness.shown[room, house].items():
                expected = documents[house, seq]
                assert {**view, "you": None} == {**expected, "you": None}, (room, house, seq)
                compared += 1
        acknowledged = [(h, p) for r, h, p in witness.acknowledged if r == room]
        assert len(set(acknowledged)) == len(acknowledged)
        for each in acknowledged:
            assert answers.count(each) >= 1, ("lost", room, each)
        assert len(answers) == len(set(answers)), ("twice", room)
    print(f"\n{kills} kills, {len(rooms)} rooms, {len(witness.acknowledged)} answers, {compared} documents compared")
