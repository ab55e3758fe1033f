"""Whatever is done to a stored room behind the store's back is found when the room is claimed."""

import pytest

from server.store.errors import Torn
from server.store.records import Birth
from server.store.store import Store
from tests.store.rows import entry, line, tamper, work

HARM = {
    "another body": ("UPDATE entries SET body = :other WHERE room = 'a' AND n = 6", 6),
    "another seat": ("UPDATE entries SET seat = 'tyrell' WHERE room = 'a' AND n = 7", 7),
    "another id": ("UPDATE entries SET client_id = :other WHERE room = 'a' AND n = 7", 7),
    "bytes that are no text": ("UPDATE entries SET client_id = :bytes WHERE room = 'a' AND n = 7", 0),
    "another time": ("UPDATE entries SET at = at + 1 WHERE room = 'a' AND n = 8", 8),
    "another epoch": ("UPDATE entries SET epoch = 2 WHERE room = 'a' AND n = 8", 8),
    "another check": ("UPDATE entries SET \"check\" = :other WHERE room = 'a' AND n = 5", 5),
    "no check": ("UPDATE entries SET \"check\" = :nothing WHERE room = 'a' AND n = 5", 5),
    "the first after the snapshot is gone": ("DELETE FROM entries WHERE room = 'a' AND n = 5", 5),
    "one in the middle is gone": ("DELETE FROM entries WHERE room = 'a' AND n = 6", 6),
    "the last is gone": ("DELETE FROM entries WHERE room = 'a' AND n = 8", 8),
    "all are gone": ("DELETE FROM entries WHERE room = 'a'", 5),
    "two have changed places": (
        "UPDATE entries SET client_id = (SELECT e.client_id FROM entries e WHERE e.room = 'a' AND e.n = 13 - entries.n)"
        " WHERE room = 'a' AND n IN (6, 7)",
        6,
    ),
    "moved to the end": ("UPDATE entries SET n = 9 WHERE room = 'a' AND n = 6", 6),
    "from another room": (
        'UPDATE entries SET "check" = (SELECT e."check" FROM entries e WHERE e.room = \'b\' AND e.n = entries.n)'
        " WHERE room = 'a'",
        5,
    ),
    "one too many": (
        'INSERT INTO entries SELECT room, 9, epoch, at, seat, client_id, body, "check" FROM entries'
        " WHERE room = 'a' AND n = 8",
        9,
    ),
    "an end that never was": ("UPDATE rooms SET n = 9 WHERE room = 'a'", 9),
    "an earlier end": ("UPDATE rooms SET n = 7 WHERE room = 'a'", 8),
    "another end": ("UPDATE rooms SET head = :other WHERE room = 'a'", 8),
    "another birth": ("UPDATE rooms SET created = :other WHERE room = 'a'", 0),
    "another snapshot": ("UPDATE snapshots SET body = :other WHERE room = 'a'", 4),
    "a snapshot of another moment": ("UPDATE snapshots SET n = 5 WHERE room = 'a'", 6),
    "a snapshot of the future": ("UPDATE snapshots SET n = 9 WHERE room = 'a'", 9),
    "a snapshot after another check": ("UPDATE snapshots SET \"check\" = :other WHERE room = 'a'", 4),
}


async def _two_rooms(store: Store) -> None:
    for room in ("a", "b"):
        first, then = work(room, count=4, snapshot=b"state"), work(room, after=4, count=4)
        await store.commit([Birth(line(room), room.encode()), first, then])


@pytest.mark.parametrize(("sql", "n"), HARM.values(), ids=HARM)
async def test_harm_is_found_and_keeps_to_its_room(store: Store, sql: str, n: int):
    await _two_rooms(store)
    values = {"other": b"another", "bytes": b"\xff\xfe", "nothing": b""}
    touched = await tamper(store, sql, **{name: value for name, value in values.items() if f":{name}" in sql})
    assert touched > 0
    with pytest.raises(Torn) as torn:
        await store.claim("a")
    assert (torn.value.room, torn.value.n) == ("a", n)
    assert (await store.claim("b")).entries == [entry(each) for each in range(5, 9)]


async def test_a_lost_snapshot_is_no_harm_while_all_entries_are_there(store: Store):
    await _two_rooms(store)
    await tamper(store, "DELETE FROM snapshots")
    assert (await store.claim("a")).entries == [entry(each) for each in range(1, 9)]


async def test_a_torn_room_takes_no_writes_of_its_owner_before(store: Store):
    await _two_rooms(store)
    await tamper(store, "DELETE FROM entries WHERE room = 'a' AND n = 6")
    with pytest.raises(Torn):
        await store.claim("a")
    assert [outcome.value for outcome in await store.commit([work("a", after=8), work("b", after=8)])] == [
        "stale",
        "done",
    ]
