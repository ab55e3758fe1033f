"""A whole six-player random game over sockets: every replica equals the server's view of it at every seq (X38, X44)."""

import asyncio
from random import Random

import pytest

from protocol.client import connect
from protocol.legal import draw
from protocol.messages import Enter
from protocol.replica import Replica
from server.rooms.room import Room
from tests.sockets.house import raw, serving


def unconnected(view):
    """A document without who is connected, which has no seq."""
    houses = {h: {k: v for k, v in part.items() if k != "connected"} for h, part in view["houses"].items()}
    return {**view, "houses": houses}


@pytest.fixture
def shown(monkeypatch):
    """What the server thinks each viewer sees, by seq and viewer, written down at every change."""
    record = {}
    publish = Room.publish

    def recording(room, events):
        posts = publish(room, events)
        for viewer in (None, *room.seats):
            you = {} if viewer is None else {"you": room.you(viewer)}
            record[room.seq, viewer] = unconnected({**room.document(), **you})
        return posts

    monkeypatch.setattr(Room, "publish", recording)
    return record


@pytest.mark.parametrize(("seed", "tides"), [(1, False), (2, True)])
async def test_every_replica_is_the_server_view_at_every_seq(shown, seed, tides):
    async with serving(seed=seed) as (url, _):
        async with connect(url) as client:
            made = await client.create_room(6, tides=tides)
            tokens = {}
            for house, invite in made.invites.items():
                tokens[house] = (await client.take_seat(made.room, house, invite=invite)).token

        async def spy(house):
            """A second connection of a seat, or a spectator, that only looks."""
            replica, seen = Replica(), 0
            async with raw(url, "json" if house in (None, "stark") else "msgpack") as connection:
                token = {} if house is None else {"token": tokens[house]}
                await connection.ask(Enter("spy", made.room, **token), replies=0)
                while not replica.over:
                    message = await connection.read()
                    if hasattr(message, "view") or hasattr(message, "patch"):
                        assert replica.feed(message) == "new"
                        assert unconnected(replica.view) == shown[replica.seq, house], (replica.seq, house)
                        seen += 1
                    elif hasattr(message, "you") or hasattr(message, "connected"):
                        assert replica.feed(message) == "new"
            return seen

        async def bot(house, token):
            """Every answer is drawn; a refusal fails the test."""
            rng = Random(f"{seed}{house}")
            async with connect(url) as client:
                table = await client.enter(made.room, token)
                async for prompt in table.prompts():
                    await table.answer(prompt, draw(prompt, rng))
                return table.view["result"]["winner"]

        spies = [asyncio.create_task(spy(house)) for house in (None, *tokens)]
        winners = await asyncio.gather(*(bot(house, token) for house, token in tokens.items()))
        seen = await asyncio.gather(*spies)
    assert len(set(winners)) == 1
    assert min(seen) > 100
