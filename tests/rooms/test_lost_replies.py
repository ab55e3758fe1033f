"""Replies that were lost with the connection or with the process (S50, S55): the same request gets the same again."""

import pytest

from protocol.legal import default
from protocol.messages import AnswerPrompt, CreateRoom, Enter, Host, Ok, Say, Seated, TakeSeat
from server.game.refused import Refused
from server.rooms import image
from server.rooms.archive import Found
from server.rooms.entries import pack_birth
from server.rooms.seats import MOST_TOKENS
from tests.rooms.ledger import Ledger
from tests.rooms.table import Player, Table
from tests.rooms.test_recovery import Node

ID = "d0c1b2a3948576f0"
"""Long enough that nobody guesses it."""


def take(table: Table, seat: str = "stark", id: str = ID, **fields: str) -> TakeSeat:
    return TakeSeat(id, table.room, fields.pop("name", "Arya"), **(fields or {"invite": table.made.invites[seat]}))


@pytest.mark.parametrize("by", ["invite", "house"])
def test_whoever_lost_the_reply_with_its_token_gets_another_and_nobody_else_notices(by: str) -> None:
    table = Table()
    watcher = Player()
    table.enter(watcher)
    message = take(table, **({} if by == "invite" else {"house": "stark"}))
    lost = table.ask(Player(), message)
    watcher.heard()
    again = table.ask(Player(), message)
    assert isinstance(again, Seated)
    assert again.token != lost.token
    assert watcher.heard() == []
    for token in (again.token, lost.token):
        player = Player()
        assert isinstance(table.ask(player, Enter("enter", table.room, token=token)), Ok)
        assert player.views[table.room]["you"]["house"] == "stark"


def test_the_last_seat_too_though_the_game_has_started() -> None:
    table = Table()
    table.seat("stark"), table.seat("lannister")
    table.ask(Player(), take(table, "baratheon"))
    again = table.ask(Player(), take(table, "baratheon"))
    table.tokens["baratheon"] = again.token
    player = Player()
    table.enter(player, "baratheon")
    assert isinstance(table.bid(player, 2), Ok)


def test_once_somebody_came_with_the_token_the_seat_is_taken() -> None:
    table = Table()
    seated = table.ask(Player(), take(table))
    table.ask(Player(), Enter("e", table.room, token=seated.token))
    assert table.ask(Player(), take(table)).code == "seat_taken"
    assert isinstance(table.ask(Player(), Enter("e", table.room, token=seated.token)), Ok)


@pytest.mark.parametrize(
    "other",
    [{"id": "e0c1b2a3948576f0"}, {"name": "Jon"}, {"house": "stark"}],
)
def test_another_request_gets_nothing(other: dict[str, str]) -> None:
    table = Table()
    table.ask(Player(), take(table))
    assert table.ask(Player(), take(table, **other)).code == "seat_taken"


def test_an_id_that_can_be_guessed_gets_nothing() -> None:
    table = Table()
    table.ask(Player(), take(table, id="1"))
    assert table.ask(Player(), take(table, id="1")).code == "seat_taken"


def test_after_a_restart_too() -> None:
    node = Node(Ledger())
    invite = node.ask(node.host, Host("k", node.room, node.made.host, "kick", house="stark")).invite
    message = TakeSeat(ID, node.room, "Arya", invite=invite)
    lost = node.ask(Player(), message)
    assert isinstance(lost, Seated)
    node.kill()
    again = node.ask(Player(), message)
    assert isinstance(again, Seated)
    node.tokens["stark"] = again.token
    player = node.back("stark")
    assert isinstance(node.ask(Player(), Enter("x", node.room, token=lost.token)), Ok)
    prompt = node.machine.play.prompt("stark")
    assert isinstance(node.ask(player, AnswerPrompt("a", node.room, prompt.id, default(prompt))), Ok)
    node.kill()
    assert node.ask(Player(), message).code == "seat_taken"


@pytest.mark.parametrize("first", [True, False])
def test_a_request_that_arrives_twice_takes_no_token_away_whichever_reply_comes_first(first: bool) -> None:
    node = Node(Ledger())
    made = node.ask(node.host, CreateRoom("another", 3))
    message = TakeSeat(ID, made.room, "Arya", invite=made.invites["stark"])
    tokens = [node.ask(Player(), message).token for _ in range(2)]
    late = node.ask(Player(), message)
    assert isinstance(late, Seated)
    token = tokens[0] if first else tokens[1]
    assert isinstance(node.ask(Player(), Enter("e", made.room, token=token)), Ok)
    assert node.ask(Player(), message).code == "seat_taken"
    node.kill()
    for known in (*tokens, late.token):
        assert isinstance(node.ask(Player(), Enter("e", made.room, token=known)), Ok)


