"""The pace of a seat, over all its connections."""

from protocol.answers import Bid, Choose
from protocol.messages import AnswerPrompt, Error, Ok, Say, Update
from server.rooms.pace import PATIENCE, Pace
from server.rooms.requests import MAX_WRONG
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


def test_S53_a_loop_of_refused_answers_is_slowed_whatever_it_answers() -> None:
    table, (stark, lannister, _), clock = paced(1000, 1000)
    came = [table.ask(stark, AnswerPrompt(f"a{n}", table.room, 9, Choose("no"))).code for n in range(PATIENCE + 20)]
    assert came == ["stale_prompt"] * PATIENCE + ["rate_limited"] * 20
    assert table.machine.document()["waiting"] == ["stark", "lannister", "baratheon"]
    assert isinstance(table.ask(stark, Say("s", table.room, "all", "help")), Ok)
    assert isinstance(table.bid(lannister, 1), Ok)
    clock.at += 1
    again = [table.ask(stark, AnswerPrompt(f"b{n}", table.room, 9, Choose("no"))).code for n in range(2)]
    assert again == ["stale_prompt", "rate_limited"]


def test_S53_an_answer_that_is_accepted_ends_it() -> None:
    table, (stark, *_), clock = paced(1000, 1000)
    for n in range(PATIENCE + 1):
        table.ask(stark, AnswerPrompt(f"a{n}", table.room, 9, Choose("no")))
    clock.at += 1
    assert isinstance(table.ask(stark, AnswerPrompt("good", table.room, 10, Bid(1))), Ok)
    came = [table.ask(stark, AnswerPrompt(f"c{n}", table.room, 9, Choose("no"))).code for n in range(PATIENCE)]
    assert set(came) == {"stale_prompt"}


def test_S53_who_answers_wrongly_again_and_again_gets_the_default() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    wrong = [table.ask(stark, AnswerPrompt(f"a{n}", table.room, 10, Choose("no"))) for n in range(MAX_WRONG)]
    assert {reply.code for reply in wrong} == {"illegal"}
    assert "default" in wrong[-1].hint
    assert all("default" not in reply.hint for reply in wrong[:-1])
    assert table.machine.document()["waiting"] == ["lannister", "baratheon"]
    (update,) = (message for message in lannister.heard() if isinstance(message, Update))
    assert update.events == [{"type": "answers_given_up", "house": "stark"}]
    assert stark.views[table.room]["you"]["bid"] == 0
    assert isinstance(table.ask(stark, AnswerPrompt("better", table.room, 10, Bid(3))), Ok)
    assert stark.views[table.room]["you"]["bid"] == 3
    again = [table.ask(stark, AnswerPrompt(f"b{n}", table.room, 10, Choose("no"))) for n in range(MAX_WRONG)]
    assert all("default" not in reply.hint for reply in again)


def test_S53_only_wrong_answers_to_the_same_prompt_count() -> None:
    table = Table()
    players = table.full()
    for number in range(3):
        for n in range(MAX_WRONG - 1):
            table.ask(players[0], AnswerPrompt(f"w{number} {n}", table.room, 10 * number + 10, Choose("no")))
            table.ask(players[0], AnswerPrompt(f"s{number} {n}", table.room, 7, Choose("no")))
        assert "stark" in table.machine.document()["waiting"]
        for player in players:
            table.bid(player, 1)


def test_what_was_not_looked_at_may_be_sent_again_with_its_id() -> None:
    table, (stark, *_), clock = paced(1, 1)
    bid = AnswerPrompt("bid", table.room, 10, Bid(1))
    assert isinstance(table.ask(stark, Say("s", table.room, "all", "hi")), Ok)
    assert table.ask(stark, bid).code == "rate_limited"
    clock.at += 1
    assert isinstance(table.ask(stark, bid), Ok)
