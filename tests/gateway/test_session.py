"""A session without a socket: frames in, frames and close codes out."""

from typing import Any

import msgpack
import pytest

from protocol.messages import (
    CreateRoom,
    Enter,
    Error,
    Hello,
    Host,
    ListRooms,
    Ok,
    RoomCreated,
    RoomOptions,
    Said,
    Say,
    Snapshot,
    TakeSeat,
    Welcome,
)
from protocol.wire import Format, Frame, decode_server, encode
from server.config import Config
from server.gateway.door import Door
from server.gateway.outbox import Close, Outbox, Stale
from server.gateway.session import Session
from server.rooms.desk import Desk
from server.rooms.hall import Hall
from tests.rooms.table import Clock, SmallRules, Stream


class Wire:
    """The other end of a session."""

    def __init__(self, fmt: Format = "msgpack", config: Config | None = None, desk: Desk | None = None) -> None:
        self.clock = Clock()
        self.fmt = fmt
        self.desk = desk or Desk(Hall(SmallRules(), Stream(), self.clock, 100))
        self.outbox = Outbox(1000, 1_000_000, lambda: None)
        config = config or Config()
        door = Door(config, self.clock)
        self.session = Session(self.desk, self.outbox, fmt, config, door, "192.0.2.1", clock=self.clock, now=self.clock)

    def send(self, *messages: Any) -> list[Any]:
        """Send messages, or raw frames; give what comes back, a close at the end."""
        for message in messages:
            frame: Frame = message if isinstance(message, bytes | str) else encode(message, self.fmt)
            self.session.receive(frame)
        return self.taken()

    def taken(self) -> list[Any]:
        taken: list[Any] = []
        while (item := self.outbox.next()) is not None:
            if isinstance(item, Close):
                return [*taken, item.code]
            assert isinstance(item, bytes | str)
            taken.append(decode_server(item, self.fmt))
        return taken

    def opened(self) -> "Wire":
        self.send(Hello(1))
        return self


@pytest.mark.parametrize("fmt", ["msgpack", "json"])
def test_hello_is_welcome(fmt: Format) -> None:
    wire = Wire(fmt)
    (welcome,) = wire.send(Hello(1, "test"))
    assert isinstance(welcome, Welcome)
    assert welcome.now == int(wire.clock.at * 1000)
    assert welcome.limits.frame_bytes == 65536


@pytest.mark.parametrize("fmt", ["msgpack", "json"])
def test_a_session_serves_rooms(fmt: Format) -> None:
    wire = Wire(fmt).opened()
    (made,) = wire.send(CreateRoom("1", 3))
    assert isinstance(made, RoomCreated)
    ok, snapshot = wire.send(Enter("2", made.room))
    assert isinstance(ok, Ok)
    assert isinstance(snapshot, Snapshot)


def test_X01_whatever_is_not_hello_comes_too_early() -> None:
    for message in (ListRooms("1"), CreateRoom("1", 3), Enter("1", "x")):
        wire = Wire()
        error, code = wire.send(message)
        assert (error.code, error.id, code) == ("forbidden", "1", 1008)
        assert wire.send(Hello(1)) == [1008]
        assert len(wire.desk.hall) == 0


@pytest.mark.parametrize("frame", [b"", b"\xc1", b"\xff" * 20, b"\x81\xa4type\xa5cheat"])
def test_S43_garbage_first_is_the_end(frame: bytes) -> None:
    error, code = Wire().send(frame)
    assert (error.code, code) == ("bad_message", 1008)


def test_S43_hello_has_ten_seconds() -> None:
    wire = Wire()
    wire.session.hello_is_due()
    assert wire.taken() == [1008]
    wire = Wire().opened()
    wire.session.hello_is_due()
    assert wire.taken() == []


def test_another_protocol_is_refused() -> None:
    error, code = Wire().send(Hello(2))
    assert (error.code, error.path, code) == ("unsupported_protocol", "protocol", 1002)


def test_hello_is_said_once() -> None:
    wire = Wire().opened()
    (error,) = wire.send(Hello(1))
    assert (error.code, error.path) == ("bad_message", "type")
    assert wire.send(ListRooms("1"))


def test_W01_the_wrong_kind_of_frame_closes_with_1003() -> None:
    error, code = Wire("msgpack").opened().send('{"type": "list_rooms", "id": "1"}')
    assert (error.code, code) == ("bad_message", 1003)
    error, code = Wire("json").opened().send(b"\x80")
    assert (error.code, code) == ("bad_message", 1003)


def test_a_frame_that_is_too_large_closes_with_1009() -> None:
    error, code = Wire().opened().send(b"\x80" * 65_537)
    assert (error.code, code) == ("too_large", 1009)


