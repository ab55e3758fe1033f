"""NATS that loses, and holds up, every so many letters between nodes: it is found out, and nothing comes of it."""

import asyncio
import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from server.cluster.mail import Mail
from server.cluster.words import VERSION, Move
from server.config import Config
from server.gateway.node import Tasks, open_node
from server.gateway.server import Gateway
from server.store.store import Store
from tests.cluster.player import Player
from tests.cluster.process import NatsServer
from tests.cluster.test_chaos import Played, make_table

GAMES = int(os.environ.get("MARCHWARDEN_LOSSY", "1"))


@dataclass
class Here:
    """A node in this process, as a player sees it."""

    url: str


@pytest.mark.parametrize(("losses", "moving"), [(0.02, False), (0, True), (0.01, True)])
async def test_letters_that_are_lost_or_late_are_made_up_for_and_rooms_may_move_at_any_time(
    postgres_url: str,
    nats_server: NatsServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    losses: float,
    moving: bool,
) -> None:
    rng, lost, moved = Random("owls"), [0, 0], [0]
    read = Mail._open

    async def unreliable(self: Mail, msg: Any) -> None:
        fate = rng.random()
        if fate < losses:
            lost[0] += 1
            return
        if fate < 1.5 * losses:
            lost[1] += 1
            await asyncio.sleep(rng.uniform(0, 1.5))  # and all behind it
        await read(self, msg)

    monkeypatch.setattr(Mail, "_open", unreliable)
    nodes, fronts, tasks = list[Here](), list[Any](), Tasks()
    async with contextlib.AsyncExitStack() as stack:
        for n in range(3):
            config = Config(port=0, data=tmp_path, store=postgres_url, nats=nats_server.url, node=f"n{n}", bot_pace=0)
            desk, _, _ = await stack.enter_async_context(open_node(config, tasks))
            gateway = await stack.enter_async_context(Gateway(config, desk))
            tasks.spawn(ticking(desk))
            fronts.append(desk)
            nodes.append(Here(f"ws://127.0.0.1:{gateway.port}/ws"))

        async def game(number: int) -> list[Player]:
            room, tokens = await make_table(nodes, rng)
            seats = {**tokens, None: None}
            players = [Player(nodes, room, house, token, f"{number}{house}") for house, token in seats.items()]
            await asyncio.gather(*(player.play() for player in players))
            return players

        if moving:
            tasks.spawn(move_rooms(fronts, rng, moved))
        async with asyncio.timeout(120):
            games = await asyncio.gather(*(game(number) for number in range(GAMES)))
        await tasks.stop()
    async with await Store.open(postgres_url) as store:
        played = Played(store)
        for players in games:
            await played.add(players)
    counted = played.counted
    assert bool(losses) == (min(lost) > 0) and moving == (moved[0] > 3) == (counted["epochs"] > 3)
    print(f"\n{lost[0]} letters lost, {lost[1]} late, {moved[0]} rooms moved: {dict(counted)}")


async def move_rooms(fronts: list[Any], rng: Random, moved: list[int]) -> None:
    """Move one room after the other, whatever goes on there."""
    while True:
        await asyncio.sleep(rng.uniform(0, 0.1))
        for one in fronts:
            other = rng.choice([front for front in fronts if front is not one])
            for room in one.hall.in_memory():
                why = (await one.move(Move(VERSION, room, other.status().node))).why
                moved[0] += not why


async def ticking(desk: Any) -> None:
    while True:
        await asyncio.sleep(0.25)
        desk.tick()
