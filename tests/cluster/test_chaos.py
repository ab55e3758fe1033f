"""Random games through random nodes that are killed, frozen, restarted and cut off at random; then the history is checked.

`MARCHWARDEN_CHAOS=600 pytest -s tests/cluster/test_chaos.py` is the long run, in seconds.
"""

import asyncio
import contextlib
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from websockets.exceptions import WebSocketException

from protocol.client import connect
from protocol.errors import Disconnected, RequestError
from server.store.store import Store
from tests.cluster import history
from tests.cluster.cable import Cable
from tests.cluster.player import PASSING, Player
from tests.cluster.process import NatsServer, Node

SECONDS = float(os.environ.get("MARCHWARDEN_CHAOS", "20"))
SEED = os.environ.get("MARCHWARDEN_SEED", "ravens")
TABLES = 3


async def test_nothing_is_lost_nor_done_twice_whatever_befalls_the_nodes(
    postgres_url: str, nats_server: NatsServer, tmp_path: Path
) -> None:
    rng = Random(SEED)
    async with contextlib.AsyncExitStack() as stack:
        cables = [await stack.enter_async_context(Cable(nats_server.port).laid()) for _ in range(3)]
        nodes = [
            Node(f"n{n}", tmp_path, postgres_url, f"nats://127.0.0.1:{cable.port}") for n, cable in enumerate(cables)
        ]
        for node in nodes:
            await asyncio.to_thread(node.start)
            stack.push_async_callback(asyncio.to_thread, node.kill)
        stop, played = asyncio.Event(), list[list[Player]]()
        tables = [asyncio.create_task(play_games(nodes, f"{SEED}{n}", stop, played)) for n in range(TABLES)]
        done = await trouble(nodes, cables, nats_server, rng, tables)
        stop.set()
        async with asyncio.timeout(120):
            await asyncio.gather(*tables)
        for node in nodes:
            assert await asyncio.to_thread(node.stop) == 0
    faults = [line for line in (tmp_path / "server.log").read_text().splitlines() if '"level": "error"' in line]
    assert not faults, faults[:3]
    counted: Counter[str] = Counter()
    async with await Store.open(postgres_url) as store:
        for players in played:
            counted += history.check(await history.Log.read(store, players[0].room), players)
    assert counted["answers"] > 100
    print(f"\n{SECONDS:g} s, {dict(done)}: {len(played)} games, {dict(counted)}")


async def trouble(
    nodes: Sequence[Node], cables: Sequence[Cable], nats: NatsServer, rng: Random, tables: Sequence[asyncio.Task[None]]
) -> Counter[str]:
    """One after another, sometimes two at a time; at the end everything is as it should be."""
    clock, done = asyncio.get_running_loop().time, Counter[str]()
    until = clock() + SECONDS

    async def strike(n: int) -> None:
        node, cable, what = nodes[n], cables[n], rng.choice(["kill", "freeze", "freeze", "cut", "restart", "nats"])
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
            case "cut":
                cable.cut()
                await asyncio.sleep(rng.uniform(0.2, 6))
                cable.mend()
            case "restart":
                assert await asyncio.to_thread(node.stop) == 0
                await asyncio.to_thread(node.start)
            case "nats":
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
