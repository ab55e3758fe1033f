"""Rooms that move: with the node that has them killed, frozen, stopped, or cut off from PostgreSQL or NATS."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from protocol.client import Client
from protocol.errors import RequestError
from protocol.legal import draw
from protocol.messages import ClockOptions, RoomCreated
from protocol.table import Table
from server.rooms.entries import Answered, unpack
from server.store.store import Store
from tests.cluster.cluster import Cluster
from tests.cluster.process import Node

LONG = 20
"""Seconds after which a test gives up; what is promised is ten."""


async def seated(cluster: Cluster, maker: Client, *at: Client, **options: Any) -> tuple[RoomCreated, list[Table]]:
    """A game of three that `maker`'s node has, with seats at some clients."""
    made = await maker.create_room(3, **options)
    tables = []
    for client, (house, invite) in zip(at, made.invites.items(), strict=True):
        seat = await client.take_seat(made.room, house, invite=invite)
        tables.append(await client.enter(made.room, seat.token))
    while tables[0].view["phase"] == "lobby":
        await tables[0].changed()
    return made, tables


async def answer(table: Table) -> None:
    """Answer what is asked; again while the answer is `unavailable`."""
    while True:
        try:
            prompt = table.prompt
            assert prompt
            await table.answer(prompt, draw(prompt, Random(1)))
            return
        except RequestError as error:
            if error.code != "unavailable":
                raise
            await asyncio.sleep(0.1)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG):
        while not true():  # noqa: ASYNC110 - other processes make it so
            await asyncio.sleep(0.05)


async def all_see(tables: list[Table]) -> None:
    """All have answered to the planning, and all see the same."""
    await until(lambda: len({table.seq for table in tables}) == 1 and "hidden" not in str(tables[0].view["areas"]))
    public = [{key: value for key, value in table.view.items() if key != "you"} for table in tables]
    assert public[0] == public[1] == public[2]


