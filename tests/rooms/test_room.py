"""A room: seats, the start, answers, who sees what."""

from hashlib import sha256

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from protocol.answers import Bid, Choose
from protocol.messages import (
    AnswerPrompt,
    Enter,
    Error,
    Host,
    Leave,
    Ok,
    Presence,
    Private,
    Retract,
    RoomOptions,
    Said,
    Say,
    Seated,
    Snapshot,
    TakeSeat,
    Update,
)
from tests.rooms.table import HOUSES, Player, Table


def test_a_new_room_is_a_lobby() -> None:
    table = Table()
    watcher = Player()
    table.enter(watcher)
    view = watcher.views[table.room]
    assert view["phase"] == "lobby"
    assert view["seq"] == 0
    assert view["houses"] == {"stark": {}, "lannister": {}, "baratheon": {}}
    assert view["options"] == {
        "players": 3,
        "seed_sha256": view["options"]["seed_sha256"],
    }
    assert len(view["options"]["seed_sha256"]) == 64


def test_an_invite_gives_its_seat() -> None:
    table = Table()
    watcher = Player()
    table.enter(watcher)
    watcher.heard()
    seated = table.ask(Player(), TakeSeat("1", table.room, "Ned", invite=table.made.invites["lannister"]))
    assert seated.house == "lannister"
    update = watcher.only()
    assert update.patch == {"seq": 1, "houses": {"lannister": {"name": "Ned"}}}
    assert update.events == [{"type": "seat_taken", "house": "lannister", "name": "Ned"}]


def test_a_public_room_gives_a_seat_by_its_house() -> None:
    table = Table()
    assert table.ask(Player(), TakeSeat("1", table.room, "Ned", house="stark")).house == "stark"


@pytest.mark.parametrize(
    ("fields", "code", "path"),
    [
        ({}, "bad_message", "invite"),
        ({"house": "stark", "invite": "x"}, "bad_message", "invite"),
        ({"house": "frey"}, "not_found", "house"),
        ({"house": "tyrell"}, "not_found", "house"),
        ({"invite": "x"}, "bad_token", "invite"),
        ({"house": "lannister"}, "seat_taken", "house"),
    ],
)
def test_a_seat_that_is_not_to_be_had(fields: dict[str, str], code: str, path: str) -> None:
    table = Table()
    table.seat("lannister")
    before = table.machine.document()
    error = table.ask(Player(), TakeSeat("1", table.room, "Ned", **fields))
    assert (error.code, error.path) == (code, path)
    assert error.hint
    assert table.machine.document() == before


def test_a_private_room_gives_seats_by_invite_only() -> None:
    table = Table(private=True)
    assert table.ask(Player(), TakeSeat("1", table.room, "Ned", house="stark")).code == "forbidden"
    assert table.ask(Player(), TakeSeat("2", table.room, "Ned", invite=table.made.invites["stark"])).house == "stark"


def test_S70_exactly_one_gets_the_last_seat() -> None:
    table = Table()
    table.seat("stark")
    table.seat("lannister")
    replies = [table.ask(Player(), TakeSeat("1", table.room, "x", house="baratheon")) for _ in range(3)]
    assert [type(reply) for reply in replies] == [Seated, Error, Error]
    assert replies[1].code == "room_full"
    invited = table.ask(Player(), TakeSeat("1", table.room, "x", invite=table.made.invites["baratheon"]))
    assert invited.code == "seat_taken"


def test_the_last_seat_starts_the_game() -> None:
    table = Table()
    first = table.seat("stark")
    table.seat("lannister")
    first.heard()
    table.ask(Player(), TakeSeat("1", table.room, "Bob", house="baratheon"))
    update = first.only()
    assert [event["type"] for event in update.events] == ["seat_taken", "game_started"]
    view = first.views[table.room]
    assert (view["phase"], view["round"]) == ("planning", 1)
    assert view["houses"]["stark"] == {"power": 5, "name": "Stark", "connected": True}
    assert view["you"]["prompt"]["id"] == 10


def test_without_autostart_the_host_starts_the_game() -> None:
    table = Table(autostart=False)
    start = Host("s1", table.room, table.made.host, "start")
    players = [table.seat(house) for house in HOUSES[:2]]
    early = table.ask(table.host, start)
    assert (early.code, early.message) == ("not_ready", "Still free: baratheon.")
    players.append(table.seat("baratheon"))
    assert players[0].views[table.room]["phase"] == "lobby"
    assert isinstance(table.ask(table.host, Host("s2", table.room, table.made.host, "start")), Ok)
    assert all(player.views[table.room]["phase"] == "planning" for player in players)
    assert table.ask(table.host, Host("s3", table.room, table.made.host, "start")).code == "too_late"


