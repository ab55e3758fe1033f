"""Connections that end, hang or come in the wrong moment. The ids are those of `cases`."""

import asyncio
import time
from contextlib import AsyncExitStack

from websockets.exceptions import ConnectionClosed

from protocol.answers import Bid
from protocol.client import connect
from protocol.messages import AnswerPrompt, Hello, ListRooms, Ok, Presence, RoomList, Update
from server.bots import table as bots
from tests.gateway.net import Client, client, gateway, table
from tests.gateway.test_abuse import Game, game, goes_on

__all__ = ["game"]


async def test_W08_a_message_in_the_moment_of_a_timeout_is_taken_or_the_connection_closed() -> None:
    """Nothing on the server's side waits for a message with a timeout, so there is none that could get lost."""
    async with gateway(hello_timeout=0.3) as server:

        async def late(number: int) -> bool:
            async with Client(server) as one:
                await asyncio.sleep(0.25 + number / 400)
                try:
                    await one.ask(Hello(1))
                    assert isinstance(await one.ask(ListRooms("1")), RoomList)
                except ConnectionClosed:
                    assert one.socket.close_code == 1008
                    return False
            return True

        await asyncio.gather(*(late(number) for number in range(40)))


async def test_W08_an_answer_while_the_hello_timer_fires(game: Game) -> None:
    stark, *_ = game.players
    connection = next(one for one in game.server._open if one.session.opened)
    await stark.send(AnswerPrompt("bid", game.made.room, 10, Bid(1)))
    connection.session.hello_is_due()
    assert isinstance(await stark.take(), Ok)
    assert isinstance(await stark.take(), Update)


async def test_W09_a_bot_that_thinks_for_long_keeps_its_connection(monkeypatch) -> None:
    def thinker(kind: str, seed: str, *, budget: float):
        def choose(prompt, view):
            time.sleep(1)
            return Bid(1)

        return choose

    monkeypatch.setattr(bots, "player", thinker)
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gateway(ping_interval=0.1, ping_timeout=0.3))
        players = [await stack.enter_async_context(client(server)) for _ in range(3)]
        made = await table(server, players)
        url = f"ws://127.0.0.1:{server.port}/ws"
        async with connect(url, reconnect=False) as one:
            seat = await one.enter(made.room, players[0].token)
            answer = await bots.at_pace("regent", "seed")(seat.prompt, seat.view)
            await seat.answer(seat.prompt, answer)


async def test_W10_a_client_that_dies_without_a_word_is_missed() -> None:
    async with gateway(ping_interval=0.2, ping_timeout=0.3) as server, client(server) as two, client(server) as three:
        async with client(server, ping_interval=None, close_timeout=0.1) as dead:
            await table(server, [dead, two, three])
            dead.socket.transport.pause_reading()  # no pong, no FIN
            gone = await two.until(Presence)
            assert gone.connected == ["lannister", "baratheon"]
            dead.socket.transport.abort()
        assert isinstance(await two.ask(ListRooms("1")), RoomList)


async def test_W04_one_dies_in_the_middle_of_a_frame_while_the_others_play(game: Game) -> None:
    async with client(game.server) as abuser:
        abuser.socket.transport.write(b"\x82\xff\0\0\0\0\0\0\xff\0")
        await goes_on(game)
        abuser.socket.transport.abort()
