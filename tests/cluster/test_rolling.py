"""All three nodes are restarted, one after the other, while games are played: nobody is refused anything."""

import asyncio
from random import Random

from websockets.exceptions import WebSocketException

from protocol.client import connect
from protocol.legal import draw
from tests.cluster.cluster import Cluster
from tests.cluster.door import Door


def soon(attempt: int) -> float:
    return 0.1


async def test_a_rolling_restart_costs_a_reconnect_and_nothing_else(cluster: Cluster) -> None:
    stop, gaps, rng = asyncio.Event(), list[float](), Random("rolling")
    clock = asyncio.get_running_loop().time

    door = await cluster.stack.enter_async_context(Door([node.port for node in cluster.nodes]).open())

    async def seat(room: str, house: str, token: str) -> None:
        async with connect(door.url, delay=soon) as client:
            table = await client.enter(room, token)
            async for prompt in table.prompts():
                asked = clock()
                await table.answer(prompt, draw(prompt, rng))  # a refusal of any kind fails the test
                gaps.append(clock() - asked)

    async def games() -> int:
        played = 0
        async with connect(door.url, delay=soon) as host:
            while not stop.is_set():
                made = await host.create_room(3)
                seats = [await host.take_seat(made.room, house, invite=i) for house, i in made.invites.items()]
                await asyncio.gather(*(opened(seat, made.room, each.house, each.token) for each in seats))
                played += 1
        return played

    tables = [asyncio.create_task(games()) for _ in range(6)]
    for node in cluster.nodes:
        await asyncio.sleep(1)
        assert await asyncio.to_thread(node.stop) == 0
        await asyncio.to_thread(node.start)
    await asyncio.sleep(1)
    stop.set()
    async with asyncio.timeout(60):
        played = await asyncio.gather(*tables)
    assert min(played) > 0
    longest = [round(gap, 2) for gap in sorted(gaps)[-10:]]
    print(f"\n{sum(played)} games, {len(gaps)} answers; the longest took {longest} s")


async def opened(seat, room: str, house: str, token: str) -> None:
    while True:
        try:
            return await seat(room, house, token)
        except (OSError, EOFError, WebSocketException):  # the node was not there when it was connected to
            await asyncio.sleep(0.1)