def test_of_many_tokens_of_a_seat_the_last_are_good_and_none_after_a_kick_also_from_an_image() -> None:
    table = Table()
    message = take(table)
    tokens = [table.ask(Player(), message).token for _ in range(MOST_TOKENS + 1)]
    room = table.machine
    again = image.bring_back(
        room.id, room.rules, Found(epoch=1, birth=pack_birth(room.birth), image=image.take(room), entries=[], spoken=[])
    )
    for seats in (room.seats, again.seats):
        with pytest.raises(Refused):
            seats.owned(tokens[0])
        assert {seats.owned(token).house for token in tokens[1:]} == {"stark"}
    assert isinstance(table.ask(table.host, Host("k", table.room, table.made.host, "kick", house="stark")), Ok)
    for token in tokens:
        assert table.ask(Player(), Enter("e", table.room, token=token)).code == "bad_token"


def test_the_invite_of_a_kick_is_the_same_again_after_a_restart_and_nowhere_in_the_archive() -> None:
    node = Node(Ledger())
    kick = Host("k", node.room, node.made.host, "kick", house="stark")
    first = node.ask(node.host, kick)
    assert isinstance(first, Ok)
    assert first.invite.encode() not in image.take(node.machine)
    assert not any(first.invite.encode() in entry for entry in node.ledger.entries[node.room])
    node.kill()
    assert node.ask(node.host, kick) == first
    assert isinstance(node.ask(Player(), TakeSeat(ID, node.room, "Jon", invite=first.invite)), Seated)


def test_an_empty_seat_gets_another_invite_and_the_old_one_is_void() -> None:
    table = Table(private=True)
    watcher = Player()
    table.enter(watcher)
    watcher.heard()
    ok = table.ask(table.host, Host("k", table.room, table.made.host, "kick", house="stark"))
    assert watcher.only().events == [{"type": "invite_renewed", "house": "stark"}]
    assert table.ask(Player(), take(table)).code == "bad_token"
    assert isinstance(table.ask(Player(), TakeSeat(ID, table.room, "Arya", invite=ok.invite)), Seated)


def test_words_are_said_once_though_the_server_was_killed_before_its_reply() -> None:
    node = Node(Ledger())
    say = Say("s", node.room, "all", "winter is coming")
    first = node.ask(node.players["stark"], say)
    node.kill()
    for house in ("stark", "lannister"):
        node.back(house)
    node.players["lannister"].heard()
    assert node.ask(node.players["stark"], say) == first
    assert node.players["lannister"].heard() == []
    other = Say("s", node.room, "all", "other words")
    assert node.ask(node.players["stark"], other).code == "id_conflict"


def test_whoever_gets_the_seat_has_its_ids_for_itself() -> None:
    node = Node(Ledger())
    node.ask(node.players["stark"], Say("s", node.room, "all", "mine"))
    invite = node.ask(node.host, Host("k", node.room, node.made.host, "kick", house="stark")).invite
    seated = node.ask(Player(), TakeSeat(ID, node.room, "Jon", invite=invite))
    node.kill()
    jon = Player()
    assert isinstance(node.ask(jon, Enter("e", node.room, token=seated.token)), Ok)
    assert isinstance(node.ask(jon, Say("s", node.room, "all", "my own")), Ok)


@pytest.mark.parametrize("id", ["short", ID])
def test_a_seat_that_could_not_be_written_is_not_given_when_it_is_asked_for_again(id: str) -> None:
    node = Node(Ledger())
    made = node.ask(node.host, CreateRoom("another", 3))
    player, message = Player(), TakeSeat(id, made.room, "Arya", invite=made.invites["stark"])
    node.ledger.broken = True
    assert node.ask(player, message).code == "unavailable"
    node.ledger.broken = False
    seated = node.ask(player, message)
    assert isinstance(seated, Seated), "it is done now, and was not done before"
    assert isinstance(node.ask(player, Enter("enter", made.room, token=seated.token)), Ok)
