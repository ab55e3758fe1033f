"""Random games through random nodes that are killed, frozen, restarted and cut off at random; then the history is checked.

`MARCHWARDEN_CHAOS=600 pytest -s tests/cluster/test_chaos.py` is the long run, in seconds.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from random import Random

from websockets.exceptions import WebSocketException

from protocol.client import connect
from protocol.errors import Disconnected, RequestError
from server.store.store import Store
from tests.cluster import history
from tests.cluster.cluster import Cluster
from tests.cluster.player import PASSING, Player
from tests.cluster.process import Node

SECONDS = float(os.environ.get("MARCHWARDEN_CHAOS", "8"))
SEED = os.environ.get("MARCHWARDEN_SEED", "ravens")
TABLES = 3
TROUBLES = ["kill", "kill", "freeze", "freeze", "restart", "nats", "postgres", "no nats", "no postgres"]


async def test_nothing_is_lost_nor_done_twice_whatever_befalls_the_nodes(postgres_url: str, cluster: Cluster) -> None:
    stop, played = asyncio.Event(), list[list[Player]]()
    tables = [asyncio.create_task(play_games(cluster.nodes, f"{SEED}{n}", stop, played)) for n in range(TABLES)]
    done = await trouble(cluster, Random(SEED), tables)
    stop.set()
    async with asyncio.timeout(120):
        await asyncio.gather(*tables)
    await cluster.stop()
    counted = await checked(postgres_url, played)
    assert counted["answers"] > 100
    print(f"\n{SECONDS:g} s, {dict(done)}: {len(played)} games, {dict(counted)}")


async def checked(postgres_url: str, played: list[list[Player]]) -> Counter[str]:
    """What was found in the history of games, after all that must be so has been checked."""
    counted: Counter[str] = Counter()
    async with await Store.open(postgres_url) as store:
        for players in played:
            counted += history.check(await history.Log.read(store, players[0].room), players)
    return counted


async def trouble(cluster: Cluster, rng: Random, tables: Sequence[asyncio.Task[None]]) -> Counter[str]:
    """One after another, sometimes two at a time; at the end everything is as it should be."""
    clock, done = asyncio.get_running_loop().time, Counter[str]()
    until = clock() + SECONDS

    async def strike(n: int) -> None:
        node, what = cluster.nodes[n], rng.choice(TROUBLES)
        done[what] += 1
        match what:
            case "kill":
                await asyncio.to_thread(node.kill)
                await asyncio.sleep(rng.uniform(0, 3))
                await asyncio.to_thread(node.start)
            case "freeze":
                node.freeze()
                await asyncio.sleep(rng.choice([0.5, 3, 7, 9]) * rng.uniform(0.8, 1.2))
                node.thaw()
            case "nats" | "postgres":
                cable = (cluster.nats if what == "nats" else cluster.postgres)[n]
                cable.cut()
                await asyncio.sleep(rng.uniform(0.2, 8))
                cable.mend()
            case "restart":
                assert await asyncio.to_thread(node.stop) == 0
                await asyncio.to_thread(node.start)
            case "no nats" | "no postgres":
                cables = cluster.nats if what == "no nats" else cluster.postgres
                for each in cables:
                    each.cut()
                await asyncio.sleep(rng.uniform(0.1, 2))
                for each in cables:
                    each.mend()

    while clock() < until:
        hit = rng.sample(range(3), rng.choice([1, 1, 2]))
        await asyncio.gather(*(strike(n) for n in hit))
        await asyncio.sleep(rng.uniform(0, 2))
        for table in tables:
            if table.done():
                table.result()
    return done


async def play_games(nodes: Sequence[Node], seed: str, stop: asyncio.Event, played: list[list[Player]]) -> None:
    """One game after another."""
    rng, number = Random(seed), 0
    while not stop.is_set():
        number += 1
        room, tokens = await make_table(nodes, rng)
        seats = {**tokens, None: None}
        players = [Player(nodes, room, house, token, f"{seed}{number}{house}") for house, token in seats.items()]
        await asyncio.gather(*(player.play() for player in players))
        played.append(players)


async def make_table(nodes: Sequence[Node], rng: Random) -> tuple[str, dict[str | None, str | None]]:
    """A room and its seat tokens, from whichever node gives them. One that is lost on the way is left behind."""
    while True:
        try:
            async with asyncio.timeout(15), connect(rng.choice(nodes).url, reconnect=False) as client:
                made = await client.create_room(rng.choice([3, 4]))
                tokens: dict[str | None, str | None] = {}
                for house, invite in made.invites.items():
                    tokens[house] = (await client.take_seat(made.room, house, invite=invite)).token
                return made.room, tokens
        except RequestError as error:
            assert error.code in PASSING, error
        except (OSError, EOFError, WebSocketException, Disconnected, TimeoutError):
            pass
        await asyncio.sleep(0.2)
