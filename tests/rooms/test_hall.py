"""All rooms of a node: made, listed, found, forgotten."""

import hmac

from protocol.messages import CreateRoom, Enter, Host, Leave, ListRooms, RoomFilter, RoomLine, TakeSeat
from server.rooms import keys
from server.rooms.desk import MAX_ENTERED
from server.rooms.hall import LOBBY_SECONDS, OVER_SECONDS
from server.rooms.lobby import LISTED as PAGE
from tests.rooms.table import Player, Stream, Table


def test_public_rooms_are_listed_newest_first() -> None:
    table = Table()
    table.seat("stark")
    player = Player()
    newer = table.ask(player, CreateRoom("1", 6)).room
    listed = table.ask(player, ListRooms("2"))
    assert listed.rooms == [
        RoomLine(newer, 6, "lobby", ["stark", "lannister", "baratheon", "greyjoy", "tyrell", "martell"]),
        RoomLine(table.room, 3, "lobby", ["lannister", "baratheon"]),
    ]
    assert not listed.more


def test_private_rooms_are_not_listed() -> None:
    table = Table(private=True)
    assert table.ask(Player(), ListRooms("1")).rooms == []
    assert table.enter(Player())


def test_rooms_are_listed_by_phase() -> None:
    table = Table()
    table.full()
    (line,) = table.ask(Player(), ListRooms("1", RoomFilter(phase="playing"))).rooms
    assert (line.phase, line.free, line.round) == ("playing", [], 1)
    assert table.ask(Player(), ListRooms("2", RoomFilter(phase="lobby"))).rooms == []
    table.ask(table.host, Host("1", table.room, table.made.host, "close"))
    assert len(table.ask(Player(), ListRooms("3", RoomFilter(phase="over"))).rooms) == 1


def test_lists_have_pages() -> None:
    table = Table(max_rooms=1000)
    player = Player()
    for number in range(PAGE + 4):
        table.ask(player, CreateRoom(str(number), 3))
    pages = [table.ask(player, ListRooms("p", RoomFilter(page=page))) for page in range(3)]
    assert [len(page.rooms) for page in pages] == [PAGE, 5, 0]
    assert [page.more for page in pages] == [True, False, False]
    assert len({line.room for page in pages for line in page.rooms}) == PAGE + 5


def test_an_unknown_room_is_not_found() -> None:
    table = Table()
    player = Player()
    for message in (
        Enter("1", "nowhere"),
        Leave("2", "nowhere"),
        TakeSeat("3", "nowhere", "x", house="stark"),
        Host("4", "nowhere", "x", "start"),
    ):
        error = table.ask(player, message)
        assert (error.code, error.path) == ("not_found", "room")


def test_there_is_an_end_to_rooms() -> None:
    table = Table(max_rooms=2)
    player = Player()
    table.ask(player, CreateRoom("1", 3))
    assert table.ask(player, CreateRoom("2", 3)).code == "too_many_rooms"
    table.clock.at += LOBBY_SECONDS
    assert table.ask(player, CreateRoom("3", 3)).room
    assert len(table.desk.hall) == 1


def test_finished_rooms_are_forgotten_when_nobody_looks_any_more() -> None:
    table = Table()
    watcher = Player()
    table.enter(watcher)
    table.ask(table.host, Host("1", table.room, table.made.host, "close"))
    table.clock.at += 2 * OVER_SECONDS
    assert table.desk.hall.sweep() == 0
    table.desk.gone(watcher)
    table.clock.at += OVER_SECONDS - 1
    assert table.desk.hall.sweep() == 0
    table.clock.at += 1
    assert table.desk.hall.sweep() == 1
    assert table.ask(Player(), Enter("2", table.room)).code == "not_found"


def test_S73_rooms_that_never_started_are_forgotten_and_games_are_not() -> None:
    table = Table()
    for player in table.full():
        table.desk.gone(player)
    lobby = table.ask(Player(), CreateRoom("1", 3)).room
    table.clock.at += LOBBY_SECONDS
    assert table.desk.hall.sweep() == 1
    assert table.ask(Player(), Enter("2", lobby)).code == "not_found"
    assert table.desk.hall.find(table.room)


def test_a_connection_is_in_a_bounded_number_of_rooms() -> None:
    table = Table(max_rooms=MAX_ENTERED + 10)
    player = Player()
    made = [table.ask(Player(), CreateRoom("c", 3)).room for _ in range(MAX_ENTERED + 1)]
    for room in made[:-1]:
        assert table.ask(player, Enter("1", room)).seq == 0
    assert table.ask(player, Enter("1", made[-1])).code == "too_many_rooms"
    assert table.ask(player, Enter("1", made[0])).seq == 0
    table.ask(player, Leave("2", made[0]))
    assert table.ask(player, Enter("1", made[-1])).seq == 0


def test_draining_takes_nothing_new() -> None:
    table = Table()
    stark, *_ = table.full()
    table.desk.draining = True
    assert table.bid(stark, 1).code == "server_draining"
    assert table.ask(stark, CreateRoom("1", 3)).code == "server_draining"


def test_a_lost_connection_leaves_all_its_rooms() -> None:
    table = Table()
    stark, lannister, _ = table.full()
    other = table.ask(stark, CreateRoom("1", 3)).room
    table.ask(stark, Enter("2", other))
    table.desk.gone(stark)
    table.desk.gone(stark)
    assert not table.desk.hall.find(other).audience
    assert lannister.views[table.room]["houses"]["stark"]["connected"] is False
    assert table.desk.refresh(stark, table.room) is False


def test_a_refreshed_view_is_whole() -> None:
    table = Table()
    stark, *_ = table.full()
    view = stark.views.pop(table.room)
    assert table.desk.refresh(stark, table.room)
    assert stark.views[table.room] == view


def test_keys_are_long_and_kept_as_hashes_only() -> None:
    table = Table()
    table.full()
    secrets = [table.made.host, *table.made.invites.values(), *table.tokens.values()]
    assert len(set(secrets)) == 7
    assert all(len(secret) == 43 for secret in secrets)
    seats = [table.machine.seats[house] for house in table.tokens]
    kept = [table.machine.birth.host, *(key for seat in seats for key in (*seat.tokens, seat.invite))]
    assert len(kept) == 7
    assert {len(value) for value in kept} == {32}
    assert not {secret.encode() for secret in secrets} & set(kept)


def test_keys_are_compared_in_constant_time(monkeypatch) -> None:
    calls = []
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: calls.append((a, b)) or a == b)
    key = keys.new_key(Stream())
    assert keys.fits(key, keys.digest(key))
    assert not keys.fits(key + "x", keys.digest(key))
    assert len(calls) == 2


def test_room_ids_are_short_and_plain() -> None:
    stream = Stream()
    ids = {keys.new_room_id(stream) for _ in range(500)}
    assert len(ids) == 500
    assert all(len(id_) == 10 and id_.isalnum() and id_ == id_.lower() for id_ in ids)
