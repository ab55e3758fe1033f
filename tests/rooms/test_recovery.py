"""A room is its log: whatever happens to the process, it comes back as it was last shown (S06, S41, S50, S57, S60, S80, S82)."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.legal import draw
from protocol.messages import (
    AnswerPrompt,
    ClockOptions,
    CreateRoom,
    Enter,
    Error,
    ListRooms,
    Ok,
    Retract,
    RoomOptions,
    Say,
    Snapshot,
    TakeSeat,
)
from server.rooms.base_game import BaseGame
from tests.rooms.ledger import Ledger, at_once, desk
from tests.rooms.table import Clock, Player, Stream

HOUSES = ("stark", "lannister", "baratheon")
LIVE = ClockOptions("live", bank=60, increment=5)


class Node:
    """Three seats of the real game over a ledger, on a node that can be killed at any time."""

    def __init__(self, ledger: Ledger, clock: ClockOptions | None = None) -> None:
        self.ledger, self.now, self.stream = ledger, Clock(), Stream()
        self.desk = desk(ledger, BaseGame(), self.stream, self.now)
        self.host = Player()
        options = RoomOptions(clock=clock) if clock else RoomOptions()
        self.made = self.ask(self.host, CreateRoom("make", 3, options))
        self.room = self.made.room
        self.players: dict[str, Player] = {}
        self.tokens: dict[str, str] = {}
        for house in HOUSES:
            player = self.players[house] = Player()
            seated = self.ask(player, TakeSeat(house, self.room, house.title(), invite=self.made.invites[house]))
            self.tokens[house] = seated.token
            self.ask(player, Enter("enter", self.room, token=seated.token))

    def ask(self, player: Player, message):
        before = len(player.ready)
        self.desk.handle(player, message)
        self.ledger.settle()
        return player.ready.pop(before) if len(player.ready) > before else None

    @property
    def machine(self):
        living = self.desk.hall.living(self.room)
        assert living
        return living.room

    def kill(self) -> None:
        """The process is gone, with everything that was in memory; another one starts on the log."""
        self.desk = desk(self.ledger, BaseGame(), self.stream, self.now)
        for player in self.players.values():
            player.heard()

    def back(self, house: str, **fields):
        player = self.players[house]
        reply = self.ask(player, Enter("back", self.room, token=self.tokens[house], **fields))
        assert isinstance(reply, Ok), reply
        return player

    def shown(self):
        """All that anybody sees, and what only the server knows."""
        room = self.machine
        play = room.play
        assert play
        seats = {h: room.you(h) for h in HOUSES}
        return (
            room.seq,
            room.document()["areas"],
            seats,
            play.hash(),
            room.clock.deadlines(),
            dict(room.clock.hands),
            room.votes,
        )


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.sampled_from([None, LIVE]))
def test_killed_at_any_input_a_room_comes_back_as_it_was(number, clock):
    node, rng = Node(Ledger(), clock), Random(number)
    last = None
    while node.machine.phase == "playing":
        room = node.machine
        house = rng.choice(list(room.play.owing))
        prompt = room.play.prompt(house)
        request = AnswerPrompt(f"r{room.n}", node.room, prompt.id, draw(prompt, rng))
        ok = node.ask(node.players[house], request)
        assert isinstance(ok, Ok)
        node.now.at += rng.random() * 4
        if room.phase == "playing" and rng.random() < 0.1 and house in room.play.owing:
            node.ask(node.players[house], Retract(f"u{room.n}", node.room, prompt.id))
        last = (house, request, ok)
        if rng.random() < 0.08:
            before, views = node.shown(), {h: p.views[node.room] for h, p in node.players.items()}
            node.kill()
            for h in HOUSES:
                seq = views[h]["seq"]
                node.back(h, since=seq)
                kinds = node.players[h].kinds()
                assert kinds[0] in ("Snapshot", "Private"), kinds
            assert node.shown() == before
            for h in HOUSES:
                assert node.players[h].views[node.room] == views[h]
            if last:
                assert node.ask(node.players[last[0]], last[1]) == last[2], "the same request was answered otherwise"
                assert node.shown() == before
    assert node.machine.play.over


def test_S06_nothing_is_shown_before_it_is_durable():
    node = Node(Ledger())
    node.ledger.slow = True
    stark, lannister = node.players["stark"], node.players["lannister"]
    prompt = node.machine.play.prompt("stark")
    for player in node.players.values():
        player.heard()
    node.desk.handle(stark, AnswerPrompt("1", node.room, prompt.id, draw(prompt, Random(1))))
    late = Player()
    node.desk.handle(late, Enter("late", node.room))
    assert stark.heard() == lannister.heard() == late.heard() == []
    node.ledger.settle()
    assert stark.kinds() == ["Ok", "Update"]
    assert lannister.kinds() == ["Update"]
    assert late.kinds() == ["Ok", "Snapshot"]


def test_what_could_not_be_written_has_not_happened():
    node = Node(Ledger())
    before = node.shown()
    prompt = node.machine.play.prompt("stark")
    answer = AnswerPrompt("1", node.room, prompt.id, draw(prompt, Random(1)))
    for player in node.players.values():
        player.heard()
    node.ledger.broken = True
    node.desk.handle(node.players["stark"], answer)
    (error,) = node.players["stark"].heard()
    assert isinstance(error, Error)
    assert error.code == "unavailable"
    assert node.players["lannister"].heard() == []
    assert node.ask(node.host, CreateRoom("another", 3)).code == "unavailable"
    assert node.ask(node.host, ListRooms("list")).rooms
    node.ledger.broken = False
    node.back("stark")
    assert node.shown() == before
    assert isinstance(node.ask(node.players["stark"], answer), Ok)


def test_after_a_fault_of_the_archive_those_in_the_room_see_what_is_true():
    node = Node(Ledger(slow=True))
    for player in node.players.values():
        player.heard()
    before = node.shown()
    prompt = node.machine.play.prompt("stark")
    node.desk.handle(node.players["stark"], AnswerPrompt("1", node.room, prompt.id, draw(prompt, Random(1))))
    other = node.machine.play.prompt("lannister")
    node.desk.handle(node.players["lannister"], AnswerPrompt("2", node.room, other.id, draw(other, Random(1))))
    node.ledger.epochs[node.room] += 1  # somebody else owns the room now
    node.ledger.settle()
    assert [type(m).__name__ for m in node.players["stark"].heard()] == ["Error", "Snapshot"]
    assert sorted(node.players["lannister"].kinds()) == ["Error", "Snapshot"]
    assert node.shown()[:3] == before[:3]
    assert node.machine.connected() == list(HOUSES)


def test_S60_a_deadline_that_passed_while_nothing_ran_is_kept_at_once():
    node = Node(Ledger(), LIVE)
    assert set(node.machine.clock.deadlines()) == set(HOUSES)
    node.kill()
    assert node.desk.hall.living(node.room) is None
    node.now.at += 3600
    node.desk.tick()
    room = node.machine
    assert all(hand.missed == 1 for hand in room.clock.hands.values())
    assert room.play.over is False
    watcher = Player()
    node.ask(watcher, Enter("look", node.room))
    assert watcher.views[node.room]["seq"] == room.seq


def test_a_damaged_log_is_quarantined_and_others_go_on():
    node = Node(Ledger())
    healthy = node.ask(node.host, CreateRoom("other", 3)).room
    log = node.ledger.entries[node.room]
    log[1] = log[1][:-3]
    node.kill()
    for _ in range(2):
        assert node.ask(Player(), Enter("1", node.room)).code == "quarantined"
    assert isinstance(node.ask(Player(), Enter("1", healthy)), Ok)


@pytest.mark.parametrize("kind", ["torn", "missing"])
def test_what_the_archive_cannot_give_is_said(kind):
    node = Node(Ledger())
    node.kill()
    if kind == "torn":
        node.ledger.torn[node.room] = 3
    room = node.room if kind == "torn" else "nowhere"
    assert node.ask(Player(), Enter("1", room)).code == {"torn": "quarantined", "missing": "not_found"}[kind]


def test_press_is_kept_for_those_who_may_hear_it():
    node = Node(Ledger())
    stark = node.players["stark"]
    node.ask(stark, Say("1", node.room, "all", "winter is coming"))
    node.now.at += 1
    node.ask(stark, Say("2", node.room, ["lannister"], "psst"))
    node.kill()
    heard = {}
    for house in HOUSES:
        player = node.back(house)
        heard[house] = [m.text for m in player.heard() if hasattr(m, "text")]
    watcher = Player()
    node.ask(watcher, Enter("look", node.room))
    assert heard == {
        "stark": ["winter is coming", "psst"],
        "lannister": ["winter is coming", "psst"],
        "baratheon": ["winter is coming"],
    }
    assert [m.text for m in watcher.heard() if hasattr(m, "text")] == ["winter is coming"]
    first = int((node.now.at - 1) * 1000)
    player = node.back("lannister", heard=first)
    assert [m.text for m in player.heard() if hasattr(m, "text")] == ["psst"]


def test_S66_idle_rooms_leave_memory_and_come_back():
    node = Node(Ledger())
    for player in node.players.values():
        node.desk.gone(player)
    node.now.at += 301
    assert node.desk.hall.sweep() == 1
    assert len(node.desk.hall) == 0
    assert node.ask(node.host, ListRooms("list")).rooms[0].room == node.room
    player = Player()
    node.ask(player, Enter("look", node.room))
    assert isinstance(player.ready[-1], Snapshot)


def test_S30_after_a_restart_what_was_missed_comes_from_the_log():
    """The ring is empty after a restart; the updates made again from the log are those that were sent, to the letter."""
    node, rng = Node(Ledger()), Random(4)
    since = None
    sent = []
    for n in range(120):
        room = node.machine
        if room.phase != "playing":
            break
        house = rng.choice(list(room.play.owing))
        prompt = room.play.prompt(house)
        node.ask(node.players[house], AnswerPrompt(f"r{n}", node.room, prompt.id, draw(prompt, rng)))
        if n == 30:
            since = node.players["stark"].views[node.room]["seq"]
            node.players["stark"].heard()
            view = node.players["stark"].views[node.room]
    sent = [m for m in node.players["stark"].heard() if hasattr(m, "patch")]
    expected = node.players["stark"].views[node.room]
    node.kill()
    node.players["stark"].views[node.room] = view
    node.ledger.read = 0
    node.back("stark", since=since)
    heard = node.players["stark"].heard()
    assert node.ledger.read >= 2
    assert [m for m in heard if hasattr(m, "patch")] == sent
    houses = {h: {k: v for k, v in part.items() if k != "connected"} for h, part in expected["houses"].items()}
    now = node.players["stark"].views[node.room]
    assert {h: {k: v for k, v in p.items() if k != "connected"} for h, p in now["houses"].items()} == houses
    assert {**now, "houses": {}} == {**expected, "houses": {}}


def test_what_is_sent_behind_an_enter_is_served_behind_it():
    """While the log is read for a client, its next messages wait: an answer sent at once is no stranger's."""
    node, rng = Node(Ledger()), Random(4)
    for n in range(40):
        play = node.machine.play
        house = rng.choice(list(play.owing))
        prompt = play.prompt(house)
        node.ask(node.players[house], AnswerPrompt(f"r{n}", node.room, prompt.id, draw(prompt, rng)))
    node.kill()
    node.ask(Player(), Enter("wake", node.room))
    play = node.machine.play
    house = next(iter(play.owing))
    prompt = play.prompt(house)
    started = []
    node.desk._spawn = started.append
    player = Player()
    player.views[node.room] = {"seq": 5, "houses": {}}
    node.desk.handle(player, Enter("e", node.room, token=node.tokens[house], since=5))
    node.desk.handle(player, AnswerPrompt("a", node.room, prompt.id, draw(prompt, rng)))
    assert player.frames == []
    node.desk._spawn = at_once
    at_once(started[0])
    replies = [m for m in player.heard() if hasattr(m, "id")]
    assert [type(m).__name__ for m in replies] == ["Ok", "Ok"]
