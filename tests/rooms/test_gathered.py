"""Answers that come together are taken in their order and shown as one change; nothing else is different."""

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.legal import default, draw
from protocol.messages import (
    AnswerPrompt,
    ClockOptions,
    CreateRoom,
    Enter,
    Error,
    Leave,
    Ok,
    Private,
    Replay,
    Retract,
    RoomOptions,
    Said,
    Say,
    Snapshot,
    TakeSeat,
    Update,
)
from server.rooms.base_game import BaseGame
from server.rooms.catch_up import recover
from server.rooms.entries import unpack
from tests.rooms.ledger import Ledger, at_once, desk
from tests.rooms.table import Clock, Player, Stream

HOUSES = ("stark", "lannister", "baratheon")


class Node:
    """Three seats over a ledger, on a node that takes together what comes in one turn; the test says when that ends."""

    def __init__(self, *, gathers: bool = True, clock: ClockOptions | None = None) -> None:
        self.ledger, self.now, self.gathers, self.turns = Ledger(), Clock(), gathers, list[Any]()
        self.stream = Stream()
        self.start()
        host = Player()
        self.desk.handle(host, CreateRoom("make", 3, RoomOptions(clock=clock) if clock else RoomOptions()))
        made = host.ready.pop()
        self.room, self.players, self.tokens = made.room, dict[str, Player](), dict[str, str]()
        for house in HOUSES:
            player = self.players[house] = Player()
            self.desk.handle(player, TakeSeat(house, self.room, house.title(), invite=made.invites[house]))
            self.tokens[house] = player.ready.pop().token
            self.desk.handle(player, Enter("enter", self.room, token=self.tokens[house]))
        self.heard()

    def start(self) -> None:
        """A process on what the ledger holds."""
        self.turns.clear()
        soon = self.turns.append if self.gathers else None
        self.desk = desk(self.ledger, BaseGame(), self.stream, self.now, soon=soon)

    def come_back(self) -> None:
        """All seats enter again."""
        for house in HOUSES:
            self.send(house, Enter("back", self.room, token=self.tokens[house]))
        self.heard()

    @property
    def machine(self):
        living = self.desk.hall.living(self.room)
        assert living
        return living.room

    def send(self, house: str, message) -> None:
        self.desk.handle(self.players[house], message)

    def answer(self, house: str, id: str, answer=None) -> AnswerPrompt:
        """The answer to the open prompt of a house, the default if none is given."""
        prompt = self.machine.play.prompt(house)
        return AnswerPrompt(id, self.room, prompt.id, answer or default(prompt))

    def turn(self) -> None:
        """The next turn of the event loop."""
        due, self.turns[:] = list(self.turns), []
        for work in due:
            work()

    def heard(self) -> dict[str, list]:
        return {house: player.heard() for house, player in self.players.items()}

    def seen(self) -> dict:
        """All that anybody sees, and the game."""
        room = self.machine
        seats = {house: room.you(house) for house in HOUSES}
        return {"seq": room.seq, "document": room.document(), "seats": seats, "game": room.play.hash()}


def test_orders_of_all_seats_are_one_change_with_the_reply_of_each() -> None:
    node = Node()
    seq = node.machine.seq
    for house in HOUSES:
        node.send(house, node.answer(house, house))
    assert node.heard() == {house: [] for house in HOUSES}
    node.turn()
    for house, (ok, update) in node.heard().items():
        assert ok == Ok(house, room=node.room, seq=seq + 1)
        assert isinstance(update, Update)
        assert [event["type"] for event in update.events][:1] == ["orders_revealed"]
    joined = [unpack(body)[0].joined for body in node.ledger.entries[node.room][-3:]]
    assert joined == [True, True, False]


def test_what_is_refused_is_refused_to_its_seat_alone() -> None:
    node = Node()
    wrong = AnswerPrompt("wrong", node.room, 999, node.answer("stark", "s").answer)
    for house, message in [("stark", wrong), *((h, node.answer(h, h)) for h in ("lannister", "baratheon"))]:
        node.send(house, message)
    node.turn()
    heard = node.heard()
    assert [type(message) for message in heard["stark"]] == [Error, Update]
    assert heard["stark"][0].code == "not_your_prompt"
    assert [type(message) for message in heard["lannister"]] == [Ok, Update]


