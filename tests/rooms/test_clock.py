"""Clocks, with times turned by hand (S60, S62, S64, S65, S10)."""

from datetime import UTC, datetime

from protocol.messages import ClockOptions
from server.rooms.clock import HOUR, Clock

LIVE = ClockOptions("live", bank=100, increment=10)
DAILY = ClockOptions("daily", span=24, hour=18)


def at(day: int, hour: int) -> int:
    return int(datetime(2026, 11, day, hour, tzinfo=UTC).timestamp() * 1000)


def test_without_options_nothing_is_ever_due():
    clock = Clock(None, ["stark"])
    clock.follow(1000, {"stark": 1})
    assert clock.deadlines() == {}
    assert clock.shown("stark") == {}


def test_the_increment_runs_before_the_bank():
    clock = Clock(LIVE, ["stark", "tyrell"])
    clock.follow(1_000, {"stark": 1})
    assert clock.deadlines() == {"stark": 111_000}
    clock.follow(9_000, {"tyrell": 2})
    assert clock.hands["stark"].bank == 100_000
    clock.follow(10_000, {"stark": 3})
    clock.follow(50_000, {})
    assert clock.hands["stark"].bank == 70_000
    assert clock.shown("stark") == {"bank": 70_000}


def test_S64_taking_an_answer_back_wins_no_time():
    clock = Clock(LIVE, ["stark"])
    clock.follow(0 + 1, {"stark": 1})
    for n in range(20):
        clock.follow(6_000 * n + 6_001, {})
        clock.follow(6_000 * n + 6_001, {"stark": 1})
    # 120 seconds were spent in all: 10 of increment and all 100 of the bank
    assert clock.hands["stark"].bank == 0
    assert clock.deadline("stark") <= 120_001


def test_S60_deadlines_are_absolute():
    clock = Clock(LIVE, ["stark"])
    clock.follow(1_000, {"stark": 1})
    other = Clock(LIVE, ["stark"])
    other.hands, other.paused = dict(clock.hands), clock.paused
    assert other.deadlines() == clock.deadlines()


def test_S65_a_pause_moves_all_deadlines_together():
    for options in (LIVE, DAILY):
        clock = Clock(options, ["stark", "tyrell"])
        clock.follow(1_000, {"stark": 1})
        clock.follow(3_000, {"stark": 1, "tyrell": 2})
        before = clock.deadlines()
        clock.pause(4_000)
        clock.pause(5_000)
        assert clock.deadlines() == {}
        clock.resume(64_000)
        assert clock.deadlines() == {house: due + 60_000 for house, due in before.items()}


def test_an_extension_is_for_those_who_owe():
    clock = Clock(LIVE, ["stark", "tyrell"])
    clock.follow(1_000, {"stark": 1})
    clock.extend(30_000)
    assert clock.deadlines() == {"stark": 141_000}
    assert clock.hands["tyrell"].bank == 100_000


def test_S10_daily_deadlines_keep_their_hour():
    clock = Clock(DAILY, ["stark"])
    when = [
        (at(10, 17), at(11, 18)),
        (at(11, 18), at(12, 18)),
        (at(12, 5), at(12, 18)),
        (at(12, 7), at(13, 18)),
        (at(13, 18) + 1, at(14, 18)),
    ]
    for prompt, (asked, due) in enumerate(when, 1):
        clock.follow(asked, {"stark": prompt})
        assert clock.deadline("stark") == due
    assert (at(14, 18) - at(10, 18)) % (24 * HOUR) == 0


def test_absence_and_return():
    clock = Clock(LIVE, ["stark"])
    assert clock.missed("stark") is False
    assert clock.missed("stark") is True
    assert clock.hands["stark"].autopilot
    assert clock.missed("stark") is False
    assert clock.present("stark") is True
    assert clock.present("stark") is False
    assert not clock.hands["stark"].autopilot