async def ready(node: Node) -> str:
    """What whoever watches a node is told: `ready`, or why it is not."""
    reader, writer = await asyncio.open_connection("127.0.0.1", node.port)
    writer.write(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    assert (" 200 " in head) == (body == "ready\n")
    return body.strip()


async def test_a_killed_nodes_rooms_run_elsewhere_and_other_sockets_stay_open(cluster: Cluster) -> None:
    one = await cluster.client(0)
    others = [await cluster.client(n, reconnect=False) for n in (1, 2, 1)]
    made, tables = await seated(cluster, one, *others)
    assert await cluster.owner(made.room) == "n0"
    await asyncio.to_thread(cluster.nodes[0].kill)
    async with asyncio.timeout(LONG):
        await asyncio.gather(*(answer(table) for table in tables))
    await all_see(tables)
    assert await cluster.owner(made.room) in {"n1", "n2"}


async def test_a_node_that_wakes_shows_nothing_of_before(cluster: Cluster) -> None:
    clients = [await cluster.client(n, reconnect=False, ping_interval=None) for n in (0, 1, 2)]
    made, tables = await seated(cluster, clients[0], *clients)
    cluster.nodes[0].freeze()
    sent = asyncio.create_task(answer(tables[0]))  # it lies before the frozen node, which wakes without its lease
    async with asyncio.timeout(LONG):
        await asyncio.gather(*(answer(table) for table in tables[1:]))
        while await cluster.owner(made.room) == "n0":  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    cluster.nodes[0].thaw()
    async with asyncio.timeout(LONG):
        await sent
    await all_see(tables)
    assert await cluster.owner(made.room) in {"n1", "n2"}


async def test_a_node_that_is_stopped_hands_its_rooms_over_and_nobody_is_refused(cluster: Cluster) -> None:
    one = await cluster.client(0)
    others = [await cluster.client(n, reconnect=False) for n in (1, 2, 2)]
    _, tables = await seated(cluster, one, *others)
    stopping = asyncio.create_task(asyncio.to_thread(cluster.nodes[0].stop))
    rng = Random(2)

    async def play(table: Table) -> int:
        answers = 0
        async for prompt in table.prompts():
            await table.answer(prompt, draw(prompt, rng))  # a refusal fails the test
            answers += 1
        return answers

    async with asyncio.timeout(2 * LONG):
        assert sum(await asyncio.gather(*(play(table) for table in tables))) > 20
    assert await stopping == 0
    assert len({table.seq for table in tables}) == 1


async def test_without_postgresql_a_node_refuses_and_heals(cluster: Cluster) -> None:
    clients = [await cluster.client(0, reconnect=False, patience=0) for _ in range(3)]
    made, tables = await seated(cluster, clients[0], *clients)
    for cable in cluster.postgres:
        cable.cut()
    with pytest.raises(RequestError) as caught:
        prompt = tables[0].prompt
        assert prompt
        await tables[0].answer(prompt, draw(prompt, Random(1)))
    assert caught.value.code == "unavailable"
    await asyncio.sleep(7)  # longer than a lease
    assert {await ready(node) for node in cluster.nodes} == {"the database is away"}
    for cable in cluster.postgres:
        cable.mend()
    async with asyncio.timeout(LONG):
        await asyncio.gather(*(answer(table) for table in tables))
    await all_see(tables)
    async with await Store.open(cluster.store) as store:
        entries = [unpack(entry.body)[0] for entry in (await store.whole(made.room)).entries]
    answered = [entry.house for entry in entries if isinstance(entry, Answered)]
    assert sorted(answered) == sorted(set(answered))


async def test_without_nats_a_node_gives_its_rooms_to_those_that_can_be_reached(cluster: Cluster) -> None:
    clients = [await cluster.client(n, reconnect=False, patience=0) for n in (0, 1, 2)]
    made, tables = await seated(cluster, clients[0], *clients)
    cluster.nats[0].cut()
    async with asyncio.timeout(LONG):
        await asyncio.gather(*(answer(table) for table in tables[1:]))
    assert await cluster.owner(made.room) in {"n1", "n2"}
    with pytest.raises(RequestError) as caught:
        prompt = tables[0].prompt
        assert prompt
        await tables[0].answer(prompt, draw(prompt, Random(1)))
    assert caught.value.code == "unavailable"
    told = [await ready(node) for node in cluster.nodes]
    assert told == ["no other node can reach this one: NATS is away", "ready", "ready"]
    cluster.nats[0].mend()
    async with asyncio.timeout(LONG):
        await answer(tables[0])
    await all_see(tables)


async def test_a_deadline_passes_though_the_node_is_dead_and_nobody_is_there(cluster: Cluster) -> None:
    clients = [await cluster.client(0) for _ in range(3)]
    clock = ClockOptions(kind="live", bank=8, increment=1)
    made, _ = await seated(cluster, clients[0], *clients, clock=clock)
    for client in clients:
        await client.close()
    await asyncio.to_thread(cluster.nodes[0].kill)
    async with await Store.open(cluster.store) as store, asyncio.timeout(2 * LONG):
        while True:
            entries = [(entry.epoch, unpack(entry.body)[0]) for entry in (await store.whole(made.room)).entries]
            missed = [epoch for epoch, entry in entries if isinstance(entry, Answered) and entry.missed]
            if missed:
                break
            await asyncio.sleep(0.2)
    assert missed[0] > 1


async def test_who_leaves_or_breaks_off_is_not_there_any_more_for_the_others(cluster: Cluster) -> None:
    one, other = await cluster.client(0), await cluster.client(1)
    made = await one.create_room(3)
    (house, invite), *_ = made.invites.items()
    seat = await other.take_seat(made.room, "Arya", invite=invite)
    watching = await one.enter(made.room)
    await other.enter(made.room, seat.token)
    await until(lambda: watching.view["houses"][house].get("connected", False))
    await other.leave(made.room)
    await until(lambda: not watching.view["houses"][house].get("connected", False))
    await other.enter(made.room, seat.token)
    await until(lambda: watching.view["houses"][house].get("connected", False))
    await asyncio.to_thread(cluster.nodes[1].kill)
    await until(lambda: not watching.view["houses"][house].get("connected", False))
