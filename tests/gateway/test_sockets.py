"""Sessions on real sockets: subprotocols, a whole game, resuming, slow readers, stopping."""

import asyncio
import io
import itertools
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import NamedTuple

import pytest
import structlog
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Subprotocol

from protocol.answers import Bid
from protocol.messages import (
    AnswerPrompt,
    CreateRoom,
    Enter,
    GoingAway,
    Hello,
    Leave,
    ListRooms,
    Ok,
    Presence,
    Private,
    RoomCreated,
    RoomList,
    Said,
    Say,
    Snapshot,
    Update,
    Welcome,
)
from protocol.patch import apply
from protocol.wire import decode_server, encode
from server import log
from server.gateway.connection import Connection
from server.rooms.room import Room
from tests.gateway.net import PATIENCE, Client, client, gateway, table
from tests.rooms.table import HOUSES, SmallGame


@pytest.mark.parametrize(
    ("offered", "chosen", "fmt"),
    [
        ([], None, "msgpack"),
        (["marchwarden.v1.msgpack"], "marchwarden.v1.msgpack", "msgpack"),
        (["marchwarden.v1.json"], "marchwarden.v1.json", "json"),
        (["marchwarden.v9.json", "marchwarden.v1.json", "marchwarden.v1.msgpack"], "marchwarden.v1.json", "json"),
    ],
)
async def test_the_client_chooses_the_format(offered, chosen, fmt) -> None:
    subprotocols = [Subprotocol(name) for name in offered] or None
    async with gateway() as server, connect(f"ws://127.0.0.1:{server.port}/ws", subprotocols=subprotocols) as socket:
        assert socket.subprotocol == chosen
        await socket.send(encode(Hello(1), fmt))
        assert isinstance(decode_server(await socket.recv(), fmt), Welcome)


async def test_an_unknown_subprotocol_is_turned_down() -> None:
    async with gateway() as server:
        with pytest.raises(InvalidStatus) as refused:
            await connect(f"ws://127.0.0.1:{server.port}/ws", subprotocols=[Subprotocol("chess")])
        assert refused.value.response.status_code == 400
        assert b"marchwarden.v1.msgpack" in refused.value.response.body


async def test_nothing_is_compressed() -> None:
    async with gateway() as server, client(server, compression="deflate") as one:
        assert "Sec-WebSocket-Extensions" not in one.socket.response.headers


@pytest.mark.parametrize("fmt", ["msgpack", "json"])
async def test_a_whole_game(fmt) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gateway())
        players = [await stack.enter_async_context(client(server, fmt)) for _ in range(3)]
        made = await table(server, players)
        watcher = await stack.enter_async_context(client(server))
        await watcher.enter(made.room)
        for turn in range(1, 4):
            for number, player in enumerate(players):
                await player.send(AnswerPrompt(f"t{turn}", made.room, turn * 10 + number, Bid(number)))
                ok = await player.until(Ok)
                assert ok.room == made.room
        while watcher.view["phase"] != "over":
            watcher.view = apply(watcher.view, (await watcher.until(Update)).patch)
        assert watcher.view == server.desk.hall.find(made.room).document()
        assert watcher.view["options"]["seed"]


async def test_S30_who_was_away_gets_what_it_missed() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gateway())
        players = [await stack.enter_async_context(client(server)) for _ in range(3)]
        made = await table(server, players)
        stark, lannister, _ = players
        seq = server.desk.hall.find(made.room).seq
        await stark.socket.close()
        await lannister.ask(AnswerPrompt("1", made.room, 11, Bid(1)))
        async with client(server, "json") as back:
            await back.send(Enter("e", made.room, token=stark.token, since=seq))
            came = [await back.take() for _ in range(4)]
            assert [type(message) for message in came] == [Ok, Update, Private, Presence]
            assert [message.seq for message in came[:3]] == [seq + 1, seq + 1, seq + 1]


