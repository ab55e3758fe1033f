"""The worked example of the rules, over real sockets: Tyrell marches from Yronwood into Sunspear."""

from contextlib import AsyncExitStack

import pytest

from protocol.answers import March, Move
from protocol.client import connect
from protocol.errors import RequestError
from tests.sockets.house import serving


def setup(order: str | None) -> dict:
    fleet = {"units": {"tyrell": {"ship": 1}}, **({"order": order} if order else {})}
    return {
        "step": "march",
        "round": 2,
        "areas": {
            "yronwood": {"neutral": None, "units": {"tyrell": {"knight": 1, "footman": 1}}, "order": "march-plus-1"},
            "sea-of-dorne": fleet,
            "searoad-marches": {"units": {"tyrell": {"footman": 1}}, "order": "march-0"},
        },
    }


MARCH = March("yronwood", [Move("sunspear", {"knight": 1, "footman": 1})])


async def sit_down(url: str, stack: AsyncExitStack):
    """Five seats and a spectator, each on a socket of its own, in both formats; the tables by viewer."""
    host = await stack.enter_async_context(connect(url))
    made = await host.create_room(5)
    tables = {"": await host.enter(made.room)}
    for n, (house, invite) in enumerate(made.invites.items()):
        client = await stack.enter_async_context(connect(url, format="json" if n % 2 else "msgpack"))
        seat = await client.take_seat(made.room, house, invite=invite)
        tables[house] = await client.enter(made.room, seat.token)
    return tables


async def test_with_the_supporting_ship_the_token_falls():
    async with serving(setup("support")) as (url, _), AsyncExitStack() as stack:
        tables = await sit_down(url, stack)
        patches = {viewer: table.updates() for viewer, table in tables.items()}
        tyrell = tables["tyrell"]
        await tyrell.answer(tyrell.prompt, MARCH)
        for viewer, updates in patches.items():
            news = await anext(u async for u in updates if getattr(u, "events", None))
            areas = news.patch["areas"]
            assert areas["sunspear"] == {"owner": "tyrell", "units": {"footman": 1, "knight": 1}, "neutral": None}, (
                viewer
            )
            assert areas["yronwood"] is None
            fallen = next(e for e in news.events if e["type"] == "neutral_destroyed")
            assert (fallen["total"], fallen["needed"]) == (5, 5)
            assert fallen["parts"] == [["footman", 1], ["knight", 2], ["march-plus-1", 1], ["support sea-of-dorne", 1]]
            here = tables[viewer].view["areas"]
            assert here["sunspear"] == {"owner": "tyrell", "units": {"footman": 1, "knight": 1}}
            assert here["sea-of-dorne"]["order"] == "support"
            await updates.aclose()


@pytest.mark.parametrize("order", [None, "defense-plus-1"])
async def test_without_support_the_march_is_refused(order):
    async with serving(setup(order)) as (url, hall), AsyncExitStack() as stack:
        tables = await sit_down(url, stack)
        tyrell = tables["tyrell"]
        before = {viewer: (table.seq, table.view) for viewer, table in tables.items()}
        with pytest.raises(RequestError) as refused:
            await tyrell.answer(tyrell.prompt, MARCH)
        error = refused.value
        assert (error.code, error.total, error.needed) == ("insufficient_strength", 4, 5)
        assert error.rules == ["NEU-2", "NEU-3"]
        assert {viewer: (table.seq, table.view) for viewer, table in tables.items()} == before
        assert hall.find(tyrell.room).document()["areas"]["sunspear"]["neutral"] == 5
