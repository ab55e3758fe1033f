"""Every limit over real sockets, and as an option."""

import asyncio
import contextlib
from contextlib import AsyncExitStack
from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from protocol.messages import CreateRoom, Hello, ListRooms, RoomCreated, RoomList, Say, Welcome
from protocol.wire import encode
from server.cli import main
from server.commands.limits import LIMITS
from server.config import Config
from server.gateway.server import Gateway
from tests.gateway.net import PATIENCE, Client, client, gateway, table


async def turned_down(server: Gateway, **headers: str) -> tuple[int, int, str]:
    """A handshake that is refused: status, Retry-After, why."""
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://127.0.0.1:{server.port}/ws", additional_headers=headers)
    response = refused.value.response
    return response.status_code, int(response.headers["Retry-After"]), response.body.decode()


def via(*hops: str) -> dict[str, dict[str, str]]:
    return {"additional_headers": {"X-Forwarded-For": ", ".join(hops)}}


async def test_handshakes_are_refused_before_there_is_a_session() -> None:
    async with gateway(address_handshake_burst=2, address_handshake_rate=0.1) as server, client(server), client(server):
        status, retry_after, why = await turned_down(server)
        assert (status, retry_after) == (429, 10)
        assert why == "There are too many handshakes from your address.\n"
        assert len(server._open) == 2


async def test_handshakes_of_everybody_are_paced() -> None:
    async with gateway(handshake_burst=1, handshake_rate=0.1) as server, client(server):
        assert (await turned_down(server))[:2] == (429, 10)


async def test_connections_of_an_address_are_bounded_and_freed() -> None:
    async with gateway(address_connections=1) as server:
        async with client(server):
            assert (await turned_down(server))[:2] == (429, 60)
        await asyncio.gather(*server._open.values())
        async with client(server):
            pass


async def test_S95_behind_a_trusted_proxy_everybody_counts_for_themselves() -> None:
    async with (
        gateway(address_connections=1, trusted_proxies=("127.0.0.0/8",)) as server,
        client(server, **via("198.51.100.1")),
        client(server, **via("198.51.100.2")),
    ):
        assert (await turned_down(server, **via("6.6.6.6", "198.51.100.1")["additional_headers"]))[0] == 429


async def test_S95_who_is_no_trusted_proxy_counts_for_itself_whatever_it_says() -> None:
    async with gateway(address_connections=1) as server, client(server, **via("198.51.100.1")):
        assert (await turned_down(server, **via("198.51.100.2")["additional_headers"]))[0] == 429


async def test_messages_of_an_address_are_bounded_over_its_connections() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gateway(address_burst=10, address_rate=0.1))
        clients = [await stack.enter_async_context(client(server)) for _ in range(5)]
        came = [await clients[n % 5].ask(ListRooms(str(n))) for n in range(7)]
        assert [type(reply) for reply in came[:5]] == [RoomList] * 5
        assert {(reply.code, reply.id) for reply in came[5:]} == {("rate_limited", "5"), ("rate_limited", "6")}


async def test_messages_of_a_seat_are_bounded_over_its_connections() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(gateway(seat_burst=2, seat_rate=0.1))
        players = [await stack.enter_async_context(client(server)) for _ in range(3)]
        made = await table(server, players)
        second = await stack.enter_async_context(client(server))
        await second.enter(made.room, players[0].token)
        for number in range(2):
            await second.ask(Say(f"s{number}", made.room, ["stark"], "hi"))
            await second.take()
        assert (await second.ask(Say("one too many", made.room, ["stark"], "hi"))).code == "rate_limited"


async def test_rooms_of_an_address_are_bounded_over_its_connections() -> None:
    async with gateway(address_rooms=2) as server, client(server) as one, client(server) as other:
        assert isinstance(await one.ask(CreateRoom("1", 3)), RoomCreated)
        assert isinstance(await other.ask(CreateRoom("1", 3)), RoomCreated)
        refused = await one.ask(CreateRoom("2", 3))
        assert (refused.code, refused.id) == ("too_many_rooms", "2")
        assert isinstance(await one.ask(ListRooms("3")), RoomList)


