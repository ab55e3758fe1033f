"""A game that is over told again: what each viewer saw then is what it is shown now, and no more."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from protocol.legal import draw
from protocol.messages import (
    AnswerPrompt,
    CreateRoom,
    Enter,
    Error,
    Host,
    Replay,
    Replayed,
    Retract,
    Say,
    Snapshot,
    TakeSeat,
    Update,
)
from protocol.patch import apply
from protocol.prompts import AnyPrompt
from server.game.state import Result
from server.rooms import replays
from server.rooms.archive import Unavailable
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall
from server.rooms.replays import Replays
from tests.rooms.ledger import Ledger
from tests.rooms.table import Clock, Player, SmallRules, Stream, Table


class Stage:
    """Three seats and a spectator on a log, and every document that each of them held, by seq."""

    def __init__(self, rules=None, **archive) -> None:
        self.ledger = Ledger(**archive)
        self.started: list = []
        hall = Hall(rules or BaseGame(), Stream(), Clock(), 100, self.ledger, self.run)
        self.desk = Desk(hall, self.run)
        self.made = self.ask(Player(), CreateRoom("make", 3))
        self.room = self.made.room
        self.saw: dict[str | None, dict[int, dict]] = {}
        self.tokens: dict[str, str] = {}
        self.players: dict[str | None, Player] = {None: Player()}
        self.ask(self.players[None], Enter("enter", self.room))
        self.note(None)
        for house, invite in self.made.invites.items():
            player = self.players[house] = Player()
            self.tokens[house] = self.ask(player, TakeSeat("take", self.room, house, invite=invite)).token
            self.ask(player, Enter("enter", self.room, token=self.tokens[house]))
            self.note(*self.players)

    def run(self, work) -> None:
        """Everything is done at once; a replay that lets others go first goes on at once."""
        self.started.append(work)
        if len(self.started) > 1:
            return
        while self.started:
            try:
                self.started[0].send(None)
            except StopIteration:
                self.started.pop(0)

    def ask(self, player: Player, message):
        before = len(player.ready)
        self.desk.handle(player, message)
        self.ledger.settle()
        return player.ready.pop(before) if len(player.ready) > before else None

    def note(self, *viewers: str | None) -> None:
        """Keep what these viewers hold after the last seq."""
        for viewer in viewers:
            player = self.players[viewer]
            for message in player.heard():
                if isinstance(message, Update | Snapshot):
                    view = player.views[self.room]
                    self.saw.setdefault(viewer, {})[message.seq] = plain(view)

    @property
    def machine(self):
        return self.desk.hall.find(self.room)

    def answer(self, house: str, answer, request: str):
        prompt = self.machine.started.prompt(house)
        reply = self.ask(self.players[house], AnswerPrompt(request, self.room, prompt.id, answer))
        self.note(*self.players)
        return reply

    def play(self, rng: Random, most: int = 10_000) -> None:
        """Play on at random, with answers that are changed and taken back, to the end or so far."""
        for n in range(most):
            if self.machine.phase != "playing":
                return
            house = rng.choice(list(self.machine.started.owing))
            prompt: AnyPrompt = self.machine.started.prompt(house)
            reply = self.answer(house, draw(prompt, rng), f"{n}")
            assert not isinstance(reply, Error), reply
            if rng.random() < 0.05:
                self.ask(self.players[house], Retract(f"back {n}", self.room, prompt.id))
                self.note(*self.players)
            if rng.random() < 0.1 and prompt.id == self.machine.started.owing.get(house, prompt.id):
                self.ask(self.players[house], AnswerPrompt(f"again {n}", self.room, prompt.id, draw(prompt, rng)))
                self.note(*self.players)

    def tell(self, viewer: str | None = None, by: Player | None = None, **fields):
        """One page."""
        return self.ask(by or Player(), Replay("tell", self.room, viewer or UNSET, **fields))

    def told(self, viewer: str | None = None, count: int = 200) -> dict[int, dict]:
        """Every document of a replay, by seq."""
        view: dict = {}
        views: dict[int, dict] = {}
        page = self.tell(viewer, count=count)
        while True:
            assert isinstance(page, Replayed), page
            assert len(page.updates) <= count + 1
            for moment in page.updates:
                assert moment.seq == len(views)
                view = apply(view, moment.patch)
                views[moment.seq] = view
            if not page.more:
                return views
            page = self.tell(viewer, count=count, after=page.updates[-1].seq)


def plain(view: dict) -> dict:
    """A document without who was connected."""
    houses = {h: {k: v for k, v in part.items() if k != "connected"} for h, part in view["houses"].items()}
    return {**view, "houses": houses}


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32), st.sampled_from([7, 200]))
def test_each_viewer_is_shown_what_it_saw_and_all_together_everything(number, count):
    stage = Stage()
    stage.play(Random(number))
    assert stage.machine.phase == "over"
    everything = stage.told("all", count)
    spectator = stage.told(count=count)
    assert len(spectator) == len(everything) == stage.machine.seq + 1
    assert stage.saw[None] == spectator
    assert all("you" not in view and "seats" not in view for view in spectator.values())
    for house in stage.made.invites:
        seat = stage.told(house, count)
        assert stage.saw[house].items() <= seat.items()
        for seq, view in seat.items():
            public = {key: part for key, part in view.items() if key != "you"}
            assert public == spectator[seq]
            assert everything[seq] == {**spectator[seq], "seats": everything[seq]["seats"]}
            assert everything[seq]["seats"][house] == view["you"]


def test_events_are_those_of_then():
    stage = Stage(SmallRules())
    told = []
    stage.play(Random(1), most=1)
    watcher = stage.players[None]
    real = watcher.post

    def post(room, frame, fresh):
        real(room, frame, fresh)
        told.append(watcher.ready[-1])

    watcher.post = post
    before = stage.machine.seq
    small(stage)
    live = [(m.seq, m.patch, m.events) for m in told if isinstance(m, Update)]
    page = stage.tell(after=before)
    assert [(m.seq, m.patch, m.events) for m in page.updates] == live
    assert any(m.events for m in page.updates)


def small(stage: Stage) -> None:
    """Play the small game to its end."""
    rng = Random(2)
    while stage.machine.phase == "playing":
        house = rng.choice(list(stage.machine.started.owing))
        assert not isinstance(
            stage.answer(house, draw(stage.machine.started.prompt(house), rng), f"s{rng.random()}"), Error
        )


def refused(reply, code: str, path: str) -> None:
    assert isinstance(reply, Error), reply
    assert (reply.code, reply.path) == (code, path)
    assert reply.hint


def test_a_game_that_is_not_over_is_not_told():
    stage = Stage()
    for viewer in (None, "stark", "all"):
        for by in (None, stage.players["stark"]):
            refused(stage.tell(viewer, by), "not_over", "room")


def test_who_is_not_at_the_table_cannot_be_looked_through():
    stage = Stage(SmallRules())
    small(stage)
    refused(stage.tell("tyrell"), "not_found", "as")
    refused(stage.ask(Player(), Replay("x", "nowhere")), "not_found", "room")


def test_a_room_that_was_closed_before_its_end_keeps_its_secrets():
    stage = Stage()
    stage.answer("stark", draw(stage.machine.started.prompt("stark"), Random(1)), "1")
    stage.ask(Player(), Host("close", stage.room, stage.made.host, "close"))
    for viewer, by in (("stark", None), ("all", None), ("stark", "baratheon"), ("all", "stark")):
        refused(stage.tell(viewer, stage.players[by] if by else Player()), "forbidden", "as")
    page = stage.tell()
    assert all("you" not in moment.patch for moment in page.updates)
    own = stage.tell("stark", stage.players["stark"])
    assert own.updates[-2].patch["you"]["orders"]


def test_press_is_not_told_again():
    stage = Stage(SmallRules())
    stage.ask(stage.players["stark"], Say("1", stage.room, ["baratheon"], "the swords are hidden in the hay"))
    small(stage)
    assert "swords" not in str([stage.tell(viewer) for viewer in (None, "stark", "all")])


def test_pages_are_small_and_the_next_one_begins_where_the_last_one_ended(monkeypatch):
    monkeypatch.setattr(replays, "PAGE_BYTES", 2000)
    stage = Stage()
    stage.play(Random(5), most=30)
    stage.machine.started.state.result = Result(winner="stark", reason="rounds", standing=("stark",))
    views = stage.told("all")
    assert list(views) == list(range(len(views)))
    assert len(stage.tell("all").updates) < len(views)


def test_nothing_is_told_of_an_end_that_is_not_durable():
    stage = Stage(SmallRules())
    stage.play(Random(1), most=0)
    *rest, last = [(h, n) for n in range(3) for h in stage.made.invites]
    for house, n in rest:
        stage.answer(house, draw(stage.machine.started.prompt(house), Random(n)), f"r{n}")
    stage.ledger.slow = True
    watcher = Player()
    prompt = stage.machine.started.prompt(last[0])
    stage.desk.handle(stage.players[last[0]], AnswerPrompt("last", stage.room, prompt.id, draw(prompt, Random(1))))
    assert stage.machine.phase == "over"
    stage.desk.handle(watcher, Replay("tell", stage.room, "all"))
    assert watcher.ready == []
    stage.ledger.broken = True
    while stage.ledger._waiting:
        stage.ledger._waiting.pop(0)()
        stage.ledger.broken = False
    refused(watcher.ready[0], "not_over", "room")


def test_the_archive_being_away_is_told():
    stage = Stage(SmallRules())
    small(stage)

    async def away(room, after, count):
        raise Unavailable

    stage.ledger.log = away
    assert stage.tell().code == "unavailable"


def test_a_log_that_cannot_be_played_is_a_fault_that_tells_nothing():
    stage = Stage(SmallRules())
    small(stage)
    stage.ledger.entries[stage.room][4] = b"\x00 secret"
    reply = stage.tell("all")
    assert (reply.code, reply.id) == ("internal", "tell")
    assert "secret" not in str(reply)


def test_a_server_without_a_log_says_so():
    table = Table()
    players = table.full()
    for _ in range(3):
        for player in players:
            table.bid(player, 1)
    refused(table.ask(Player(), Replay("1", table.room)), "not_supported", "room")


def test_one_at_a_time_for_a_connection_and_some_for_all(monkeypatch):
    monkeypatch.setattr(replays, "MOST_WAITING", 2)
    stage = Stage(SmallRules())
    small(stage)
    parked: list = []
    stage.desk._replays = Replays(stage.desk.hall, parked.append, stage.desk._delivery.reply)
    one, two, three = Player(), Player(), Player()
    assert stage.tell(by=one) is None
    refused_later = stage.tell(by=one)
    assert (refused_later.code, refused_later.id) == ("rate_limited", "tell")
    assert stage.tell(by=two) is None
    assert stage.tell(by=three).code == "rate_limited"
    while parked:
        stage.run(parked.pop())
    assert [type(player.ready.pop()) for player in (one, two)] == [Replayed, Replayed]
    assert stage.tell(by=three) is None
    parked.pop().close()


def test_other_rooms_are_served_while_a_game_is_told():
    stage = Stage(SmallRules())
    small(stage)
    parked: list = []
    stage.desk._replays = Replays(stage.desk.hall, parked.append, stage.desk._delivery.reply)
    watcher = Player()
    stage.tell(by=watcher)
    (work,) = parked
    pauses = 0
    with pytest.raises(StopIteration):
        while True:
            work.send(None)
            pauses += 1
            assert watcher.ready == []
    assert pauses == -(-stage.machine.n // replays.AT_ONCE)
    assert isinstance(watcher.only(), Replayed)
