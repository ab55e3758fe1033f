"""Messages that come whole are heard at once; however a stream is cut, the same messages are heard in the same order."""

import asyncio
from itertools import pairwise
from random import Random
from typing import Any

import pytest
import structlog
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import LogCapture
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from protocol.messages import ListRooms, RoomList
from protocol.wire import Format, encode
from server.gateway.counted import PIECE
from server.gateway.whole import Boundary, message
from tests.gateway.net import client, gateway
from tests.hostile.raw import HANDSHAKE

SIZES = st.sampled_from([0, 1, 5, 124, 125, 126, 127, 300, 65_535, 65_536])
OPCODES = st.sampled_from([Opcode.TEXT, Opcode.BINARY, Opcode.CONT])


def frame(data: bytes, opcode: Opcode = Opcode.BINARY, *, fin: bool = True, mask: bool = True) -> bytes:
    return Frame(opcode, data, fin).serialize(mask=mask)


@st.composite
def frames(draw: Any) -> bytes:
    """Any frame of a client, or one that no client may send."""
    if draw(st.integers(0, 4)) == 0:
        return frame(draw(st.binary(max_size=125)), draw(st.sampled_from([Opcode.PING, Opcode.PONG])))
    data = draw(st.integers(0, 255).map(lambda b: bytes([b]))) * draw(SIZES)
    return frame(data, draw(OPCODES), fin=draw(st.booleans()), mask=draw(st.integers(0, 9)) > 0)


