"""The limits of an address and of everybody, with time turned by hand."""

from http import HTTPStatus

from server.config import Config
from server.gateway.door import Door
from tests.rooms.table import Clock

TOO_MANY = HTTPStatus.TOO_MANY_REQUESTS


def test_handshakes_of_an_address_are_paced_and_told_when_to_come_back() -> None:
    clock = Clock()
    door = Door(Config(address_handshake_rate=0.25, address_handshake_burst=3), clock)
    assert [door.knock("a") for _ in range(3)] == [None] * 3
    turned_down = door.knock("a")
    assert turned_down is not None
    assert (turned_down.status, turned_down.retry_after) == (TOO_MANY, 4)
    assert "your address" in turned_down.why
    assert door.knock("b") is None
    clock.at += 4
    assert door.knock("a") is None


def test_an_address_that_is_refused_takes_nothing_from_the_others() -> None:
    door = Door(Config(address_handshake_burst=2, handshake_burst=4), Clock())
    for _ in range(100):
        door.knock("a")
    assert door.knock("b") is None
    assert door.knock("c") is None
    turned_down = door.knock("d")
    assert turned_down is not None
    assert (turned_down.status, turned_down.retry_after) == (TOO_MANY, 1)
    assert "at the moment" in turned_down.why


def test_connections_of_an_address_are_bounded() -> None:
    door = Door(Config(address_connections=2), Clock())
    door.enter("a")
    door.enter("a")
    turned_down = door.knock("a")
    assert turned_down is not None
    assert turned_down.status == TOO_MANY
    assert door.knock("b") is None
    door.leave("a")
    assert door.knock("a") is None


def test_connections_of_all_are_bounded() -> None:
    door = Door(Config(max_connections=2), Clock())
    door.enter("a")
    door.enter("b")
    turned_down = door.knock("c")
    assert turned_down is not None
    assert turned_down.status == HTTPStatus.SERVICE_UNAVAILABLE
    door.leave("a")
    assert door.knock("c") is None


def test_sockets_of_a_peer_are_bounded_before_any_handshake() -> None:
    door = Door(Config(address_connections=2), Clock())
    assert [door.touch("a") for _ in range(5)] == [True] * 4 + [False]
    assert door.touch("b")
    for _ in range(5):
        door.let_go("a")
    assert door.touch("a")


def test_messages_and_rooms_of_an_address() -> None:
    clock = Clock()
    door = Door(Config(address_rate=10, address_burst=2, address_rooms=60), clock)
    assert [door.may_send("a") for _ in range(3)] == [True, True, False]
    assert door.may_send("b")
    clock.at += 0.2
    assert door.may_send("a")
    assert [door.may_make_room("a") for _ in range(61)] == [True] * 60 + [False]
    clock.at += 60
    assert [door.may_make_room("a") for _ in range(2)] == [True, False]


def test_a_crowd_of_addresses_leaves_nothing_behind() -> None:
    clock = Clock()
    door = Door(Config(handshake_burst=10**9), clock)
    for number in range(10_000):
        address = str(number)
        assert door.touch(address)
        assert door.knock(address) is None
        door.enter(address)
        assert door.may_send(address)
        assert door.may_make_room(address)
        door.leave(address)
        door.let_go(address)
    clock.at += 3600
    for _ in range(10_000):
        clock.at += 60
        door.knock("a")
        door.may_send("a")
        door.may_make_room("a")
    assert not door._sockets
    assert not door._inside
    assert len(door._handshakes) + len(door._messages) + len(door._rooms) <= 3


def test_who_misbehaves_may_come_back_more_slowly() -> None:
    clock = Clock()
    door = Door(Config(address_handshake_rate=5, address_handshake_burst=20), clock)
    for _ in range(100):
        door.blame("a")
    turned_down = door.knock("a")
    assert turned_down is not None
    assert turned_down.retry_after == 5
    assert door.knock("b") is None
    clock.at += 5
    assert door.knock("a") is None
