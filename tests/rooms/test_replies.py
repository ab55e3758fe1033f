"""Requests that come twice are applied once."""

import pytest

from protocol.answers import Bid, Choose
from protocol.messages import AnswerPrompt, CreateRoom, Error, Host, Ok, RoomOptions, Say, TakeSeat
from protocol.wire import decode_client, encode
from server.rooms.replies import KEPT, fingerprint
from tests.rooms.table import Player, Table


def test_S50_a_request_sent_again_is_applied_once_and_answered_the_same() -> None:
    table = Table()
    stark, lannister, baratheon = table.full()
    request = AnswerPrompt("a", table.room, 10, Bid(3))
    first = table.ask(stark, request)
    assert isinstance(first, Ok)
    table.bid(lannister, 1)
    for player in (stark, lannister, baratheon):
        player.heard()
    assert table.ask(stark, request) == first
    assert stark.heard() == lannister.heard() == []
    table.bid(baratheon, 1)
    assert table.machine.document()["shown"]["stark"] == 3
    assert table.ask(stark, request) == first
    assert table.machine.you("stark")["prompt"]["id"] == 20


def test_S50_also_after_a_reconnect() -> None:
    table = Table()
    stark, *_ = table.full()
    request = AnswerPrompt("a", table.room, 10, Bid(3))
    first = table.ask(stark, request)
    table.desk.gone(stark)
    again = Player("json")
    table.enter(again, "stark")
    again.heard()
    assert table.ask(again, request) == first
    assert again.heard() == []


def test_S50_the_same_id_with_another_body_is_a_conflict() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.ask(stark, AnswerPrompt("a", table.room, 10, Bid(3)))
    for other in (AnswerPrompt("a", table.room, 10, Bid(4)), Say("a", table.room, "all", "hello")):
        error = table.ask(stark, other)
        assert (error.code, error.path, error.id) == ("id_conflict", "id", "a")
    assert table.machine.you("stark")["bid"] == 3
    assert isinstance(table.ask(lannister, AnswerPrompt("a", table.room, 11, Bid(4))), Ok)


def test_a_refusal_is_a_reply_like_any_other() -> None:
    table = Table()
    stark, *_ = table.full()
    request = AnswerPrompt("a", table.room, 10, Choose("fly"))
    first = table.ask(stark, request)
    assert first.code == "illegal"
    table.bid(stark, 1)
    assert table.ask(stark, request) == first


def test_a_fault_is_not_remembered() -> None:
    table = Table()
    for house in ("stark", "lannister"):
        table.seat(house)
    table.rules.broken = True
    request = TakeSeat("a", table.room, "Bob", house="baratheon")
    player = Player()
    assert table.ask(player, request).code == "internal"
    table.rules.broken = False
    assert table.ask(player, request).house == "baratheon"


def test_making_a_room_twice_makes_one() -> None:
    table = Table()
    player = Player()
    made = table.ask(player, CreateRoom("a", 3))
    assert table.ask(player, CreateRoom("a", 3)) == made
    assert len(table.desk.hall) == 2
    assert table.ask(player, CreateRoom("a", 4)).code == "id_conflict"
    assert table.ask(Player(), CreateRoom("a", 3)) != made


def test_X04_taking_a_seat_twice_takes_one() -> None:
    table = Table()
    player = Player()
    request = TakeSeat("a", table.room, "Bob", house="stark")
    seated = table.ask(player, request)
    assert table.ask(player, request) == seated
    assert table.machine.seats.free == ["lannister", "baratheon"]


def test_the_host_is_remembered_across_connections() -> None:
    table = Table()
    request = Host("a", table.room, table.made.host, "close")
    first = table.ask(Player(), request)
    assert isinstance(first, Ok)
    assert table.ask(Player(), request) == first


def test_only_the_last_requests_are_remembered() -> None:
    table = Table()
    stark, *_ = table.full()
    first = table.ask(stark, Say("first", table.room, "all", "1"))
    for number in range(KEPT):
        stark.heard()
        table.ask(stark, Say(str(number), table.room, "all", "1"))
    stark.heard()
    assert isinstance(table.ask(stark, Say("0", table.room, "all", "other")), Error)
    stark.heard()
    assert table.ask(stark, Say("first", table.room, "all", "other")) == first
    assert stark.kinds() == ["Said"]
    assert len(table.machine.seats["stark"].replies.first) == KEPT


@pytest.mark.parametrize("fmt", ["msgpack", "json"])
def test_the_fingerprint_is_that_of_the_content(fmt: str) -> None:
    one = CreateRoom("a", 3, RoomOptions(tides=False))
    assert fingerprint(one) == fingerprint(decode_client(encode(one, fmt), fmt))
    jumbled = '{"players": 3, "options": {}, "id": "a", "type": "create_room"}'
    assert fingerprint(one) == fingerprint(decode_client(jumbled, "json"))
    assert fingerprint(one) != fingerprint(CreateRoom("a", 3, RoomOptions(tides=True)))
