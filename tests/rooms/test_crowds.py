"""S98: what a room tells a crowd goes out a few at a time, and every watcher gets it whole and in order."""

from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.messages import Leave, Said, Say, Snapshot, Update
from server.rooms import crowds
from tests.rooms.table import HOUSES, Player, Table


class Turns:
    """What was spawned, one step of each a turn."""

    def __init__(self) -> None:
        self.running: list[Coroutine[Any, Any, None]] = []

    def __call__(self, work: Coroutine[Any, Any, None]) -> None:
        if self._goes_on(work):
            self.running.append(work)

    def turn(self) -> bool:
        running, self.running = self.running, []
        self.running += [work for work in running if self._goes_on(work)]
        return bool(self.running)

    @staticmethod
    def _goes_on(work: Coroutine[Any, Any, None]) -> bool:
        try:
            work.send(None)
        except StopIteration:
            return False
        return True


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "NEAR", 2)
    monkeypatch.setattr(crowds, "FEW", 2)
    monkeypatch.setattr(crowds, "MANY", 4)
    monkeypatch.setattr(crowds, "MOST", 20)


class Watched(Table):
    """A game that is played before a crowd."""

    def __init__(self, watchers: int) -> None:
        self.turns = Turns()
        super().__init__(spawn=self.turns)
        self.players = self.full()
        self.watchers = [Player() for _ in range(watchers)]
        for watcher in self.watchers:
            self.enter(watcher)
        self.settle()

    def settle(self) -> None:
        while self.turns.turn():
            pass

    def move(self, n: int) -> None:
        """One more bid; the last of a round is news for all."""
        player = self.players[n % 3]
        if "prompt" in player.views[self.room]["you"]:
            self.bid(player, n)

    def said(self, watcher: Player) -> list[str]:
        return [message.text for message in watcher.ready if isinstance(message, Said)]


def quiet(watchers: list[Player]) -> None:
    for watcher in watchers:
        watcher.heard()


def test_players_are_told_at_once_and_the_crowd_a_few_a_turn(small: None) -> None:
    table = Watched(7)
    quiet(table.watchers)
    before = [len(watcher.frames) for watcher in table.watchers]
    table.move(0)
    assert table.players[1].views[table.room]["waiting"] == ["lannister", "baratheon"]
    told = lambda: [len(watcher.frames) - n for watcher, n in zip(table.watchers, before, strict=True)]  # noqa: E731
    assert told() == [1, 1, 0, 0, 0, 0, 0]
    table.turns.turn()
    assert told() == [1, 1, 1, 1, 0, 0, 0]
    table.settle()
    assert told() == [1] * 7


def test_whoever_comes_meanwhile_has_the_whole_and_nothing_twice(small: None) -> None:
    table = Watched(7)
    table.move(0)
    table.move(1)
    late, back = Player(), table.watchers[-1]
    table.enter(late)
    since = back.views[table.room]["seq"]
    table.enter(back, since=since)
    table.settle()
    assert late.views[table.room] == back.views[table.room] == table.machine.document()
    assert [m.seq for m in back.ready if isinstance(m, Update)] == sorted(
        {m.seq for m in back.ready if isinstance(m, Update)}
    )


def test_whoever_takes_a_seat_on_the_same_connection_hears_no_more_as_a_watcher(small: None) -> None:
    table = Watched(7)
    table.move(0)
    last = table.watchers[-1]
    table.enter(last, "stark")
    table.settle()
    assert last.views[table.room] == table.players[0].views[table.room]


def test_whoever_leaves_hears_no_more(small: None) -> None:
    table = Watched(7)
    table.move(0)
    last = table.watchers[-1]
    quiet([last])
    table.ask(last, Leave("bye", table.room))
    table.desk.gone(table.watchers[-2])
    quiet([last, table.watchers[-2]])
    table.settle()
    assert last.heard() == table.watchers[-2].heard() == []


def test_a_crowd_that_is_far_behind_gets_a_snapshot_and_all_the_talk(small: None) -> None:
    table = Watched(9)
    quiet(table.watchers)
    for n in range(9):
        table.move(n)
        table.ask(table.players[0], Say(table.fresh(), table.room, "all", f"words {n}"))
    assert len(table.desk._delivery._crowds) <= crowds.MANY + 9
    table.settle()
    for watcher in table.watchers:
        assert watcher.views[table.room] == table.machine.document()
        assert table.said(watcher) == [f"words {n}" for n in range(9)]
    assert any(isinstance(message, Snapshot) for message in table.watchers[-1].ready)
    assert len(table.desk._delivery._crowds) == 0


def test_talk_without_end_before_a_crowd_is_bounded(small: None) -> None:
    table = Watched(7)
    for n in range(2 * crowds.MOST):
        table.ask(table.players[n % 3], Say(table.fresh(), table.room, "all", f"words {n}"))
        assert len(table.desk._delivery._crowds) <= crowds.MOST
    table.settle()
    told = table.said(table.watchers[-1])
    assert told[-1] == f"words {2 * crowds.MOST - 1}"
    assert told == sorted(told, key=lambda text: int(text.split()[1]))


@settings(max_examples=150)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(["move", "say", "turn"]), st.integers(0, 8)),
            st.tuples(st.sampled_from(["leave", "enter", "resume", "refresh", "sit", "gone"]), st.integers(0, 7)),
        ),
        max_size=60,
    )
)
def test_every_watcher_sees_what_it_would_see_if_all_were_told_at_once(steps: list[tuple[str, int]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("NEAR", 2), ("FEW", 2), ("MANY", 4), ("MOST", 100)):
            patch.setattr(crowds, name, value)
        table = Watched(8)
        here, spoken = dict.fromkeys(table.watchers, 0), list[str]()
        for n, (step, which) in enumerate(steps):
            watcher = table.watchers[which % 8]
            match step:
                case "move":
                    table.move(n)
                case "say":
                    table.ask(table.players[0], Say(table.fresh(), table.room, "all", f"words {n}"))
                    spoken.append(f"words {n}")
                case "turn":
                    table.turns.turn()
                case "leave" if watcher in here:
                    table.ask(watcher, Leave(table.fresh(), table.room))
                    del here[watcher]
                case "gone":
                    table.desk.gone(watcher)
                    here.pop(watcher, None)
                case "enter" | "resume" | "sit":
                    fields = {"since": watcher.views[table.room]["seq"]} if step == "resume" else {}
                    heard = [m.at for m in watcher.ready if isinstance(m, Said)]
                    table.enter(
                        watcher, HOUSES[which % 3] if step == "sit" else None, heard=max(heard, default=0), **fields
                    )
                    here[watcher] = 1
                case "refresh":
                    table.desk.refresh(watcher, table.room)
        table.settle()
        for watcher in here:
            view = {key: value for key, value in watcher.views[table.room].items() if key != "you"}
            assert view == table.machine.document()
            assert table.said(watcher) == spoken
        assert len(table.desk._delivery._crowds) == 0