def test_nobody_but_the_host_commands() -> None:
    table = Table()
    player = table.seat("stark")
    for token in ("guess", table.tokens["stark"], table.made.invites["stark"]):
        assert table.ask(player, Host("1", table.room, token, "close")).code == "bad_token"
    assert table.machine.phase == "lobby"


@pytest.mark.parametrize("action", ["bots", "pause", "resume", "extend"])
def test_what_the_host_cannot_do_here_is_said(action: str) -> None:
    table = Table()
    error = table.ask(table.host, Host("1", table.room, table.made.host, action))
    assert (error.code, error.path) == ("not_supported", "action")


def test_the_host_frees_a_seat_and_gets_a_new_invite_for_it() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    host = Host("k", table.room, table.made.host, "kick", house="stark")
    ok = table.ask(table.host, host)
    assert table.ask(table.host, host) == ok
    assert lannister.heard()[0].events == [{"type": "seat_freed", "house": "stark"}]
    assert table.enter(Player(), "stark").code == "bad_token"
    assert table.ask(Player(), TakeSeat("1", table.room, "x", invite=table.made.invites["stark"])).code == "bad_token"
    seated = table.ask(Player(), TakeSeat("2", table.room, "Jon", invite=ok.invite))
    table.tokens["stark"] = seated.token
    again = Player()
    table.enter(again, "stark")
    assert isinstance(table.bid(again, 1), Ok)
    assert stark.views
    for house, code in (("frey", "not_found"), ("", "not_found")):
        asked = Host(f"x{house}", table.room, table.made.host, "kick", **({"house": house} if house else {}))
        assert table.ask(table.host, asked).code == code


def test_whoever_lost_the_seat_only_watches_from_then_on() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    second = Player("json")
    table.enter(second, "stark")
    table.bid(stark, 7)
    for player in (stark, second, lannister):
        player.heard()
    ok = table.ask(table.host, Host("k", table.room, table.made.host, "kick", house="stark"))
    for former in (stark, second):
        assert "you" not in former.views[table.room]
        assert former.views[table.room] == table.machine.document()
        assert table.ask(former, AnswerPrompt("a", table.room, 10, Bid(1))).code == "forbidden"
    assert Presence(table.room, ["lannister", "baratheon"]) in lannister.heard()
    table.tokens["stark"] = table.ask(Player(), TakeSeat("t", table.room, "Jon", invite=ok.invite)).token
    jon = Player()
    table.enter(jon, "stark")
    stark.heard()
    table.bid(jon, 9)
    table.ask(lannister, Say("s", table.room, ["stark"], "for Jon alone"))
    assert all(b"for Jon" not in frame for frame in stark.frames)
    for message in stark.heard():
        assert not isinstance(message, Private | Said)
        assert "you" not in getattr(message, "patch", {})
    assert [message.text for message in jon.heard() if isinstance(message, Said)] == ["for Jon alone"]


def test_a_secret_answer_shows_only_that_it_was_given() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    assert isinstance(table.bid(stark, 3), Ok)
    update = lannister.only()
    assert update.patch == {"seq": update.seq, "waiting": ["lannister", "baratheon"]}
    assert update.events == []
    own = stark.only()
    assert own.patch == {**update.patch, "you": {"bid": 3}}
    assert own.seq == update.seq


def test_S07_editing_a_secret_answer_leaves_no_trace() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    again = Player()
    table.enter(again, "stark")
    watcher = Player()
    table.enter(watcher)
    table.bid(stark, 0)
    seq = stark.views[table.room]["seq"]
    for player in (stark, again, lannister, watcher):
        player.heard()
    for power in range(1, 20):
        assert table.bid(stark, power).seq == seq
    assert lannister.heard() == watcher.heard() == []
    assert [message.you["bid"] for message in stark.heard() if isinstance(message, Private)] == list(range(1, 20))
    assert again.kinds() == ["Private"] * 19
    table.bid(stark, 19)
    assert stark.heard() == []


