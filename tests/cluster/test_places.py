"""What a client says to a room that cannot be found: it waits within bounds, and is refused in order, all at once."""

import asyncio
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from protocol.messages import Error, Say
from protocol.wire import decode_server
from server.cluster import places
from server.cluster.leased import Whereabouts
from server.cluster.places import QUEUED, Places
from server.rooms.hall import ELSEWHERE, UNAVAILABLE

ROOM = "room"


class Client:
    format = "msgpack"

    def __init__(self) -> None:
        self.heard: list[Error] = []

    def reply(self, frame: bytes) -> None:
        self.heard.append(decode_server(frame, "msgpack"))

    def post(self, room: str, frame: bytes, fresh: bool) -> None:
        raise AssertionError("there is no room")

    @property
    def refused(self) -> list[tuple[str, str]]:
        return [(error.id, error.code) for error in self.heard]


class Node:
    """A node on which no room is; `answer` says why one cannot be brought, and where it is."""

    def __init__(self) -> None:
        self.visits: list[Any] = []
        self.asked: list[str] = []
        self.where: dict[str, Whereabouts] = {}
        self.draining = False
        hall = SimpleNamespace(living=lambda room: None, visit=lambda room, then, fail: self.visits.append(fail))
        desk: Any = SimpleNamespace(hall=hall, draining=False, gone=lambda place: None)
        leased: Any = SimpleNamespace(where=self.where, holds=lambda room: False)
        mail: Any = Mock(node="here")
        nodes: Any = SimpleNamespace(answers=0)
        stand_in: Any = self
        self.places = Places(desk, mail, leased, stand_in, nodes, asyncio.ensure_future)

    async def ask(self, node: str, place: Any, message: Any, *, again: bool) -> str:
        self.asked.append(node)
        return "silent"

    async def visited(self) -> Any:
        await settle()
        return self.visits.pop()


async def settle() -> None:
    """Whatever can be done without waiting for anything is done."""
    for _ in range(50):
        await asyncio.sleep(0)


def say(n: int) -> Say:
    return Say(str(n), ROOM, "all", "hello")


async def test_what_waits_for_a_room_is_refused_with_the_first_of_it() -> None:
    node, client = Node(), Client()
    for n in range(3):
        node.places.handle(client, say(n))
    (await node.visited())(UNAVAILABLE)
    await settle()
    assert client.refused == [(str(n), "unavailable") for n in range(3)]


async def test_only_so_much_waits() -> None:
    node, client = Node(), Client()
    for n in range(QUEUED + 2):
        node.places.handle(client, say(n))
    assert client.refused == [(str(QUEUED), "rate_limited"), (str(QUEUED + 1), "rate_limited")]
    (await node.visited())(UNAVAILABLE)
    await settle()
    assert len(client.heard) == QUEUED + 2


@pytest.mark.parametrize("renews", [True, False])
async def test_a_node_that_says_nothing_is_given_up_only_if_it_is_alive(
    monkeypatch: pytest.MonkeyPatch, renews: bool
) -> None:
    node, client, now = Node(), Client(), 0.0
    monkeypatch.setattr(places, "clock", lambda: now)
    monkeypatch.setattr(places, "PAUSE_SECONDS", 0)
    node.places.handle(client, say(1))
    for turn in range(12):
        fail = await node.visited()
        now = float(turn)
        node.where[ROOM] = Whereabouts("there", 1000 + turn * renews)
        fail(ELSEWHERE)
        await settle()
        if client.heard:
            break
    else:
        now = places.PATIENCE_SECONDS + 1
        (await node.visited())(ELSEWHERE)
        await settle()
    assert client.refused == [("1", "unavailable")]
    assert ("cannot be reached" in client.heard[0].message) == renews
    assert set(node.asked) == {"there"} and (len(node.asked) == places.VAIN) == renews
