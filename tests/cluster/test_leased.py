"""Leases as a node sees them, by a clock that is turned: they end here before they end in the database."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from protocol.messages import RoomLine
from server.cluster.leased import GUARD_SECONDS, LEASE_SECONDS, Leased
from server.rooms.archive import Elsewhere, Unavailable
from server.store import errors
from server.store.records import Line, Stored

ROOM = "room"
LINE = RoomLine(ROOM, 3, "lobby", [], 0)


class Database:
    """Leases in a database whose clock runs with the node's, and the little of a store that is needed."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slow = 0.0
        """For so long an answer takes on its way back."""
        self.until: dict[str, float] = {}
        self.epoch = 0
        self.down = False
        self.owner = ""

    def __call__(self) -> float:
        return self.now

    async def create(self, created: bytes, line: Line, node: str = "") -> None:
        self.epoch = 1
        self._write(line.room)

    async def claim(self, room: str) -> Stored:
        if self.owner:
            raise errors.Elsewhere(self.owner)
        self.epoch += 1
        self._write(room)
        return Stored(self.epoch, 0, b"", Line(room, 3, False, "lobby", 0, [], 0), None, [])

    async def renew(self, held: Mapping[str, int]) -> set[str]:
        kept = {room for room in held if self.until.get(room, 0) > self.now}
        for room in kept:
            self._write(room)
        return kept

    async def release(self, held: Mapping[str, int]) -> None:
        if self.down:
            raise errors.Unavailable("down")
        for room, epoch in held.items():
            if epoch == self.epoch:
                self.until.pop(room, None)

    async def hand(self, held: Mapping[str, int], heirs: Mapping[str, str]) -> set[str]:
        if self.down:
            raise errors.Unavailable("down")
        given = {room for room, epoch in held.items() if epoch == self.epoch and room in self.until}
        self.owner = next((heirs[room] for room in given), self.owner)
        return given

    async def press(self, room: str, limit: int) -> list[Any]:
        return []

    def _write(self, room: str) -> None:
        if self.down:
            raise errors.Unavailable("down")
        self.until[room] = self.now + LEASE_SECONDS
        self.now += self.slow


@pytest.fixture
def database() -> Database:
    return Database()


@pytest.fixture
def leased(database: Database) -> Leased:
    stand_in: Any = database
    return Leased(stand_in, stand_in, stand_in, lambda: not database.down, database)


async def test_a_room_is_held_for_as_long_as_its_lease_and_no_longer(database: Database, leased: Leased) -> None:
    assert not leased.holds(ROOM)
    await leased.create(ROOM, b"", LINE, False, 0)
    database.now += LEASE_SECONDS - GUARD_SECONDS - 0.01
    assert leased.holds(ROOM) and leased.over() == []
    database.now += 0.02
    assert not leased.holds(ROOM) and leased.over() == [ROOM]
    assert database.until[ROOM] > database.now


async def test_the_time_that_an_answer_takes_is_no_time_of_the_lease(database: Database, leased: Leased) -> None:
    database.slow = 4
    assert await leased.bring(ROOM)
    database.now += 2
    assert not leased.holds(ROOM)
    assert database.until[ROOM] >= database.now
    await leased.renew()
    assert not leased.holds(ROOM)


async def test_a_lease_that_is_renewed_goes_on(database: Database, leased: Leased) -> None:
    await leased.bring(ROOM)
    for _ in range(10):
        database.now += 4
        await leased.renew()
        assert leased.holds(ROOM)


async def test_a_frozen_node_finds_its_leases_over_and_does_not_renew_them(database: Database, leased: Leased) -> None:
    await leased.bring(ROOM)
    database.now += 100
    assert not leased.holds(ROOM)
    await leased.renew()
    assert not leased.holds(ROOM) and leased.over() == [ROOM]


async def test_what_another_node_has_is_known_to_be_there(database: Database, leased: Leased) -> None:
    database.owner = "other"
    with pytest.raises(Elsewhere):
        await leased.bring(ROOM)
    assert leased.where[ROOM].node == "other"
    database.owner = ""
    await leased.bring(ROOM)
    assert leased.where == {}


async def test_what_has_left_memory_is_given_back_and_what_came_again_is_not(
    database: Database, leased: Leased
) -> None:
    await leased.bring(ROOM)
    leased.release(ROOM)
    assert not leased.holds(ROOM)
    await leased.bring(ROOM)
    await leased.give_back()
    assert leased.holds(ROOM) and ROOM in database.until
    leased.release(ROOM)
    await leased.give_back()
    assert ROOM not in database.until


async def test_what_could_not_be_given_back_is_given_back_later(database: Database, leased: Leased) -> None:
    await leased.bring(ROOM)
    leased.release(ROOM)
    database.down = True
    with pytest.raises(errors.Unavailable):
        await leased.give_back()
    await leased.give_all_back()  # a node that stops does not mind
    database.down = False
    await leased.give_back()
    assert ROOM not in database.until


async def test_a_node_that_nobody_can_reach_takes_no_rooms(database: Database, leased: Leased) -> None:
    database.down = True
    with pytest.raises(Unavailable):
        await leased.bring(ROOM)
    with pytest.raises(Unavailable):
        await leased.create(ROOM, b"", LINE, False, 0)
    assert database.until == {} and not leased.holds(ROOM)


async def test_a_database_that_does_not_answer_is_unavailable(
    database: Database, leased: Leased, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.cluster.leased.ANSWER_SECONDS", 0.01)
    monkeypatch.setattr(database, "claim", lambda room: asyncio.sleep(60))
    with pytest.raises(Unavailable):
        await leased.bring(ROOM)
    assert not leased.holds(ROOM)


async def test_a_room_that_is_given_away_is_not_held_from_that_moment_on(database: Database, leased: Leased) -> None:
    await leased.bring(ROOM)
    giving = asyncio.ensure_future(leased.hand({ROOM: "other", "another room": "other"}))
    await asyncio.sleep(0)
    assert not leased.holds(ROOM) and leased.where[ROOM].node == "other"
    assert await giving == {ROOM}
    with pytest.raises(Elsewhere):
        await leased.bring(ROOM)


async def test_what_could_not_be_given_away_is_let_go(database: Database, leased: Leased) -> None:
    await leased.bring(ROOM)
    database.down = True
    assert await leased.hand({ROOM: "other"}) == set()
    assert not leased.holds(ROOM)
    database.down = False
    await leased.give_back()
    assert ROOM not in database.until


async def test_a_room_may_be_born_on_another_node(database: Database, leased: Leased) -> None:
    told: list[tuple[str, str]] = []
    leased.birthplace = lambda room: "other"
    leased.born = lambda room, node: told.append((room, node))
    await leased.create(ROOM, b"", LINE, False, 0)
    assert not leased.holds(ROOM) and leased.where[ROOM].node == "other" and told == [(ROOM, "other")]


async def test_a_room_whose_lease_ended_while_it_was_brought_is_not_brought(
    database: Database, leased: Leased, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def frozen(room: str, limit: int) -> list[Any]:
        database.now += 100
        for room in leased.over():  # as the tick does, which may come first
            leased.release(room)
        return []

    monkeypatch.setattr(database, "press", frozen)
    with pytest.raises(Unavailable):
        await leased.bring(ROOM)
    assert not leased.holds(ROOM)
