"""Coming back: the missed updates in order, or a snapshot."""

import pytest

from protocol.messages import Ok, Retract
from server.rooms.history import KEPT, History
from server.rooms.letters import Update
from tests.rooms.table import Player, Table


def test_S30_a_seat_gets_exactly_what_it_missed_then_its_own_part() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.desk.gone(stark)
    seq = stark.views[table.room]["seq"]
    table.bid(lannister, 1)
    reply = table.enter(stark, "stark", since=seq)
    assert isinstance(reply, Ok)
    assert reply.seq == seq + 1
    missed = stark.heard()
    assert [type(message).__name__ for message in missed] == ["Update", "Private", "Presence"]
    assert [message.seq for message in missed[:2]] == [seq + 1, seq + 1]


def test_nothing_missed_is_nothing_sent() -> None:
    table = Table()
    table.full()
    watcher = Player()
    table.enter(watcher)
    watcher.heard()
    assert isinstance(table.enter(watcher, since=watcher.views[table.room]["seq"]), Ok)
    assert watcher.kinds() == ["Presence"]


def test_entering_again_is_fine() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.enter(stark, "stark")
    assert stark.kinds() == ["Snapshot"]
    assert lannister.heard() == []
    table.bid(stark, 1)
    assert stark.kinds() == ["Update"]


@pytest.mark.parametrize("seated", [False, True])
def test_S31_whoever_holds_nothing_gets_a_snapshot(seated: bool) -> None:
    table = Table()
    if seated:
        table.seat("stark")
    watcher = Player()
    table.enter(watcher, since=0)
    assert watcher.kinds() == ["Snapshot"]


@pytest.mark.parametrize("ahead", [1, 1000, 2**53])
def test_S31_a_seq_that_has_not_been_yet_gets_a_snapshot(ahead: int) -> None:
    table = Table()
    table.full()
    watcher = Player()
    table.enter(watcher, since=min(table.machine.seq + ahead, 2**53))
    assert watcher.kinds() == ["Snapshot"]


def test_S31_a_gap_larger_than_the_ring_gets_a_snapshot() -> None:
    table = Table()
    stark, *_ = table.full()
    since = table.machine.seq
    for _ in range(KEPT // 2):
        table.bid(stark, 1)
        table.ask(stark, Retract(table.fresh(), table.room, 10))
    assert table.machine.seq == since + KEPT
    for behind, kinds in ((0, ["Update"] * KEPT + ["Presence"]), (1, ["Snapshot"])):
        player = Player()
        player.views[table.room] = {"seq": since - behind, "houses": {}}
        table.enter(player, since=since - behind)
        assert player.kinds() == kinds


def test_a_private_change_is_made_good_on_return() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.bid(stark, 1)
    away = Player()
    table.enter(away, "stark")
    table.desk.gone(away)
    table.bid(stark, 2)
    table.bid(lannister, 2)
    table.enter(away, "stark", since=away.views[table.room]["seq"])
    assert away.views[table.room] == {**table.machine.document(), "you": table.machine.you("stark")}
    assert away.views[table.room]["you"]["bid"] == 2


def test_a_ring_is_contiguous_or_says_no() -> None:
    ring = History(3)
    updates = [Update("r", seq, {}, [], {}) for seq in range(1, 6)]
    assert ring.since(0, 0) == []
    for update in updates:
        ring.add(update)
    assert ring.since(5, 5) == []
    assert ring.since(4, 5) == updates[4:]
    assert ring.since(2, 5) == updates[2:]
    assert ring.since(1, 5) is None
    assert ring.since(6, 5) is None


def test_updates_are_packed_once_a_format() -> None:
    update = Update("r", 1, {"seq": 1}, [], {"stark": {"bid": 1}})
    assert update.frame(None, "msgpack") is update.frame(None, "msgpack")
    assert update.frame("lannister", "msgpack") is update.frame(None, "msgpack")
    assert update.frame("stark", "msgpack") != update.frame(None, "msgpack")
