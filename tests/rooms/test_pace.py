"""The pace of a seat, over all its connections."""

from protocol.answers import Bid, Choose
from protocol.messages import AnswerPrompt, Error, Ok, Say
from server.rooms.pace import PATIENCE, Pace
from tests.rooms.table import Clock, Player, Table


def paced(rate: float, burst: float) -> tuple[Table, list[Player], Clock]:
    table, clock = Table(), Clock()
    players = table.full()
    table.desk.pace = Pace(rate, burst, clock)
    return table, players, clock


def test_S91_more_connections_give_a_seat_no_more() -> None:
    table, (stark, lannister, _), clock = paced(1, 4)
    second = Player()
    table.enter(second, "stark")
    came = [table.ask((stark, second)[n % 2], Say(f"s{n}", table.room, "all", "hi")) for n in range(6)]
    assert [type(reply) for reply in came] == [Ok] * 4 + [Error] * 2
    assert {reply.code for reply in came[4:]} == {"rate_limited"}
    assert isinstance(table.ask(lannister, Say("l", table.room, "all", "hi")), Ok)
    clock.at += 1
    assert isinstance(table.ask(second, Say("s4", table.room, "all", "hi")), Ok)


def test_S53_a_loop_of_refused_answers_is_slowed() -> None:
    table, (stark, lannister, _), clock = paced(1000, 1000)
    came = [table.ask(stark, AnswerPrompt(f"a{n}", table.room, 10, Choose("no"))).code for n in range(PATIENCE + 20)]
    assert came == ["illegal"] * PATIENCE + ["rate_limited"] * 20
    assert table.machine.document()["waiting"] == ["stark", "lannister", "baratheon"]
    assert isinstance(table.ask(stark, Say("s", table.room, "all", "help")), Ok)
    assert isinstance(table.bid(lannister, 1), Ok)
    clock.at += 1
    again = [table.ask(stark, AnswerPrompt(f"b{n}", table.room, 10, Choose("no"))).code for n in range(2)]
    assert again == ["illegal", "rate_limited"]


def test_S53_an_answer_that_is_accepted_ends_it() -> None:
    table, (stark, *_), clock = paced(1000, 1000)
    for n in range(PATIENCE + 1):
        table.ask(stark, AnswerPrompt(f"a{n}", table.room, 10, Choose("no")))
    clock.at += 1
    assert isinstance(table.ask(stark, AnswerPrompt("good", table.room, 10, Bid(1))), Ok)
    came = [table.ask(stark, AnswerPrompt(f"c{n}", table.room, 10, Choose("no"))).code for n in range(PATIENCE)]
    assert set(came) == {"illegal"}


def test_what_was_not_looked_at_may_be_sent_again_with_its_id() -> None:
    table, (stark, *_), clock = paced(1, 1)
    bid = AnswerPrompt("bid", table.room, 10, Bid(1))
    assert isinstance(table.ask(stark, Say("s", table.room, "all", "hi")), Ok)
    assert table.ask(stark, bid).code == "rate_limited"
    clock.at += 1
    assert isinstance(table.ask(stark, bid), Ok)
