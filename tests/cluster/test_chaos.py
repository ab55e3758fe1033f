"""Random games through random nodes that are killed, frozen, restarted and cut off at random; then the history is checked.

`MARCHWARDEN_CHAOS=600 pytest -s tests/cluster/test_chaos.py` is a long run, in seconds; with `MARCHWARDEN_GAMES=1000` it goes on
until so many games are over, at more tables.
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
GAMES = int(os.environ.get("MARCHWARDEN_GAMES", "0"))
"""Trouble goes on until at least so many games are over."""
TABLES = 18 if GAMES else 3
TROUBLES = ["kill", "kill", "freeze", "freeze", "restart", "nats", "postgres", "no nats", "no postgres"]


class Played:
    """The games that are over, each checked at once against its log: nobody could keep what a thousand of them were told."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.games = 0
        self.counted: Counter[str] = Counter()
        """What was found in their history."""

    async def add(self, players: Sequence[Player]) -> None:
        """Check a game from which all have come home: all that must be so."""
        self.counted += history.check(await history.Log.read(self._store, players[0].room), players)
        self.games += 1


async def test_nothing_is_lost_nor_done_twice_whatever_befalls_the_nodes(postgres_url: str, cluster: Cluster) -> None:
    stop = asyncio.Event()
    async with await Store.open(postgres_url) as store:
        played = Played(store)
        at_play = [list[Player]() for _ in range(TABLES)]
        tables = [
            asyncio.create_task(play_games(cluster.nodes, f"{SEED}{n}", stop, played, at_play[n]))
            for n in range(TABLES)
        ]
        done = await trouble(cluster, Random(SEED), tables, played)
        stop.set()
        _, hanging = await asyncio.wait(tables, timeout=120)
        assert not hanging, [player.state for players in at_play for player in players]
        await asyncio.gather(*tables)
        await cluster.stop()
    assert played.counted["answers"] > 100
    print(f"\n{dict(done)}: {played.games} games, {dict(played.counted)}")


async def trouble(cluster: Cluster, rng: Random, tables: Sequence[asyncio.Task[None]], played: Played) -> Counter[str]:
    """One strike after another, sometimes two at a time; at the end everything is as it should be."""
    clock, done = asyncio.get_running_loop().time, Counter[str]()
    until, turns = clock() + SECONDS, 0

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

    while clock() < until or played.games < GAMES:
        turns += 1
        if GAMES and turns % 10 == 0:
            print(f"{played.games} of {GAMES} games are over, {dict(done)}", flush=True)
        hit = rng.sample(range(3), rng.choice([1, 1, 2]))
        await asyncio.gather(*(strike(n) for n in hit))
        await asyncio.sleep(rng.uniform(0, 2))
        for table in tables:
            if table.done():
                table.result()
    return done


async def play_games(
    nodes: Sequence[Node], seed: str, stop: asyncio.Event, played: Played, at_play: list[Player]
) -> None:
    """One game after another; `at_play` is who plays now."""
    rng, number = Random(seed), 0
    while not stop.is_set():
        number += 1
        room, tokens = await make_table(nodes, rng)
        seats = {**tokens, None: None}
        players = [Player(nodes, room, house, token, f"{seed}{number}{house}") for house, token in seats.items()]
        at_play[:] = players
        await asyncio.gather(*(player.play() for player in players))
        at_play.clear()
        await played.add(players)


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
