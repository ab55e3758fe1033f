"""Rooms go where there is least to do, and where an operator wants them; nobody in them is refused anything."""

import asyncio
import json
from collections import Counter
from random import Random

from click.testing import CliRunner, Result

from protocol.legal import draw
from protocol.table import Table
from server.cluster.balance import BAND
from server.commands.rooms import command as command_line
from server.store.store import Store
from tests.cluster.cluster import Cluster
from tests.cluster.test_moving import LONG, seated


async def leases(cluster: Cluster) -> dict[str, str]:
    """The node of every room that one has."""
    async with await Store.open(cluster.store) as store:
        return {room: node.rpartition("-")[0] for room, node in (await store.holders()).items()}


def rooms(cluster: Cluster, *command: str) -> Result:
    """`marchwarden rooms`, as an operator gives it."""
    return CliRunner().invoke(command_line, [*command, "--store", cluster.store])


async def evened(cluster: Cluster, count: int) -> dict[str, str]:
    async with asyncio.timeout(LONG):
        while True:
            found = await leases(cluster)
            counted = Counter(found.values())
            if len(found) == count and max(counted.values()) - min(counted[n.name] for n in cluster.nodes) <= BAND:
                return found
            await asyncio.sleep(0.2)


async def test_new_rooms_go_to_the_nodes_with_the_least_to_do_and_a_skew_evens_out(cluster: Cluster) -> None:
    client = await cluster.client(0)
    made = [await client.create_room(3)]
    async with asyncio.timeout(LONG):
        while set((await leases(cluster)).values()) == {"n0"}:
            made.append(await client.create_room(3))
    found = await leases(cluster)
    elsewhere = next(room for room in made if found[room.room] != "n0")
    await client.take_seat(elsewhere.room, "Arya", invite=next(iter(elsewhere.invites.values())))
    async with asyncio.timeout(LONG):  # the other two stop, and their rooms are all on one node then
        for node in cluster.nodes[1:]:
            assert await asyncio.to_thread(node.stop) == 0
    assert set((await leases(cluster)).values()) <= {"n0"}
    made += [await client.create_room(3) for _ in range(2 * BAND)]
    for room in made:  # those that came to nobody come back as soon as somebody wants to see them
        await client.enter(room.room)
    await asyncio.gather(*(asyncio.to_thread(node.start) for node in cluster.nodes[1:]))
    found = await evened(cluster, len(made))
    assert len(set(found.values())) == 3
    await asyncio.sleep(2)
    assert await leases(cluster) == found, "rooms go on moving though all is even"


async def play_on(table: Table, rng: Random, stop: asyncio.Event) -> int:
    answers = 0
    async for prompt in table.prompts():
        await table.answer(prompt, draw(prompt, rng))  # a refusal fails the test
        answers += 1
        if stop.is_set():
            break
    return answers


async def test_a_room_moved_by_an_operator_is_played_on_without_a_word(cluster: Cluster) -> None:
    clients = [await cluster.client(n, reconnect=False) for n in (0, 1, 2)]
    made, tables = await seated(cluster, clients[0], *clients)
    watching = await clients[1].enter((await clients[0].create_room(3)).room)
    stop = asyncio.Event()
    games = [asyncio.create_task(play_on(table, Random(n), stop)) for n, table in enumerate(tables)]
    seen = list[str]()
    for node in ("n1", "n2", "n0"):
        moved = await asyncio.to_thread(rooms, cluster, "move", made.room, node, "--nats", cluster.nats_url)
        assert (moved.exit_code, moved.stdout) == (0, f"room {made.room} is on {node}\n"), moved.output
        seen.append(await cluster.owner(made.room))
    assert seen == ["n1", "n2", "n0"]
    listed = await asyncio.to_thread(rooms, cluster, "list", "--json")
    nodes = {line["room"]: line["node"].rpartition("-")[0] for line in map(json.loads, listed.stdout.splitlines())}
    assert nodes[made.room] == "n0" and watching.room in nodes
    before = tables[0].seq or 0
    async with asyncio.timeout(LONG):
        while (tables[0].seq or 0) < before + 3 and tables[0].view["phase"] != "over":
            await tables[0].changed()
    stop.set()
    for game in games:
        game.cancel()
    for ended in await asyncio.gather(*games, return_exceptions=True):
        assert isinstance(ended, int | asyncio.CancelledError), ended
    cases: list[tuple[tuple[str, ...], str]] = [
        ((made.room, "n7", "--nats", cluster.nats_url), "there is no node n7; these are there: n0, n1, n2"),
        ((made.room, "n0", "--nats", cluster.nats_url), "is on n0 already"),
        (("nowhere", "n1", "--nats", cluster.nats_url), "there is no room nowhere"),
        ((made.room, "n1"), "only several nodes have rooms to move"),
        ((made.room, "n1", "--nats", "nats://127.0.0.1:1"), "NATS cannot be reached"),
    ]
    for asked, why in cases:
        told = await asyncio.to_thread(rooms, cluster, "move", *asked)
        assert told.exit_code and why in " ".join(told.output.split()), told.output
    assert await cluster.owner(made.room) == "n0"