def test_a_seat_that_answers_twice_in_a_turn_is_served_twice() -> None:
    node = Node()
    first, again = node.answer("stark", "one"), node.answer("stark", "one")
    for house, message in [("stark", first), ("lannister", node.answer("lannister", "l")), ("stark", again)]:
        node.send(house, message)
    node.turn()
    heard = node.heard()
    ok, update, same = heard["stark"]
    assert (ok, type(update)) == (same, Update)
    assert len(node.ledger.entries[node.room]) == 3 + 2


def test_two_secret_answers_of_one_seat_leave_no_trace_with_the_others() -> None:
    node = Node()
    node.send("stark", node.answer("stark", "first"))
    node.turn()
    node.heard()
    node.send("stark", node.answer("stark", "second", draw(node.machine.play.prompt("stark"), Random(1))))
    node.turn()
    heard = node.heard()
    assert [type(message) for message in heard["stark"]] == [Ok, Private]
    assert heard["lannister"] == heard["baratheon"] == []


def test_while_a_page_is_written_answers_wait_and_are_then_one_change() -> None:
    node = Node()
    node.ledger.slow = True
    node.send("stark", node.answer("stark", "s"))
    node.turn()
    for house in ("lannister", "baratheon"):
        node.send(house, node.answer(house, house))
        node.turn()
    assert node.heard() == {house: [] for house in HOUSES}
    node.ledger.settle()
    node.turn()
    node.ledger.settle()
    heard = node.heard()
    assert [type(message) for message in heard["stark"]] == [Ok, Update, Update]
    assert [type(message) for message in heard["baratheon"]] == [Update, Ok, Update]


@pytest.mark.parametrize("slow", [False, True])
def test_whoever_sends_a_hundred_answers_at_once_is_served_over_some_turns_in_order(slow: bool) -> None:
    node = Node()
    node.ledger.slow = slow
    for n in range(100):
        node.send("stark", node.answer("stark", f"s{n}"))
    turns, oks = 0, []
    while len(oks) < 100:
        turns += 1
        node.turn()
        node.ledger.settle()
        new = [message.id for message in node.heard()["stark"] if isinstance(message, Ok)]
        oks += new
        assert slow or 0 < len(new) <= 12
        assert turns < 20
    assert oks == [f"s{n}" for n in range(100)]


OTHERS = [
    lambda node: Say("say", node.room, "all", "now"),
    lambda node: Enter("again", node.room, token=node.tokens["lannister"]),
    lambda node: Leave("leave", node.room),
    lambda node: Retract("retract", node.room, node.machine.play.prompt("lannister").id),
    lambda node: Replay("replay", node.room),
]


@pytest.mark.parametrize("other", OTHERS)
def test_whatever_else_comes_has_them_taken_first(other) -> None:
    node = Node()
    node.send("stark", node.answer("stark", "s"))
    node.send("lannister", other(node))
    heard = node.heard()["stark"]
    assert [type(message) for message in heard[:2]] == [Ok, Update]


@pytest.mark.parametrize("slow", [False, True])
def test_the_answer_of_who_is_gone_at_once_counts(slow: bool) -> None:
    node = Node()
    node.ledger.slow = slow
    if slow:
        node.send("lannister", node.answer("lannister", "l"))
        node.turn()
    node.send("stark", node.answer("stark", "s"))
    node.desk.gone(node.players["stark"])
    node.turn()
    node.ledger.settle()
    assert "stark" not in node.machine.play.waiting


def test_an_answer_that_came_before_the_deadline_counts_though_both_are_seen_to_in_one_turn() -> None:
    node = Node(clock=ClockOptions("live", bank=60, increment=5))
    node.now.at += 59
    node.send("stark", node.answer("stark", "s"))
    node.now.at += 20
    node.desk.tick()
    node.turn()
    ok = node.heard()["stark"][0]
    assert isinstance(ok, Ok)
    assert not node.machine.clock.hands["stark"].autopilot