async def test_S35_S36_two_connections_on_one_seat() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gateway())
        players = [await stack.enter_async_context(client(server)) for _ in range(3)]
        made = await table(server, players)
        stark, lannister, _ = players
        second = await stack.enter_async_context(client(server, "json"))
        await second.enter(made.room, stark.token)
        await second.ask(AnswerPrompt("1", made.room, 10, Bid(1)))
        assert (await stark.take()).patch["you"] == {"bid": 1}
        await lannister.take()
        await stark.ask(AnswerPrompt("2", made.room, 10, Bid(2)))
        await second.take()
        assert (await second.take()).you["bid"] == 2
        await stark.socket.close()
        await second.ask(Say("3", made.room, "all", "still here"))
        assert isinstance(await lannister.take(), Said)
        assert server.desk.hall.find(made.room).document()["houses"]["stark"]["connected"] is True


async def test_S43_a_silent_client_is_closed() -> None:
    async with gateway(hello_timeout=0.5) as server, client(server) as one:
        async with Client(server) as silent:
            assert await silent.close_code() == 1008
        assert isinstance(await one.ask(ListRooms("1")), RoomList)


async def test_there_is_an_end_to_connections() -> None:
    async with gateway(max_connections=1) as server, client(server):
        with pytest.raises(InvalidStatus) as refused:
            async with client(server):
                pass
        assert refused.value.response.status_code == 503


class TalkativeGame(SmallGame):
    """Every bid is told at length."""

    def submit(self, house, prompt, answer):
        super().submit(house, prompt, answer)
        self.bids.clear()
        return [{"type": "talk", "text": "x" * 10_000}]


class TalkativeRules:
    version = 1

    def houses(self, players):
        return HOUSES[:players]

    def new(self, players, seed, tides):
        return TalkativeGame(players)


class Slow(NamedTuple):
    """Two players of three, and a spectator with small buffers who has stopped reading."""

    made: RoomCreated
    room: Room
    players: list[Client]
    reader: Client
    sitting: Connection
    """The server's side of the spectator."""
    task: asyncio.Task[None]

    async def talk(self, number: int) -> None:
        """One more update of ten thousand bytes; the players get it at once."""
        stark, lannister = self.players
        await stark.send(AnswerPrompt(str(number), self.made.room, 10, Bid(1)))
        assert isinstance(await stark.take(), Ok)
        assert isinstance(await stark.take(), Update)
        assert isinstance(await lannister.take(), Update)


@asynccontextmanager
async def slow_reader(**settings) -> AsyncIterator[Slow]:
    async with AsyncExitStack() as stack:
        fast = {"rate": 10_000, "seat_rate": 10_000, "address_rate": 10_000}
        server = await stack.enter_async_context(gateway(TalkativeRules(), **fast, **settings))
        players = [await stack.enter_async_context(client(server)) for _ in range(3)]
        made = await table(server, players)
        await players.pop().ask(Leave("leave", made.room))
        for player in players:
            await player.take()
        reader = await stack.enter_async_context(client(server, ping_interval=None, close_timeout=0.1))
        await reader.enter(made.room)
        room = server.desk.hall.find(made.room)
        (watching,) = [listener for listener, viewer in room.audience.everybody() if viewer is None]
        (sitting,) = [one for one in server._open if one.session is watching]
        sitting._socket.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        reader.socket.transport.pause_reading()
        yield Slow(made, room, players, reader, sitting, server._open[sitting])


async def test_S90_W05_who_never_reads_is_given_up_and_holds_up_nobody() -> None:
    async with slow_reader(queue_bytes=200_000) as slow:
        most = 0
        for number in range(500):
            await slow.talk(number)
            most = max(most, slow.sitting._outbox._bytes)
        assert 150_000 < most <= 200_000
        assert slow.sitting._outbox.overrun
        slow.reader.socket.transport.resume_reading()
        assert await slow.reader.close_code() == 1013
        await asyncio.wait_for(slow.task, PATIENCE)
        assert len(slow.room.audience.everybody()) == 2


