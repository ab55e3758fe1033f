"""The same seeds give the same game on every event loop, though answers arrive in another order (X40)."""

import asyncio
from random import Random

import msgspec
import pytest

from protocol.client import connect
from protocol.legal import draw
from protocol.messages import Update
from tests.sockets.house import serving

uvloop = pytest.importorskip("uvloop")


async def told() -> list[dict]:
    """The events of a whole game of four seeded bots, as a spectator is told them, and the end of it."""
    async with serving(seed=9) as (url, hall), connect(url) as watcher:
        made = await watcher.create_room(4, tides=True)
        table = await watcher.enter(made.room)

        async def bot(house, invite):
            rng = Random(house)
            async with connect(url) as client:
                seat = await client.take_seat(made.room, house, invite=invite)
                seated = await client.enter(made.room, seat.token)
                async for prompt in seated.prompts():
                    await seated.answer(prompt, draw(prompt, rng))

        events, news = [], table.updates()
        bots = [asyncio.create_task(bot(house, invite)) for house, invite in made.invites.items()]
        async for change in news:
            if isinstance(change, Update):
                events += [e for e in change.events if e["type"] != "seat_taken"]
        await asyncio.gather(*bots)
        return [*events, {"hash": hall.find(made.room).play.hash()}]


def test_asyncio_and_uvloop_play_the_same_game():
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        plain = runner.run(told())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        fast = runner.run(told())
    assert msgspec.json.encode(plain) == msgspec.json.encode(fast)
    assert plain[-2]["type"] == "game_over"