@given(st.lists(frames(), max_size=6), st.randoms(use_true_random=False))
def test_it_is_known_where_a_frame_begins(sent: list[bytes], rng: Random) -> None:
    stream, ends = HANDSHAKE, {len(HANDSHAKE)}
    for one in sent:
        stream += one
        ends.add(len(stream))
    cuts = sorted({0, len(stream), *rng.choices(range(len(stream)), k=12), *rng.sample(sorted(ends), len(ends) // 2)})
    boundary = Boundary()
    for start, end in pairwise(cuts):
        boundary.follow(stream[start:end])
        assert boundary.here is (end in ends)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 200, 65_535])
def test_a_whole_message_is_read(size: int) -> None:
    data = Random(size).randbytes(size)
    assert message(frame(data)) == data
    assert message(frame(b"a" * size, Opcode.TEXT)) == "a" * size


def test_what_is_not_just_one_whole_message_is_left_to_the_library() -> None:
    one = frame(b"12345678")
    others = [
        b"",
        one[:1],
        one[:-1],
        one + b"\x82",
        one + one,
        frame(b"12", fin=False),
        frame(b"12", Opcode.CONT),
        frame(b"12", Opcode.PING),
        frame(b"12", Opcode.CLOSE),
        frame(b"12345678", mask=False),
        frame(b"\xff", Opcode.TEXT),
        frame(b"1" * 65_536),
        bytes([one[0] | 0x40]) + one[1:],
        b"\x82\xff" + (5).to_bytes(8, "big") + b"\0" * 9,
        b"\x82\xff" + (119).to_bytes(8, "big") + b"\0" * (4 + 119),
        frame(b"1" * 65_536)[:133],
        frame(b"1" * 300)[:132],
    ]
    assert [message(other) for other in others] == [None] * len(others)


@st.composite
def heads(draw: Any) -> bytes:
    """The first bytes of a frame, its length in two, four or ten of them, and so much behind that the length may be right."""
    mark, more = draw(st.sampled_from([(None, 0), (126, 2), (127, 8)]))
    size = draw(st.integers(0, 125 if mark is None else 200))
    length = bytes([0x80 | (size if mark is None else mark)]) + size.to_bytes(8, "big")[8 - more :]
    rest = draw(st.sampled_from([size + 4, 119 + 12, 127 + 4, 126 + 4, 4]))
    return draw(st.sampled_from([b"\x81", b"\x82"])) + length + b"\0" * rest


@given(st.binary(max_size=20) | frames().map(lambda one: one[:400]) | st.binary(max_size=140).map(frame) | heads())
@example(b"\x82\x80\0\0\0\0")
def test_whatever_comes_the_library_would_have_read_the_same(piece: bytes) -> None:
    read = message(piece)
    if read is not None:
        library = ServerProtocol(state=OPEN)
        library.receive_data(piece)
        (event,) = library.events_received()
        assert isinstance(event, Frame), library.close_exc
        assert event.fin
        assert event.data == (read.encode() if isinstance(read, str) else read)
        assert event.opcode is (Opcode.TEXT if isinstance(read, str) else Opcode.BINARY)
        assert not library.reader.buffer


@pytest.mark.parametrize("fmt", ["msgpack", "json"])
@pytest.mark.parametrize("most", [1, 7, 40, 1000], ids=lambda most: f"at most {most} bytes at a time")
async def test_messages_are_answered_in_order_however_they_come(fmt: Format, most: int) -> None:
    rng, wanted, stream = Random(most), [f"ask {number}" for number in range(24)], b""
    opcode = Opcode.TEXT if fmt == "json" else Opcode.BINARY
    for number, id_ in enumerate(wanted):
        text = encode(ListRooms(id_), fmt)
        data = text.encode() if isinstance(text, str) else text
        if number % 4 == 3:
            stream += frame(b"?", Opcode.PING)
        parts = [data[:7], data[7:]] if number % 5 == 4 else [data]
        stream += frame(parts[0], opcode, fin=len(parts) == 1)
        stream += b"".join(frame(part, Opcode.CONT) for part in parts[1:])
    async with gateway() as server, client(server, fmt) as one:
        while stream:
            size = rng.randint(1, most)
            one.socket.transport.write(stream[:size])
            stream = stream[size:]
            await asyncio.sleep(0)
        assert [(await one.take()).id for _ in wanted] == wanted


async def test_a_message_that_comes_alone_is_not_read_by_the_library() -> None:
    async with gateway() as server, client(server) as one:
        (connection,) = server._open
        by_library: list[bytes] = []
        connection._socket.data_received = by_library.append
        for number in range(5):
            await one.send(ListRooms(str(number)))
            assert isinstance(await one.take(), RoomList)
        assert not by_library


async def test_of_pieces_as_large_as_any_none_is_heard_at_once() -> None:
    """The loop would read on, and one connection would be heard again and again before all others."""
    async with gateway() as server, client(server, "json") as one:
        (connection,) = server._open
        came = asyncio.Event()
        connection._socket.hear = lambda message: came.set() is None
        asked = str(encode(ListRooms("1"), "json"))
        one.socket.transport.write(frame(asked.ljust(len(PIECE) - 8).encode(), Opcode.TEXT))
        assert (await one.take()).id == "1"
        assert not came.is_set()
        one.socket.transport.write(frame(asked.ljust(len(PIECE) - 9).encode(), Opcode.TEXT))
        await asyncio.wait_for(came.wait(), 10)


async def test_a_fault_while_a_message_is_heard_cuts_off_that_connection_alone() -> None:
    async with gateway() as server, client(server) as one, client(server) as other:
        connection = next(iter(server._open))

        def broken(frame: bytes | str) -> None:
            raise RuntimeError("a secret")

        connection.session.receive = broken
        await one.send(ListRooms("1"))
        assert await one.close_code() == 1006
        assert server.desk.hall.meters.faults == 1
        await other.send(ListRooms("2"))
        assert (await other.take()).id == "2"


async def test_a_connection_that_is_gone_hears_nothing_more() -> None:
    async with gateway() as server:
        async with client(server) as one:
            (connection,) = server._open
            socket, task = connection._socket, server._open[connection]
            assert socket.hear is not None
            one.socket.transport.abort()
            await asyncio.wait_for(task, 10)
        assert socket.hear is None


async def test_the_log_names_the_connection_of_a_message_that_is_heard_at_once() -> None:
    told = LogCapture()
    structlog.configure(processors=[structlog.contextvars.merge_contextvars, told])
    try:
        async with gateway() as server, client(server), client(server) as two:
            await two.send(ListRooms("1"))
            await two.take()
    finally:
        structlog.reset_defaults()
    assert [line["conn"] for line in told.entries if line["event"] == "session_opened"] == [1, 2]
