"""What a client gets of a room that moves: nothing twice, nothing before what was lost, and what it asked is asked again."""

import pytest
from msgspec import UNSET

from protocol.messages import AnswerPrompt, Enter, Error, Ok, Presence, Said, Snapshot, Update
from protocol.wire import decode_server, encode
from server.cluster.place import Place

ROOM = "room"


class Client:
    """Takes whatever comes."""

    format = "msgpack"

    def __init__(self) -> None:
        self.heard: list = []

    def reply(self, frame) -> None:
        self.heard.append(decode_server(frame, "msgpack"))

    def post(self, room: str, frame, fresh: bool) -> None:
        self.reply(frame)


class Seen:
    """A place with a client behind it, and how often somebody was called to see to it."""

    def __init__(self, *, inside: bool = True) -> None:
        self.client = Client()
        self.calls = 0
        self.place = Place(self.client, ROOM, 1, self._see_to)
        if inside:
            self.place.asked.append(Enter("enter", ROOM, token="t" * 43))
            self.reply(Ok("enter", room=ROOM, seq=7))
            self.post(Snapshot(ROOM, 7, {}), fresh=True)

    def _see_to(self, place: Place) -> None:
        self.calls += 1

    def reply(self, message) -> None:
        self.place.reply(encode(message, "msgpack"))

    def post(self, message, *, fresh: bool = False) -> None:
        self.place.post(ROOM, encode(message, "msgpack"), fresh)

    def back(self) -> None:
        """It enters again, and the room says yes."""
        again = self.place.enter_again()
        self.reply(Ok(again.id, room=ROOM, seq=9))

    @property
    def got(self) -> list[object]:
        return [getattr(message, "seq", None) or getattr(message, "at", None) for message in self.client.heard]


def update(seq: int) -> Update:
    return Update(ROOM, seq, {}, [])


def said(at: int) -> Said:
    return Said(ROOM, "stark", "all", "hello", at)


def test_what_comes_twice_is_given_on_once():
    seen = Seen()
    for message in (update(8), update(8), update(9)):
        seen.post(message)
    for talk in (said(100), said(100), said(101)):
        seen.reply(talk)
    assert seen.got == [7, 7, 8, 9, 100, 101]


def test_an_update_with_one_missing_before_it_has_the_client_enter_again():
    seen = Seen()
    before = seen.calls
    seen.post(update(9))
    assert seen.place.stale and seen.calls == before + 1
    assert seen.place.enter_again().since == 7
    assert seen.got == [7, 7]


@pytest.mark.parametrize("missed", [[], [update(8)]])
def test_who_lost_letters_while_it_was_on_its_way_back_gets_a_snapshot_and_no_update_before(missed):
    seen = Seen()
    seen.place.lost()
    again = seen.place.enter_again()
    seen.place.needs_all()  # its connection has thrown away what waited, and takes nothing but a snapshot now
    assert seen.place.back.is_set(), "nobody waits for the reply"
    seen.reply(Ok(again.id, room=ROOM, seq=8))
    for message in missed:
        seen.post(message)
    assert seen.place.stale, "whatever was missed, it is not there yet"
    again = seen.place.enter_again()
    assert again.since is UNSET
    seen.reply(Ok(again.id, room=ROOM, seq=8))
    seen.post(Snapshot(ROOM, 8, {}), fresh=True)
    assert not seen.place.stale
    assert seen.got == [7, 7, 8]


def test_an_update_before_the_first_snapshot_is_of_no_use():
    seen = Seen()
    seen.place.seq = None
    before = seen.calls
    seen.post(update(8))
    assert seen.place.stale and seen.calls == before + 1
    assert seen.got == [7, 7]


def test_nothing_is_taken_between_a_loss_and_the_way_back():
    seen = Seen()
    seen.reply(said(100))
    seen.place.lost()  # with it what was said at 101
    seen.reply(said(102))
    seen.post(update(8))
    again = seen.place.enter_again()
    assert (again.since, again.heard, again.token) == (7, 100, "t" * 43)
    seen.reply(said(103))
    seen.reply(Ok(again.id, room=ROOM, seq=8))
    seen.post(update(8))
    for at in (101, 102, 103):
        seen.reply(said(at))
    assert seen.got == [7, 7, 100, 8, 101, 102, 103]


def test_what_has_no_reply_is_asked_again_in_order_and_answered_once():
    seen = Seen()
    first, second = (AnswerPrompt(id, ROOM, 1, {"type": "bid", "power": 1}) for id in "ab")
    seen.place.asked += [first, second]
    seen.place.lost()
    assert list(seen.place.queue) == [first, second] and not seen.place.asked
    seen.reply(Ok("a", room=ROOM, seq=8))  # of before: it is asked again already
    seen.back()
    seen.place.asked.append(seen.place.queue.popleft())
    seen.reply(Ok("a", room=ROOM, seq=8))
    seen.reply(Ok("a", room=ROOM, seq=8))
    assert [message.id for message in seen.client.heard if isinstance(message, Ok)] == ["enter", "a"]


def test_the_way_back_is_tried_again_when_it_is_closed_for_a_while():
    seen = Seen()
    seen.place.lost()
    seen.reply(Error("unavailable", "no", id=seen.place.enter_again().id))
    assert seen.place.stale and seen.place.back.is_set()
    seen.back()
    assert not seen.place.stale
    assert all(message.seq == 7 for message in seen.client.heard)


def test_whose_seat_is_anothers_now_comes_back_to_watch():
    seen = Seen()
    seen.place.lost()
    seen.reply(Error("bad_token", "no", id=seen.place.enter_again().id))
    assert seen.place.stale
    assert seen.place.enter_again().token is UNSET


def test_of_a_room_that_is_no_more_nothing_comes_and_nothing_is_expected():
    seen = Seen()
    seen.place.lost()
    seen.reply(Error("not_found", "no", id=seen.place.enter_again().id))
    assert not seen.place.stale and seen.place.entered is None
    seen.post(update(8))
    assert seen.got == [7, 7]


def test_who_has_not_entered_gets_replies_alone():
    seen = Seen(inside=False)
    seen.post(update(8))
    seen.post(Presence(ROOM, []))
    seen.reply(said(100))
    assert seen.got == []