async def test_S43_W11_half_handshakes_end_and_are_bounded() -> None:
    async with gateway(hello_timeout=1, address_connections=10) as server:
        halves = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(15)]
        for _, writer in halves[:8]:
            writer.write(b"GET /ws HTTP/1.1\r\nHost: ")
        async with client(server) as one:
            assert isinstance(await one.ask(ListRooms("1")), RoomList)
        more = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(6)]
        async with asyncio.timeout(PATIENCE):
            for reader, writer in [*halves, *more]:
                with contextlib.suppress(ConnectionResetError):  # those that were one too many
                    assert await reader.read() == b""
                writer.close()
        assert not server._door._sockets or set(server._door._sockets.values()) == {1}


async def test_welcome_tells_the_limits() -> None:
    settings = {"rate": 2.5, "burst": 30, "seat_rate": 7, "seat_burst": 70, "address_rooms": 9, "hello_timeout": 12}
    async with gateway(**settings) as server, Client(server) as one:
        welcome = await one.ask(Hello(1))
        assert isinstance(welcome, Welcome)
        limits = welcome.limits
        assert (limits.hello_seconds, limits.rooms_per_hour, limits.rooms_entered) == (12, 9, 1000)
        assert (limits.messages_per_minute, limits.messages_at_once) == (150, 30)
        assert (limits.seat_messages_per_minute, limits.seat_messages_at_once) == (420, 70)


def test_every_setting_is_an_option_with_a_line_of_help() -> None:
    told = CliRunner().invoke(main, ["serve", "--help"], terminal_width=400).stdout
    names = {"origins": "origin", "trusted_proxies": "trusted-proxy"}
    for field in fields(Config):
        option = names.get(field.name, field.name.replace("_", "-"))
        (line,) = [line for line in told.splitlines() if line.lstrip().startswith(f"--{option} ")]
        assert len(line.split("  ")[-1]) > 10
    assert {name for name, *_ in LIMITS} <= {field.name for field in fields(Config)}


@pytest.mark.parametrize("cidr", ["10.0.0.5/8", "proxy.example", "10.0.0.0/99"])
def test_a_proxy_that_is_no_network_is_said(cidr: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", "--port=0", f"--data={tmp_path}", f"--trusted-proxy={cidr}"])
    assert result.exit_code == 2
    assert "give a network, such as 10.0.0.0/8" in result.stderr


@pytest.mark.parametrize("option", [f"--{name.replace('_', '-')}" for name, *_ in LIMITS])
def test_a_limit_that_makes_no_sense_is_refused(option: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["serve", "--port=0", f"--data={tmp_path}", f"{option}=-1"])
    assert result.exit_code == 2
    assert option in result.stderr


async def test_who_was_closed_for_what_it_sent_pays_for_it() -> None:
    async with gateway(address_handshake_burst=11, address_handshake_rate=0.1) as server:
        async with client(server) as one:
            await one.send(b"\x80" * 70_000)
            assert await one.close_code() == 1009
            await asyncio.gather(*server._open.values())
        assert (await turned_down(server))[0] == 429


@pytest.mark.parametrize("flood", [b"\x89\x80\0\0\0\0", b"\0\x80\0\0\0\0"], ids=["pings", "parts of a message"])
async def test_frames_that_are_no_messages_are_bounded_too(flood: bytes) -> None:
    async with gateway(rate=1, burst=10) as server, client(server) as one:
        if flood[0] == 0:
            one.socket.transport.write(b"\x02\x80\0\0\0\0")
        one.socket.transport.write(flood * 139)
        await one.socket.ping()
        one.socket.transport.write(flood * 40_000)
        assert await one.close_code() == 1008


async def test_a_message_in_some_parts_is_a_message() -> None:
    async with gateway() as server, client(server) as one:
        frame = encode(ListRooms("1"), "msgpack")
        await one.socket.send([frame[:5], frame[5:6], b"", frame[6:]])
        assert isinstance(await one.take(), RoomList)
