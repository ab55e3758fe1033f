"""Replies that were lost with the connection or with the process (S50, S55): the same request gets the same again."""

import pytest

from protocol.legal import default
from protocol.messages import AnswerPrompt, CreateRoom, Enter, Host, Ok, Say, Seated, TakeSeat
from server.rooms import image
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
    assert table.ask(Player(), Enter("old", table.room, token=lost.token)).code == "bad_token"
    player = Player()
    assert isinstance(table.ask(player, Enter("new", table.room, token=again.token)), Ok)
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
    assert node.ask(Player(), Enter("x", node.room, token=lost.token)).code == "bad_token"
    node.tokens["stark"] = again.token
    player = node.back("stark")
    prompt = node.machine.play.prompt("stark")
    assert isinstance(node.ask(player, AnswerPrompt("a", node.room, prompt.id, default(prompt))), Ok)
    node.kill()
    assert node.ask(Player(), message).code == "seat_taken"


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