def test_all_answers_are_shown_in_one_update() -> None:
    table = Table()
    players = table.full()
    for power, player in enumerate(players):
        table.bid(player, power)
    last = [player.heard()[-1] for player in players]
    assert all(isinstance(update, Update) for update in last)
    assert {update.seq for update in last} == {table.machine.seq}
    for house, update in zip(HOUSES, last, strict=False):
        assert isinstance(update, Update)
        assert update.events[0]["bids"] == {"stark": 0, "lannister": 1, "baratheon": 2}
        gone = {} if house == "baratheon" else {"bid": None}
        assert update.patch["you"] == {**gone, "prompt": {"id": 20 + HOUSES.index(house)}}


def test_S02_an_answer_to_an_old_prompt_is_stale() -> None:
    table = Table()
    players = table.full()
    for player in players:
        table.bid(player, 1)
    error = table.ask(players[0], AnswerPrompt("late", table.room, 10, Bid(9)))
    assert (error.code, error.path, error.prompt) == ("stale_prompt", "prompt", 20)
    assert table.machine.you("stark").get("bid") is None


def test_S03_a_retracted_answer_is_owed_again() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.bid(stark, 3)
    assert isinstance(table.ask(stark, Retract("t1", table.room, 10)), Ok)
    assert lannister.views[table.room]["waiting"] == HOUSES[:3]
    assert table.ask(stark, Retract("t2", table.room, 10)).code == "too_late"


def test_S52_an_illegal_answer_is_told_to_its_sender_alone() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    error = table.ask(stark, AnswerPrompt("1", table.room, 10, Choose("fly")))
    assert error == Error("illegal", "Bid.", id="1", path="answer.type", hint="Send a bid.", rules=["BID-1"])
    assert stark.heard() == lannister.heard() == []
    assert isinstance(table.bid(stark, 1), Ok)


def test_before_the_start_nobody_is_asked() -> None:
    table = Table()
    stark = table.seat("stark")
    assert table.ask(stark, AnswerPrompt("1", table.room, 10, Bid(1))).code == "not_your_prompt"


def test_X17_spectators_only_watch() -> None:
    table = Table()
    stark, *_ = table.full()
    watcher = Player()
    outsider = Player()
    table.enter(watcher)
    watcher.heard()
    before = table.machine.document()
    for message in (
        AnswerPrompt("1", table.room, 10, Bid(1)),
        Retract("2", table.room, 10),
        Say("3", table.room, "all", "hello"),
    ):
        assert table.ask(watcher, message).code == "forbidden"
        assert table.ask(outsider, message).code == "forbidden"
    assert table.machine.document() == before
    assert stark.heard() == watcher.heard() == []


def test_X19_nobody_enters_with_a_wrong_token() -> None:
    table = Table()
    table.full()
    other = Table(private=True)
    other.seat("stark")
    player = Player()
    for token in ("", "guess", table.made.invites["stark"], table.made.host, other.tokens["stark"][::-1]):
        error = table.ask(player, Enter("1", table.room, token=token))
        assert (error.code, error.path) == ("bad_token", "token")
    assert player.heard() == []


def test_a_free_seat_has_no_token_at_all() -> None:
    table = Table()
    assert table.ask(Player(), Enter("1", table.room, token="")).code == "bad_token"


def test_S08_X16_a_spectator_sees_no_more_than_any_seat() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.bid(stark, 3)
    watcher = Player()
    table.enter(watcher)
    seen = watcher.views[table.room]
    for player in (stark, lannister):
        assert {key: value for key, value in player.views[table.room].items() if key != "you"} == seen
    assert "you" not in seen


def test_S36_presence_is_counted_by_seat() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    second = Player("json")
    table.enter(second, "stark")
    assert lannister.heard() == []
    table.desk.gone(stark)
    assert lannister.heard() == []
    table.desk.gone(second)
    assert lannister.only() == Presence(table.room, ["lannister", "baratheon"])
    table.enter(stark, "stark")
    assert lannister.only() == Presence(table.room, ["stark", "lannister", "baratheon"])


def test_S38_leaving_keeps_the_seat() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    assert isinstance(table.ask(stark, Leave("1", table.room)), Ok)
    assert isinstance(table.ask(stark, Leave("1", table.room)), Ok)
    table.bid(lannister, 1)
    assert stark.heard() == []
    assert table.ask(stark, AnswerPrompt("2", table.room, 10, Bid(1))).code == "forbidden"
    table.enter(stark, "stark")
    assert isinstance(table.bid(stark, 1), Ok)