async def test_a_burst_is_no_reason_to_give_up_whoever_reads() -> None:
    async with gateway(queue_frames=20, queue_bytes=20_000) as server, client(server) as one:
        (connection,) = server._open
        for number in range(1000):  # as a commit does that was waited for by many requests
            connection.session.reply(encode(Ok(f"{number}"), "msgpack"))
        assert [(await one.take()).id for _ in range(1000)] == [f"{number}" for number in range(1000)]
        assert not connection._outbox.overrun


async def test_S90_who_reads_again_in_time_gets_a_snapshot() -> None:
    async with slow_reader(queue_frames=50, queue_bytes=2**30) as slow:
        number = 0
        while not slow.sitting._outbox._stale:
            number += 1
            await slow.talk(number)
        slow.reader.socket.transport.resume_reading()
        view = slow.reader.view
        snapshots = 0
        while view["seq"] < slow.room.seq:
            message = await slow.reader.take()
            if isinstance(message, Snapshot):
                snapshots += 1
                view = message.view
            else:
                assert message.seq == view["seq"] + 1
                view = apply(view, message.patch)
        assert snapshots == 1
        assert view == slow.room.document()
        await slow.talk(0)
        assert (await slow.reader.take()).seq == view["seq"] + 1


async def test_S90_who_takes_no_frame_for_long_is_dead() -> None:
    """Its buffers are full, so that no ping reaches it: the library alone would wait for ever."""
    async with slow_reader(ping_timeout=0.2, ping_interval=60, queue_frames=10**6, queue_bytes=2**30) as slow:
        for number in itertools.count():
            await slow.talk(number)
            if slow.task.done():
                break
        assert not slow.sitting._outbox.overrun
        assert len(slow.room.audience.everybody()) == 2


async def test_S84_a_stopping_server_says_good_bye() -> None:
    async with gateway() as server, client(server) as one, client(server, "json") as other:
        stopping = asyncio.create_task(server.drain(asyncio.Event()))
        for each in (one, other):
            assert isinstance(await each.take(), GoingAway)
            assert await each.close_code() == 1012
        await asyncio.wait_for(stopping, PATIENCE)
        with pytest.raises(InvalidStatus) as refused:
            async with client(server):
                pass
        assert refused.value.response.status_code == 503


async def test_S84_who_does_not_go_is_cut_off() -> None:
    async with gateway(drain_seconds=0.1) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert (await reader.readline()).startswith(b"HTTP/1.1 101")
        await asyncio.wait_for(server.drain(asyncio.Event()), PATIENCE)
        assert server._open
    assert not server._open
    writer.close()


async def test_S84_a_second_signal_does_not_wait() -> None:
    async with gateway(drain_seconds=3600) as server:
        hurry = asyncio.Event()
        hurry.set()
        async with client(server):
            await asyncio.wait_for(server.drain(hurry), PATIENCE)


async def test_S24_the_log_of_a_whole_game_holds_no_secret() -> None:
    written = io.StringIO()
    log.configure("debug", written)
    try:
        async with AsyncExitStack() as stack:
            server = await stack.enter_async_context(gateway())
            players = [await stack.enter_async_context(client(server)) for _ in range(3)]
            made = await table(server, players)
            room = server.desk.hall.find(made.room)
            seed = room.birth.seed.hex()
            stark, *_ = players
            await stark.send(b"\xc1")
            await stark.send(Say("s", made.room, "all", "a word in confidence"))
            await stark.send(Enter("e", made.room, token=stark.token[::-1]))
            for turn in range(1, 4):
                for number, player in enumerate(players):
                    await player.send(AnswerPrompt(f"t{turn}", made.room, turn * 10 + number, Bid(17)))
                    await player.until(Ok)
            await stark.ask(CreateRoom("other", 3))
    finally:
        structlog.reset_defaults()
    text = written.getvalue()
    assert "game_started" in text
    secrets = [made.host, *made.invites.values(), seed, "in confidence", "17", *(player.token for player in players)]
    for line in text.splitlines():
        fields = line.partition('"timestamp"')[0]
        assert not [secret for secret in secrets if secret in fields]
