"""Rooms go where there is least to do, and where an operator wants them; nobody in them is refused anything."""

import asyncio
import contextlib
import json
import subprocess
import sys
from collections import Counter
from random import Random

from sqlalchemy import text

from protocol.legal import draw
from protocol.table import Table
from server.cluster.balance import BAND
from server.store.store import Store
from tests.cluster.cluster import Cluster
from tests.cluster.test_moving import LONG, seated


async def leases(cluster: Cluster) -> dict[str, tuple[str, int]]:
    """The node and the epoch of every room."""
    async with await Store.open(cluster.store) as store:
        wanted = text("SELECT room, node, epoch FROM leases WHERE room <> ''")
        rows = await store._database.read(lambda connection: connection.execute(wanted).all())
    return {room: (node.rpartition("-")[0], epoch) for room, node, epoch in rows}


async def homes(cluster: Cluster) -> Counter[str]:
    """How many rooms each node has."""
    return Counter(node for node, _ in (await leases(cluster)).values())


def rooms(cluster: Cluster, *command: str) -> subprocess.CompletedProcess[str]:
    """`marchwarden rooms`, as an operator gives it."""
    asked = [sys.executable, "-m", "server", "rooms", *command, "--store", cluster.store]
    return subprocess.run(asked, capture_output=True, text=True, timeout=LONG, check=False)


async def evened(cluster: Cluster, count: int) -> dict[str, tuple[str, int]]:
    async with asyncio.timeout(LONG):
        while True:
            found = await leases(cluster)
            counted = Counter(node for node, _ in found.values())
            if len(found) == count and max(counted.values()) - min(counted[n.name] for n in cluster.nodes) <= BAND:
                return found
            await asyncio.sleep(0.2)


async def test_new_rooms_go_to_the_nodes_with_the_least_to_do_and_a_skew_evens_out(cluster: Cluster) -> None:
    client = await cluster.client(0)
    made = [await client.create_room(3)]
    async with asyncio.timeout(LONG):
        while set(await homes(cluster)) == {"n0"}:
            made.append(await client.create_room(3))
    found = await leases(cluster)
    elsewhere = next(room for room in made if found[room.room][0] != "n0")
    await client.take_seat(elsewhere.room, "Arya", invite=next(iter(elsewhere.invites.values())))
    async with asyncio.timeout(LONG):  # the other two stop, and their rooms are all on one node then
        for node in cluster.nodes[1:]:
            assert await asyncio.to_thread(node.stop) == 0
    assert set(await homes(cluster)) <= {"n0"}
    for room in made:  # those that came to nobody come back as soon as somebody wants to see them
        await client.enter(room.room)
    await asyncio.gather(*(asyncio.to_thread(node.start) for node in cluster.nodes[1:]))
    more = [await client.create_room(3) for _ in range(2 * BAND)]
    found = await evened(cluster, len(made) + len(more))
    await asyncio.sleep(3)
    assert await leases(cluster) == found, "rooms go on moving though all is even"


async def playing(table: Table, rng: Random) -> int:
    answers = 0
    async for prompt in table.prompts():
        await table.answer(prompt, draw(prompt, rng))  # a refusal fails the test
        answers += 1
    return answers


async def test_a_room_moved_by_an_operator_is_played_on_without_a_word(cluster: Cluster) -> None:
    clients = [await cluster.client(n, reconnect=False) for n in (0, 1, 2)]
    made, tables = await seated(cluster, clients[0], *clients)
    watching = await (await cluster.client(1, reconnect=False)).enter(made.room)
    games = [asyncio.create_task(playing(table, Random(n))) for n, table in enumerate(tables)]
    seen = ["n0"]
    for node in ("n1", "n2", "n0"):
        moved = await asyncio.to_thread(rooms, cluster, "move", made.room, node, "--nats", cluster.nats_url)
        assert (moved.returncode, moved.stdout) == (0, f"room {made.room} is on {node}\n"), moved.stderr
        seen.append(await cluster.owner(made.room))
        listed = await asyncio.to_thread(rooms, cluster, "list", "--json")
        assert json.loads(listed.stdout)["node"].rpartition("-")[0] == node
    assert seen == ["n0", "n1", "n2", "n0"]
    async with asyncio.timeout(3 * LONG):
        assert sum(await asyncio.gather(*games)) > 20
        while watching.seq != tables[0].seq:
            await watching.changed()
    assert len({table.seq for table in tables}) == 1


async def test_what_cannot_be_moved_is_told(cluster: Cluster) -> None:
    client = await cluster.client(0)
    made = await client.create_room(3)
    nats = ("--nats", cluster.nats_url)
    cases: list[tuple[tuple[str, ...], str]] = [
        ((made.room, "n7", *nats), "there is no node n7; these are there: n0, n1, n2"),
        ((made.room, "n0", *nats), "is on n0 already"),
        (("nowhere", "n1", *nats), "there is no room nowhere"),
        ((made.room, "n1"), "only several nodes have rooms to move"),
        ((made.room, "n1", "--nats", "nats://127.0.0.1:1"), "NATS cannot be reached"),
    ]
    told = await asyncio.gather(*(asyncio.to_thread(rooms, cluster, "move", *asked) for asked, _ in cases))
    for ran, (_, why) in zip(told, cases, strict=True):
        assert ran.returncode and why in ran.stderr and "Traceback" not in ran.stderr, ran.stderr
    assert await cluster.owner(made.room) == "n0"
    with contextlib.suppress(ValueError):
        assert made.room in (await asyncio.to_thread(rooms, cluster, "list")).stdout
