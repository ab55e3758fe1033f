"""Every abuse of the wire costs its sender something and everybody else nothing."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import NamedTuple

import msgpack
import pytest
import pytest_asyncio
from websockets.exceptions import ConnectionClosed

from protocol.answers import Bid, March, Move
from protocol.messages import AnswerPrompt, Enter, Error, ListRooms, Ok, Retract, RoomCreated, RoomList, Say, Update
from server.gateway.server import Gateway
from tests.gateway.abuse import TABLE, Abuse
from tests.gateway.net import Client, client, gateway, table


class Game(NamedTuple):
    server: Gateway
    made: RoomCreated
    players: list[Client]


@pytest_asyncio.fixture
async def game() -> AsyncIterator[Game]:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gateway())
        players = [await stack.enter_async_context(client(server)) for _ in range(3)]
        yield Game(server, await table(server, players), players)


async def goes_on(game: Game, power: int = 1) -> None:
    """Stark bids and everybody is told: nobody has noticed anything."""
    stark, *others = game.players
    seq = game.server.desk.hall.find(game.made.room).seq
    assert isinstance(await stark.ask(AnswerPrompt(f"bid{power}", game.made.room, 10, Bid(power))), Ok)
    for player in (stark, *others):
        update = await player.take()
        assert isinstance(update, Update)
        assert update.seq == seq + 1


@pytest.mark.parametrize("abuse", TABLE, ids=[f"{abuse.case}-{abuse.fmt}-{abuse.what}" for abuse in TABLE])
async def test_the_sender_is_told_or_closed_and_the_others_go_on(game: Game, abuse: Abuse) -> None:
    frame = abuse.frame.replace(b"ROOM", game.made.room.encode()) if isinstance(abuse.frame, bytes) else abuse.frame
    if isinstance(abuse.frame, bytes) and b"\xa4ROOM" in abuse.frame:
        frame = abuse.frame.replace(b"\xa4ROOM", msgpack.packb(game.made.room))
    before = game.server.desk.hall.find(game.made.room).document()
    async with client(game.server, abuse.fmt) as abuser:
        with contextlib.suppress(ConnectionClosed):  # closed while it still sends
            await abuser.send(frame)
        if abuse.outcome == "error":
            error = await abuser.take()
            assert isinstance(error, Error)
            assert error.code == "bad_message"
            assert abuse.path is None or error.path == abuse.path
            assert len(str(error)) < 1000
            assert isinstance(await abuser.ask(ListRooms("after")), RoomList)
        else:
            assert await abuser.close_code() == abuse.outcome
    assert game.server.desk.hall.find(game.made.room).document() == before
    await goes_on(game)


async def test_W02_the_largest_frame_is_taken(game: Game) -> None:
    async with client(game.server, "json") as one:
        frame = '{"type": "list_rooms", "id": "1"}'
        assert isinstance(await one.ask(frame + " " * (64 * 1024 - len(frame))), RoomList)


async def test_W01_text_that_is_not_UTF8_closes_with_1007(game: Game) -> None:
    for fmt in ("json", "msgpack"):
        async with client(game.server, fmt) as one:
            await one.socket.send(b"\xff\xfe", text=True)
            assert await one.close_code() == 1007
    await goes_on(game)


async def test_a_broken_websocket_frame_closes_with_1002(game: Game) -> None:
    async with client(game.server) as one:
        one.socket.transport.write(bytes.fromhex("f7ff") + b"\0" * 20)
        assert await one.close_code() == 1002
    await goes_on(game)


async def test_W02_a_seat_that_sent_too_much_may_come_back(game: Game) -> None:
    stark, lannister, _ = game.players
    await stark.send(b"\x80" * 70_000)
    assert await stark.close_code() == 1009
    assert "stark" not in (await lannister.take()).connected
    async with client(game.server) as back:
        await back.enter(game.made.room, stark.token)
        assert back.view["you"]["prompt"]["id"] == 10
        assert "stark" in (await lannister.take()).connected


async def test_W04_random_bytes_end_one_connection_and_no_room(game: Game) -> None:
    rng = random.Random(4)
    async with client(game.server) as abuser:
        for _ in range(100):
            await abuser.send(rng.randbytes(rng.randrange(200)))
        assert await abuser.close_code() == 1008
    await goes_on(game)


async def test_W04_who_cuts_the_line_in_the_middle_of_a_frame(game: Game) -> None:
    for _ in range(10):
        async with client(game.server) as abuser:
            abuser.socket.transport.write(b"\x82\xfe\x7f\xff")
            abuser.socket.transport.abort()
    await goes_on(game)


async def test_K13_one_good_message_after_each_bad_one(game: Game) -> None:
    async with client(game.server) as one:
        for number in range(15):
            assert isinstance(await one.ask(b"\x82\xa4type\xa5"), Error)
            assert (await one.ask(ListRooms(str(number)))).id == str(number)


async def test_X01_nothing_but_hello_comes_first(game: Game) -> None:
    for first in (ListRooms("1"), Enter("1", game.made.room), AnswerPrompt("1", game.made.room, 10, Bid(1)), b"\xc1"):
        async with Client(game.server) as one:
            error = await one.ask(first)
            assert isinstance(error, Error)
            assert game.made.room not in str(error)
            assert await one.close_code() == 1008


async def test_X02_a_seat_answers_for_itself_only(game: Game) -> None:
    _, lannister, _ = game.players
    error = await lannister.ask(AnswerPrompt("1", game.made.room, 10, Bid(5)))
    assert (error.code, error.prompt) == ("stale_prompt", 11)
    assert game.server.desk.hall.find(game.made.room).document()["waiting"] == ["stark", "lannister", "baratheon"]


async def test_X03_an_answer_that_nobody_asked_for(game: Game) -> None:
    stark, *_ = game.players
    error = await stark.ask(
        AnswerPrompt("1", game.made.room, 10, March("riverrun", [Move("harrenhal", {"knight": 1})]))
    )
    assert (error.code, error.path) == ("illegal", "answer.type")
    assert (await stark.ask(AnswerPrompt("2", game.made.room, 20, Bid(5)))).code == "stale_prompt"
    await goes_on(game)


async def test_X04_the_same_answer_twice_counts_once(game: Game) -> None:
    stark, lannister, _ = game.players
    answer = AnswerPrompt("m-17", game.made.room, 10, Bid(5))
    await stark.send(answer)
    await stark.send(answer)
    first, update, again = [await stark.take() for _ in range(3)]
    assert first == again
    assert isinstance(update, Update)
    assert (await lannister.take()).patch["waiting"] == ["lannister", "baratheon"]
    await stark.send(Say("s", game.made.room, "all", "next"))
    assert (await lannister.take()).text == "next"


async def test_X16_X17_a_spectator_sees_and_does_no_more(game: Game) -> None:
    async with client(game.server, "json") as watcher:
        await watcher.enter(game.made.room)
        assert "you" not in watcher.view
        for message in (
            AnswerPrompt("1", game.made.room, 10, Bid(1)),
            Retract("2", game.made.room, 10),
            Say("3", game.made.room, "all", "boo"),
        ):
            assert (await watcher.ask(message)).code == "forbidden"
    await goes_on(game)


async def test_X19_the_view_is_that_of_the_token(game: Game) -> None:
    stark, lannister, _ = game.players
    async with client(game.server) as one:
        wrong = stark.token[:-1] + ("A" if stark.token[-1] != "A" else "B")
        error = await one.ask(Enter("1", game.made.room, token=wrong))
        assert (error.code, error.path) == ("bad_token", "token")
        await one.enter(game.made.room, lannister.token)
        assert one.view["you"]["house"] == "lannister"


@pytest.mark.parametrize(
    "name", ["__proto__", "Sunspear", "sunspear ", "\N{CYRILLIC SMALL LETTER DZE}unspear", "x" * 40]
)
async def test_X36_odd_names_are_just_unknown(game: Game, name: str) -> None:
    stark, *_ = game.players
    for message in (Enter("1", name[:32]), AnswerPrompt("2", name[:32], 10, Bid(1))):
        error = await stark.ask(message)
        assert (error.code, error.path) == ("not_found", "room")
        assert "KeyError" not in str(error)
    assert (await stark.ask(Say("3", game.made.room, [name], "hi"))).path == "to[0]"


async def test_S43_W11_silent_sockets_do_not_keep_players_out(game: Game) -> None:
    loafers = [await asyncio.open_connection("127.0.0.1", game.server.port) for _ in range(200)]
    async with client(game.server) as one:
        assert isinstance(await one.ask(ListRooms("1")), RoomList)
    await goes_on(game)
    for _, writer in loafers:
        writer.close()