def test_a_malformed_frame_costs_an_error_and_nothing_else() -> None:
    wire = Wire().opened()
    frame = msgpack.packb({"type": "create_room", "id": "7", "players": True})
    (error,) = wire.send(frame)
    assert (error.code, error.id, error.path) == ("bad_message", "7", "players")
    assert wire.send(CreateRoom("7", 3))[0].room


def test_K13_nothing_of_a_malformed_frame_stays() -> None:
    wire = Wire().opened()
    assert [type(m) for m in wire.send(b"\x82\xa4type", ListRooms("1"), b"\xc1", ListRooms("2"))] == [
        Error,
        type(Wire().opened().send(ListRooms("1"))[0]),
        Error,
        type(Wire().opened().send(ListRooms("1"))[0]),
    ]


def test_W04_who_makes_no_sense_for_long_is_closed() -> None:
    wire = Wire().opened()
    came = wire.send(*[b"\xc1"] * 30)
    assert came[-1] == 1008
    assert len(came) == 22
    assert {error.code for error in came[:-1]} == {"bad_message"}


def test_a_mistake_now_and_then_is_forgiven() -> None:
    wire = Wire().opened()
    for _ in range(100):
        wire.clock.at += 10
        (error,) = wire.send(b"\xc1")
        assert error.code == "bad_message"


def test_S91_a_flood_is_told_then_closed() -> None:
    wire = Wire(config=Config(rate=1, burst=5)).opened()
    came = wire.send(*[ListRooms(str(number)) for number in range(30)])
    assert [type(message).__name__ for message in came[:4]] == ["RoomList"] * 4
    limited = came[4:-1]
    assert {(error.code, error.id) for error in limited} == {("rate_limited", str(4 + n)) for n in range(6)}
    assert came[-1] == 1008


def test_S91_whoever_waits_is_served_again() -> None:
    wire = Wire(config=Config(rate=1, burst=5)).opened()
    assert wire.send(*[ListRooms(str(number)) for number in range(5)])[-1].code == "rate_limited"
    wire.clock.at += 2
    assert wire.send(ListRooms("9"))[0].id == "9"


def test_S91_a_flood_of_garbage_is_a_flood() -> None:
    wire = Wire(config=Config(rate=1, burst=5)).opened()
    came = wire.send(*[b"\xc1"] * 30)
    assert [error.code for error in came[:-1]] == ["bad_message"] * 4 + ["rate_limited"] * 6
    assert came[-1] == 1008


def test_a_closing_session_takes_nothing_more() -> None:
    wire = Wire().opened()
    wire.session.going_away(700)
    assert wire.send(CreateRoom("1", 3))[-1] == 1012
    assert len(wire.desk.hall) == 0


def test_going_away_is_said_first() -> None:
    wire = Wire().opened()
    wire.session.going_away(700)
    message, code = wire.taken()
    assert (message.retry_after, code) == (700, 1012)


def test_a_lost_session_is_gone_from_its_rooms() -> None:
    wire = Wire().opened()
    room = wire.send(CreateRoom("1", 3))[0].room
    wire.send(Enter("2", room))
    assert wire.desk.hall.find(room).audience
    wire.session.lost()
    assert not wire.desk.hall.find(room).audience


def test_a_slow_reader_loses_updates_and_no_talk() -> None:
    watcher = Wire().opened()
    watcher.outbox = watcher.session.outbox = Outbox(10, 1_000_000, lambda: None)
    host = Wire(desk=watcher.desk).opened()
    (made,) = host.send(CreateRoom("1", 3, RoomOptions(autostart=False)))
    watcher.send(Enter("2", made.room))
    (seated,) = host.send(TakeSeat("3", made.room, "Arya", invite=made.invites["stark"]))
    host.send(Enter("4", made.room, token=seated.token))
    watcher.taken()
    for n in range(4):
        host.send(Say(f"s{n}", made.room, "all", f"words {n}"))
        for house in ("lannister", "baratheon"):
            host.send(Host(f"{house} {n}", made.room, made.host, "kick", house=house))
    came = []
    while (item := watcher.outbox.next()) is not None:
        if isinstance(item, Stale):
            watcher.session.refresh(item.room)
        else:
            came.append(decode_server(item, watcher.fmt))
    assert [message.text for message in came if isinstance(message, Said)] == [f"words {n}" for n in range(4)]
    (snapshot,) = (message for message in came if isinstance(message, Snapshot))
    assert snapshot.view == watcher.desk.hall.find(made.room).document()


def test_a_room_that_lost_letters_is_sent_whole() -> None:
    wire = Wire().opened()
    room = wire.send(CreateRoom("1", 3))[0].room
    wire.send(Enter("2", room))
    wire.session.refresh(room)
    (snapshot,) = wire.taken()
    assert isinstance(snapshot, Snapshot)
    wire.session.refresh("elsewhere")
    assert wire.taken() == []
