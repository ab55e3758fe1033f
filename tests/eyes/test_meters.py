"""What is counted, where it happens; without sockets."""

from protocol.answers import Bid, Choose
from protocol.messages import AnswerPrompt, ClockOptions, CreateRoom, Enter, Host, Say, Seated, TakeSeat
from server.config import Config
from server.eyes.meters import Meters
from server.gateway.census import take
from server.gateway.outbox import Outbox
from server.rooms.history import KEPT
from tests.rooms.ledger import Ledger
from tests.rooms.table import Player, Table
from tests.rooms.test_recovery import HOUSES, Node
from tests.rooms.test_time_and_votes import answer, wait


def meters(node: Node) -> Meters:
    found: Meters = node.desk.hall.meters
    return found


def test_answers_are_counted_by_kind_by_who_gave_them_and_by_what_became_of_them() -> None:
    table = Table()
    stark, *_ = table.full()
    table.bid(stark, 1, "same")
    prompt = stark.views[table.room]["you"]["prompt"]["id"]
    table.ask(stark, AnswerPrompt("same", table.room, prompt, Bid(1)))  # the reply was lost: nothing new
    table.ask(stark, AnswerPrompt("late", table.room, 99, Bid(0)))
    assert table.desk.hall.meters.answers == {(Bid, "player", "ok"): 1, (Bid, "player", "stale_prompt"): 1}


def test_what_the_clock_decides_is_the_servers_answer() -> None:
    node = Node(Ledger(), ClockOptions("live", bank=0, increment=1, absences=1))
    wait(node, 2)
    assert node.machine.phase == "over"
    assert {by for _, by, _ in meters(node).answers} == {"server"}
    assert {outcome for _, _, outcome in meters(node).answers} == {"ok"}


def test_an_answer_that_cannot_be_written_counts_as_unavailable_and_not_as_taken() -> None:
    node = Node(Ledger())
    node.ledger.broken = True
    answer(node, "stark")
    assert [key[1:] for key in meters(node).answers] == [("player", "unavailable")]


def test_other_refusals_are_counted_by_request_and_code() -> None:
    table = Table()
    stranger = Player()
    table.ask(stranger, Say("s", table.room, "all", "hello"))
    table.ask(stranger, Enter("e", "nowhere000"))
    table.ask(stranger, Host("h", table.room, "no token", "close"))
    table.desk.draining = True
    table.ask(stranger, CreateRoom("c", 3))
    assert table.desk.hall.meters.refusals == {
        ("say", "forbidden"): 1,
        ("enter", "not_found"): 1,
        ("host", "bad_token"): 1,
        ("create_room", "server_draining"): 1,
    }


def test_entries_are_counted_by_what_came_of_them() -> None:
    node = Node(Ledger())
    seq, resumes = node.machine.seq, meters(node).resumes
    assert resumes == {"new": 3}
    node.back("stark", since=seq)
    assert resumes == {"new": 3, "ring": 1}
    node.back("stark", since=seq + 1000)
    assert resumes == {"new": 3, "ring": 1, "snapshot": 1}
    while node.machine.seq <= seq + KEPT:
        answer(node, next(iter(node.machine.play.owing)))
    node.back("stark", since=seq)
    assert resumes == {"new": 3, "ring": 1, "snapshot": 1, "log": 1}


def test_faults_are_counted_and_a_frozen_room_once() -> None:
    table = Table()
    stark, *_ = table.full()
    for number in ("1", "2"):
        table.ask(stark, AnswerPrompt(number, table.room, 10, Choose("boom")))
    table.bid(stark, 1)
    counted = table.desk.hall.meters
    assert (counted.faults, counted.frozen) == (2, 1)
    assert counted.answers == {(Choose, "player", "internal"): 2, (Bid, "player", "room_frozen"): 1}


def test_news_of_a_commit_is_measured_and_nothing_else() -> None:
    counted = Meters()
    outbox = Outbox(10, 1000, lambda: None, counted)
    outbox.post("room", b"a presence", False)
    counted.wrote(0.0, 1e-9, ["done"])
    outbox.post("room", b"an update", False)
    outbox.reply(b"a reply")
    counted.committed = 0.0
    outbox.post("room", b"later", False)
    while outbox.next():
        pass
    assert len(counted.delivery_seconds) == 1
    assert counted.delivery_seconds.total > 0


async def test_the_census_counts_rooms_seats_and_watchers() -> None:
    node = Node(Ledger())
    lobby = node.ask(node.host, CreateRoom("lobby", 4))
    seated = node.ask(Player(), TakeSeat("t", lobby.room, "Away", invite=lobby.invites["stark"]))
    assert isinstance(seated, Seated)
    node.ask(Player(), Enter("w", node.room))
    node.ask(Player(), Enter("w", node.room))
    node.desk.gone(node.players[HOUSES[0]])
    census = await take(node.desk, [], Config(max_rooms=7, max_connections=9))
    assert census.rooms == {"lobby": 1, "playing": 1, "over": 0}
    assert census.seats == {"free": 3, "here": 2, "away": 2, "bot": 0}
    assert (census.spectators, census.frozen, census.quarantined, census.ready) == (2, 0, 0, True)
    assert (census.max_rooms, census.max_connections, census.connections) == (7, 9, 0)
    node.desk.draining = True
    assert not (await take(node.desk, [], Config())).ready


async def test_a_room_that_is_over_has_no_seats_any_more() -> None:
    node = Node(Ledger())
    node.ask(node.host, Host("c", node.room, node.made.host, "close"))
    census = await take(node.desk, [], Config())
    assert census.rooms["over"] == 1
    assert sum(census.seats.values()) == 0
