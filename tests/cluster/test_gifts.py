"""Which rooms are given away, and what an operator is told who wants one moved."""

from types import SimpleNamespace
from typing import Any

from server.cluster.balance import STAY_SECONDS, Load
from server.cluster.gifts import Gifts
from server.cluster.words import VERSION, Move, Take


class Node:
    """A node with some rooms, by name: each with what is to be known of it."""

    def __init__(self, rooms: dict[str, dict[str, Any]], others: dict[str, Load]) -> None:
        self.lost: list[str] = []
        self.said: list[tuple[str, Any]] = []
        self.given: dict[str, str] = {}
        living = {name: self._living(**rooms[name]) for name in rooms}
        hall = SimpleNamespace(now=lambda: 1_000_000, in_memory=lambda: list(living), living=living.get)
        desk: Any = SimpleNamespace(hall=hall, draining=False, lose=self.lost.append)
        leased: Any = SimpleNamespace(
            since=lambda name: rooms[name].get("here", 1000.0), hand=self._hand, promised=set[str](), taken=True
        )
        self.leased = leased
        mail: Any = SimpleNamespace(node="here", say=lambda node, word: self.said.append((node, word)))
        nodes: Any = SimpleNamespace(mine=Load(len(rooms)), others=lambda: others, sent=lambda node, count: None)
        self.gifts = Gifts(desk, mail, leased, nodes)

    @staticmethod
    def _living(*, idle: int = 5000, pending: int = 0, epoch: int = 2, here: float = 0) -> Any:
        room = SimpleNamespace(touched=1_000_000 - idle)
        return SimpleNamespace(room=room, visited=0, pending=pending, lost=False, epoch=epoch)

    async def _hand(self, heirs: dict[str, str]) -> set[str]:
        if not self.leased.taken:
            return set()
        self.given |= heirs
        return set(heirs)


def test_only_rooms_at_rest_go_the_one_idle_for_longest_first() -> None:
    rooms: dict[str, dict[str, Any]] = {
        "written": {"pending": 1},
        "played": {"idle": 100},
        "just come": {"here": STAY_SECONDS - 1},
        "born here": {"here": 1.0, "epoch": 1, "idle": 700},
        "idle": {"idle": 9000},
        "idle for longest": {"idle": 99_000},
    }
    assert Node(rooms, {}).gifts._idle(10) == ["idle for longest", "idle", "born here"]
    assert Node(rooms, {}).gifts._idle(1) == ["idle for longest"]


async def test_a_room_goes_where_an_operator_wants_it() -> None:
    node = Node({"r": {"here": 0.0, "idle": 0}}, {"there": Load(9)})
    assert (await node.gifts.move(Move(VERSION, "r", "there"))).why == ""
    assert node.given == {"r": "there"} and node.lost == ["r"] and node.said == [("there", Take(["r"]))]


async def test_what_cannot_be_moved_stays_and_the_operator_is_told() -> None:
    node = Node({"r": {}}, {"there": Load(9)})
    for room, to, why in (("r", "here", "on that node"), ("r", "nowhere", "takes no rooms"), ("s", "there", "not got")):
        assert why in (await node.gifts.move(Move(VERSION, room, to))).why
    assert not node.lost and not node.said
    node.leased.taken = False
    assert "database" in (await node.gifts.move(Move(VERSION, "r", "there"))).why
    assert not node.said and node.lost == ["r"]  # nobody is shown anything until it is known where it is


async def test_a_node_that_stops_gives_all_and_one_that_is_alone_gives_nothing() -> None:
    node = Node({"a": {"pending": 1}, "b": {}}, {"x": Load(0), "y": Load(0)})
    await node.gifts.give_all()
    assert node.given == {"a": "x", "b": "y"} and node.lost == ["a", "b"]
    alone = Node({"a": {}}, {})
    await alone.gifts.give_all()
    assert not alone.given and not alone.lost


def test_rooms_are_born_elsewhere_unless_they_shall_stay() -> None:
    node = Node({str(n): {} for n in range(20)}, {"there": Load(0)})
    assert node.leased.birthplace("r") == "there"
    node.gifts.sharing = False
    assert node.leased.birthplace("r") == ""
