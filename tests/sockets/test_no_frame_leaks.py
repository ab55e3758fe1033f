"""Between planning and reveal no frame to anybody else depends on which orders a seat placed (S07, S20, X12, X27)."""

from contextlib import AsyncExitStack
from random import Random

import pytest

from protocol.answers import Move, PlaceOrders, Plan
from protocol.legal import draw
from protocol.messages import AnswerPrompt, CreateRoom, Enter, Retract, RoomCreated, Seated, Snapshot, TakeSeat
from protocol.prompts import PlaceOrdersPrompt
from protocol.replica import Replica
from tests.sockets.house import only, raw, serving


async def frames_of_others(orders: list[PlaceOrders], fmt: str) -> dict[str, list]:
    """Every frame that others were sent while Stark answered its first prompt with these orders, one after another."""
    async with serving(seed=5) as (url, _), AsyncExitStack() as stack:
        host = await stack.enter_async_context(raw(url))
        made = only(RoomCreated, await host.ask(CreateRoom("make", 6)))
        tokens = {}
        for house, invite in made.invites.items():
            seat = only(Seated, await host.ask(TakeSeat(f"sit-{house}", made.room, house, invite=invite)))
            tokens[house] = seat.token
        watching = {house: await stack.enter_async_context(raw(url, fmt)) for house in (*tokens, "spectator")}
        for house, connection in watching.items():
            token = {"token": tokens[house]} if house in tokens else {}
            messages = await connection.ask(Enter("enter", made.room, **token), replies=2)
            if house == "stark":
                prompt = _prompt(only(Snapshot, messages))
            for other in watching.values():
                await other.quiet()
        for connection in watching.values():
            connection.frames.clear()
        stark = watching["stark"]
        for n, order in enumerate(orders):
            await stark.ask(AnswerPrompt(f"answer-{n}", made.room, prompt.id, order), replies=0)
        await stark.ask(Retract("retract", made.room, prompt.id), replies=0)
        await stark.ask(AnswerPrompt("last", made.room, prompt.id, orders[0]), replies=0)
        others = [connection for house, connection in watching.items() if house != "stark"]
        for connection in others:
            # the first answer, the retraction and the last answer may be noticed; edits may not
            for _ in range(3):
                await connection.read()
        late = await stack.enter_async_context(raw(url, fmt))
        await late.ask(Enter("late", made.room), replies=2)
        for connection in others:
            await connection.quiet()
        lannister = await stack.enter_async_context(raw(url, fmt))
        await lannister.ask(Enter("again", made.room, token=tokens["lannister"]), replies=2)
        seen = {house: c.frames for house, c in watching.items() if house != "stark"}
        return {**seen, "late": late.frames, "lannister again": lannister.frames}


def _prompt(snapshot: Snapshot) -> PlaceOrdersPrompt:
    replica = Replica()
    replica.feed(snapshot)
    assert isinstance(replica.prompt, PlaceOrdersPrompt)
    return replica.prompt


@pytest.mark.parametrize("fmt", ["msgpack", "json"])
async def test_two_runs_that_differ_only_in_the_orders_send_others_the_same_bytes(fmt):
    areas = ["the-shivering-sea", "white-harbor", "winterfell"]
    tokens = {"march-0": 1, "march-minus-1": 1, "defense-plus-1": 2, "support": 2, "raid": 2, "consolidate-power": 2}
    prompt = PlaceOrdersPrompt(
        id=1, kind="place_orders", areas=areas, tokens=tokens, starred=[], stars=0, required=len(areas)
    )
    rng = Random(3)
    many = [draw(prompt, rng) for _ in range(20)]
    plain = PlaceOrders(dict.fromkeys(areas[:2], "support") | {"winterfell": "raid"})
    plan = {"winterfell": Plan(moves=[Move("karhold", {"footman": 1})], leave_power=False, rank=1)}
    planned = PlaceOrders({"white-harbor": "raid", "the-shivering-sea": "raid", "winterfell": "march-0"}, plan)
    one = await frames_of_others([planned, *many], fmt)
    other = await frames_of_others([plain], fmt)
    assert one == other
