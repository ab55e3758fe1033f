"""Who gets new rooms, and who gives rooms away: it evens out, and then it is quiet."""

from collections import Counter
from random import Random

import pytest

from server.cluster.balance import BAND, CORE_ROOMS, MOST, Load, birthplace, gift, spread
from server.cluster.gifts import EVEN_SECONDS
from server.cluster.nodes import TELL_SECONDS


def test_a_new_room_stays_unless_another_node_has_clearly_less_to_do():
    assert birthplace(Load(0), {}) == ""
    assert birthplace(Load(BAND - 1), {"b": Load(0)}) == ""
    assert birthplace(Load(BAND), {"b": Load(0), "c": Load(1)}) == "b"
    assert birthplace(Load(0, busy=0.9), {"b": Load(10, busy=0.1)}) == "b"
    assert birthplace(Load(5), {"b": Load(0, busy=1.0)}) == ""


def test_a_little_work_says_nothing_of_rooms():
    assert Load(3, busy=0.2).weight == Load(3).weight == 3
    assert Load(0, busy=1.0).weight == pytest.approx(0.75 * CORE_ROOMS)


def test_rooms_are_given_to_the_lightest_node_a_few_at_a_time():
    assert gift(Load(100), {}) is None
    assert gift(Load(100), {"b": Load(50), "c": Load(0)}) == ("c", MOST)
    assert gift(Load(BAND), {"b": Load(0)}) is None
    assert gift(Load(BAND + 1), {"b": Load(0)}) == ("b", 3)
    assert gift(Load(1000), {"b": Load(820)}) is None
    assert gift(Load(0, busy=1.0), {"b": Load(0)}) is None


def test_however_many_give_at_once_nobody_gets_more_than_they_keep():
    for nodes in range(2, 30):
        for rooms in (9, 20, 50, 1000):
            others = {str(n): Load(rooms) for n in range(nodes - 2)} | {"light": Load(0)}
            given = gift(Load(rooms), others)
            if given:
                assert given.rooms * (nodes - 1) <= rooms - given.rooms + BAND


def test_a_node_that_stops_spreads_its_rooms():
    assert spread(["r"], {}) == {}
    heirs = spread([str(n) for n in range(10)], {"b": Load(0), "c": Load(4)})
    assert Counter(heirs.values()) == {"b": 7, "c": 3}


@pytest.mark.parametrize("seed", range(20))
def test_from_any_start_it_evens_out_and_then_nothing_moves(seed):
    """Nodes that see each other as they were up to a second ago, on a clock that is turned; a core's noise on top."""
    rng = Random(seed)
    names = "abcdef"[: rng.randint(2, 6)]
    home = {f"r{n}": rng.choice([names[0], rng.choice(names)]) for n in range(rng.choice([10, 60, 300]))}
    moves, last = Counter[str](), 0.0
    clocks = {name: rng.uniform(0, EVEN_SECONDS) for name in names}
    seen: dict[str, Load] = {}
    told = 0.0
    for tick in range(int(600 / 0.1)):
        now = tick * 0.1
        if now >= told:
            told += TELL_SECONDS
            counted = Counter(home.values())
            seen = {name: Load(counted[name], busy=rng.uniform(0, 0.25)) for name in names}
        for name in names:
            if now < clocks[name]:
                continue
            clocks[name] += EVEN_SECONDS
            mine = Load(sum(at == name for at in home.values()), busy=seen[name].busy)
            given = gift(mine, {other: seen[other] for other in names if other != name})
            for room in [room for room, at in home.items() if at == name][: given.rooms if given else 0]:
                home[room] = given.node
                moves[room] += 1
                last = now
    counted = Counter(home.values())
    most, least = max(counted[name] for name in names), min(counted[name] for name in names)
    assert most - least <= max(BAND, least / 4)
    assert max(moves.values(), default=0) <= 1, "a room that was moved was moved on"
    assert last < 300