def test_entering_as_somebody_else_changes_what_one_is() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.enter(stark)
    assert "you" not in stark.views[table.room]
    assert lannister.only() == Presence(table.room, ["lannister", "baratheon"])
    assert stark.kinds() == ["Snapshot"]
    assert table.ask(stark, AnswerPrompt("2", table.room, 10, Bid(1))).code == "forbidden"


def test_X35_after_the_end_there_is_only_to_look() -> None:
    table = Table()
    players = table.full()
    for _ in range(3):
        for player in players:
            assert isinstance(table.bid(player, 2), Ok)
    view = players[0].views[table.room]
    assert view["phase"] == "over"
    assert "prompt" not in view["you"]
    assert table.ask(players[0], AnswerPrompt("x", table.room, 30, Bid(1))).code == "room_over"
    assert table.ask(players[0], Retract("y", table.room, 30)).code == "room_over"
    assert table.ask(Player(), TakeSeat("1", table.room, "x", house="stark")).code == "room_over"
    assert table.ask(table.host, Host("1", table.room, table.made.host, "close")).code == "room_over"
    late = Player()
    table.enter(late)
    assert late.views[table.room] == {key: value for key, value in view.items() if key != "you"}


def test_S21_the_seed_is_shown_when_the_game_is_over_and_not_before() -> None:
    table = Table()
    players = table.full()
    seed = table.machine.birth.seed.hex()
    for _ in range(3):
        for player in players:
            assert seed not in str([player.views, player.frames])
            table.bid(player, 2)
    options = players[0].views[table.room]["options"]
    assert options["seed"] == seed
    assert sha256(bytes.fromhex(seed)).hexdigest() == options["seed_sha256"]


@pytest.mark.parametrize("started", [False, True])
def test_the_host_closes_the_room(started: bool) -> None:
    table = Table()
    players = table.full() if started else [table.seat("stark")]
    players[0].heard()
    assert isinstance(table.ask(table.host, Host("1", table.room, table.made.host, "close")), Ok)
    update = players[0].only()
    assert update.events == [{"type": "room_closed"}]
    view = players[0].views[table.room]
    assert view["phase"] == "over"
    assert "waiting" not in view
    assert view["you"] == {"house": "stark"}
    assert table.ask(players[0], AnswerPrompt("x", table.room, 10, Bid(1))).code == "room_over"
    late = Player()
    table.enter(late, "stark")
    assert late.views[table.room] == view


def test_press_goes_to_those_it_is_for() -> None:
    table = Table()
    stark, lannister, baratheon = table.full()
    watcher = Player()
    table.enter(watcher)
    watcher.heard()
    seq = table.machine.seq
    assert isinstance(table.ask(stark, Say("1", table.room, "all", "winter is coming")), Ok)
    said = Said(table.room, "stark", "all", "winter is coming", int(table.clock.at * 1000))
    assert [player.only() for player in (stark, lannister, baratheon, watcher)] == [said] * 4
    table.ask(stark, Say("2", table.room, ["lannister"], "psst"))
    assert stark.only() == lannister.only() == Said(table.room, "stark", ["lannister"], "psst", said.at + 1)
    assert baratheon.heard() == watcher.heard() == []
    error = table.ask(stark, Say("3", table.room, ["lannister", "frey"], "psst"))
    assert (error.code, error.path) == ("not_found", "to[1]")
    assert lannister.heard() == []
    assert table.machine.seq == seq


def test_S56_a_fault_in_the_game_is_survived() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    with structlog.testing.capture_logs() as log:
        error = table.ask(stark, AnswerPrompt("1", table.room, 10, Choose("boom")))
    assert error.code == "internal"
    told = log[0]
    assert (told["event"], told["fault"]) == ("fault", "RuntimeError")
    assert (told["room"], told["seat"], told["seq"]) == (table.room, "stark", table.machine.seq)
    assert "riverrun" not in str(stark.frames) + str(log)
    assert lannister.heard() == []
    assert isinstance(table.bid(stark, 3), Ok)
    assert isinstance(table.bid(lannister, 3), Ok)