def test_what_waits_for_a_room_that_is_lost_is_refused_and_may_be_asked_again() -> None:
    node = Node()
    node.ledger.slow = True
    node.send("stark", node.answer("stark", "s"))
    node.turn()
    answers = {house: node.answer(house, house) for house in ("lannister", "baratheon")}
    for house, message in answers.items():
        node.send(house, message)
    node.ledger.broken = True
    node.ledger.settle()
    heard = node.heard()
    assert {house: messages[0].code for house, messages in heard.items()} == dict.fromkeys(HOUSES, "unavailable")
    node.ledger.broken, node.ledger.slow = False, False
    node.come_back()
    for house, message in answers.items():
        node.send(house, message)
    node.turn()
    assert set(node.machine.play.waiting) == {"stark"}


def test_a_fault_while_answers_are_shown_together_is_told_and_the_room_is_as_it_was(monkeypatch) -> None:
    node = Node()
    before = node.seen()
    answers = {house: node.answer(house, house) for house in HOUSES}
    for house, message in answers.items():
        node.send(house, message)
    with monkeypatch.context() as patched:
        patched.setattr(node.machine, "publish", lambda events: 1 // 0)
        node.turn()
    for messages in node.heard().values():
        error, snapshot = messages
        assert error.code == "internal"
        assert "ZeroDivision" not in str(error)
        assert isinstance(snapshot, Snapshot)
    assert node.seen() == before
    for house, message in answers.items():
        node.send(house, message)
    node.turn()
    assert {type(messages[0]) for messages in node.heard().values()} == {Ok}
    assert node.machine.play.waiting != list(HOUSES)


def test_where_nothing_is_kept_the_room_survives_such_a_fault_and_tells_later(monkeypatch) -> None:
    node = Node()
    node.ledger.keeps = False
    for house in HOUSES[:2]:
        node.send(house, node.answer(house, house))
    with monkeypatch.context() as patched:
        patched.setattr(node.machine, "publish", lambda events: 1 // 0)
        node.turn()
    assert {messages[0].code for house, messages in node.heard().items() if house in HOUSES[:2]} == {"internal"}
    node.send("baratheon", node.answer("baratheon", "b"))
    node.turn()
    for messages in node.heard().values():
        assert isinstance(messages[-1], Update)
        assert messages[-1].events[0]["type"] == "orders_revealed"


def test_words_said_between_two_answers_are_heard_between_them() -> None:
    node = Node()
    node.send("stark", node.answer("stark", "s"))
    node.send("stark", Say("say", node.room, "all", "done"))
    node.send("lannister", node.answer("lannister", "l"))
    node.turn()
    assert [type(message) for message in node.heard()["baratheon"]] == [Update, Said, Update]


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_a_game_in_turns_is_the_same_game_and_comes_back_with_the_same_numbers(number: int) -> None:
    rng, together, alone = Random(number), Node(), Node(gathers=False)
    told, asked = dict[str, object](), dict[str, tuple[str, AnswerPrompt]]()
    while together.machine.phase == "playing" and together.machine.n < 150:
        owing = list(together.machine.play.owing)
        for house in rng.sample(owing, rng.randint(1, len(owing))):
            prompt = together.machine.play.prompt(house)
            message = AnswerPrompt(f"a{len(asked)}", together.room, prompt.id, draw(prompt, rng))
            asked[message.id] = (house, message)
            for node in (together, alone):
                node.send(house, message)
            if rng.random() < 0.1:
                together.send(house, message)
        together.turn()
        for messages in together.heard().values():
            for message in messages:
                if isinstance(message, Ok | Error):
                    assert told.setdefault(message.id, message) == message
        assert together.machine.play.hash() == alone.machine.play.hash()
        assert together.machine.seq <= alone.machine.seq
        if rng.random() < 0.1:
            before, views = together.seen(), {h: p.views[together.room] for h, p in together.players.items()}
            together.start()
            together.come_back()
            assert together.seen() == before
            for house, view in views.items():
                assert together.players[house].views[together.room] == view
    assert told.keys() == asked.keys(), "everybody got a reply"
    last = list(asked)[-30:]
    together.start()
    together.come_back()
    for id in last:
        house, message = asked[id]
        together.send(house, message)
        together.turn()
        assert told[id] in together.players[house].heard()
    since = max(0, together.machine.seq - 20)
    recovered = []
    at_once(_recovered(together, since, recovered))
    assert [update.seq for update in recovered] == list(range(since + 1, together.machine.seq + 1))


async def _recovered(node: Node, since: int, into: list) -> None:
    into += await recover(node.ledger, node.machine, since)