@pytest.mark.parametrize("second", ["1", "2"])
def test_S56_the_same_fault_twice_freezes_the_room(second: str) -> None:
    table = Table()
    stark, lannister, _ = table.full()
    table.ask(stark, AnswerPrompt("1", table.room, 10, Choose("boom")))
    assert table.ask(stark, AnswerPrompt(second, table.room, 10, Choose("boom"))).code == "internal"
    update = lannister.only()
    assert update.events == [{"type": "room_frozen"}]
    assert lannister.views[table.room]["frozen"] is True
    assert table.bid(lannister, 1).code == "room_frozen"
    assert isinstance(table.ask(lannister, Say("s", table.room, "all", "what now?")), Ok)
    table.enter(Player())
    assert isinstance(table.ask(table.host, Host("1", table.room, table.made.host, "close")), Ok)


def test_S56_many_different_faults_freeze_the_room_too() -> None:
    table = Table()
    stark, *_ = table.full()
    for number in range(20):
        table.ask(stark, AnswerPrompt(f"f{number}", table.room, 10, Choose(f"boom{number}")))
    assert table.machine.frozen


def test_a_game_that_cannot_start_costs_nobody_a_seat() -> None:
    table = Table()
    table.seat("stark")
    table.seat("lannister")
    table.rules.broken = True
    take = TakeSeat("1", table.room, "Bob", house="baratheon")
    player = Player()
    assert table.ask(player, take).code == "internal"
    assert table.machine.seats.free == ["baratheon"]
    table.rules.broken = False
    assert table.ask(player, take).house == "baratheon"


def test_options_are_what_was_asked_for() -> None:
    table = Table(5, tides=True, private=True, autostart=False)
    options = table.machine.document()["options"]
    assert {key: options[key] for key in ("players", "tides", "private", "autostart")} == {
        "players": 5,
        "tides": True,
        "private": True,
        "autostart": False,
    }
    assert RoomOptions() == RoomOptions(tides=False, private=False, autostart=True)


Step = tuple[int, str, int]
STEPS = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from(["bid", "retract", "drop", "enter", "resume", "watch"]), st.integers(0, 9)
    ),
    max_size=60,
)


@given(STEPS)
def test_S01_S04_whatever_the_order_nobody_is_stuck_and_everybody_sees_the_same(steps: list[Step]) -> None:
    """Bids, retractions, drops and returns in any order: every request gets one reply, every view stays true."""
    table = Table()
    players = table.full()
    watcher = Player("json")
    table.enter(watcher)
    for number, what, power in steps:
        player, house = players[number], HOUSES[number]
        match what:
            case "bid" if table.room in player.views and "prompt" in player.views[table.room].get("you", {}):
                assert isinstance(table.bid(player, power), Ok | Error)
            case "retract":
                assert isinstance(table.ask(player, Retract(table.fresh(), table.room, 10)), Ok | Error)
            case "drop":
                table.desk.gone(player)
            case "enter":
                assert isinstance(table.enter(player, house), Ok)
            case "resume":
                since = player.views[table.room]["seq"]
                assert isinstance(table.enter(player, house, since=since), Ok)
            case "watch":
                table.enter(Player())
        public = table.machine.document()
        assert watcher.views[table.room] == public
        for house, player in zip(HOUSES, players, strict=False):
            if player in table.machine.audience:
                assert player.views[table.room] == {**public, "you": table.machine.you(house)}
        assert (public["phase"] == "over") == ("waiting" not in public)
    for player, house in zip(players, HOUSES, strict=False):
        table.enter(player, house)
    while table.machine.phase != "over":
        for player in players:
            if "prompt" in player.views[table.room]["you"]:
                assert isinstance(table.bid(player, 1), Ok)


def test_the_same_randomness_gives_the_same_bytes() -> None:
    def frames() -> list[object]:
        table = Table()
        players = table.full()
        for power, player in enumerate(players):
            table.bid(player, power)
        return [player.frames for player in (*players, table.host)]

    assert frames() == frames()


def test_a_resumed_view_is_the_whole_view() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    since = stark.views[table.room]["seq"]
    table.bid(stark, 1)
    table.desk.gone(stark)
    table.bid(lannister, 1)
    stark.heard()
    back = Player()
    back.views = {table.room: stark.views[table.room]}
    table.enter(back, "stark", since=back.views[table.room]["seq"])
    assert back.kinds() == ["Update", "Private", "Presence"]
    whole = Player()
    table.enter(whole, "stark")
    assert back.views == whole.views
    assert since < back.views[table.room]["seq"]
    assert isinstance(whole.heard()[-1], Snapshot)
