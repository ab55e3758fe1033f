"""`marchwarden rooms` on the store of a real server: while it runs, and when it is stopped."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from protocol.notebook import connect_sync
from server.cli import main
from tests.kill.process import Server


def rooms(*arguments):
    return CliRunner().invoke(main, ["rooms", *map(str, arguments)])


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A running server with a game that is over, a private one that is not, and where its store is."""
    data = Path(tmp_path_factory.mktemp("rooms")) / "data"
    server = Server(data, "--bot-pace", "0")
    server.start()
    with connect_sync(server.url) as client:
        over = client.create_room(3)
        table = client.enter(over.room)
        client.host(over.room, over.host, "bots", kind="random")
        while not table.over:
            table.changed()
        going = client.create_room(3, private=True, bots=2)
        client.take_seat(going.room, "Arya", invite=going.invites["stark"])
        seen = client.enter(going.room)
        while seen.view["waiting"] != ["stark"]:
            seen.changed()
    yield server, data, over.room, going.room
    server.stop()


def test_rooms_of_a_running_server_are_listed(played):
    _, data, over, going = played
    listed = rooms("list", "--data", data)
    assert listed.exit_code == 0, listed.output
    assert over in listed.output
    assert going in listed.output
    found = [
        json.loads(line) for line in rooms("list", "--data", data, "--phase", "playing", "--json").output.splitlines()
    ]
    assert [(line["room"], line["private"]) for line in found] == [(going, True)]


def test_a_room_is_exported_while_the_server_runs_and_the_server_is_not_disturbed(played, tmp_path):
    server, data, over, going = played
    file = tmp_path / "game.json"
    exported = rooms("export", over, file, "--data", data)
    assert exported.exit_code == 0, exported.output
    assert "a whole game of 3 players" in exported.output
    verified = CliRunner().invoke(main, ["replay", "--as", "all", str(file)])
    assert verified.exit_code == 0, verified.output
    assert "wins the game" in verified.output
    assert rooms("export", going, tmp_path / "going.json", "--unfinished", "--data", data).exit_code == 0
    with connect_sync(server.url) as client:
        assert client.enter(going).view["phase"] == "planning"


def test_secrets_of_a_game_that_goes_on_are_not_exported_unless_asked_for(played, tmp_path):
    _, data, _, going = played
    file = tmp_path / "going.json"
    refused = rooms("export", going, file, "--data", data)
    assert refused.exit_code == 1
    assert "not over" in refused.output
    assert not file.exists()


def test_what_is_not_there_is_said(played, tmp_path):
    _, data, over, _ = played
    assert "there is no room nowhere" in rooms("export", "nowhere", tmp_path / "x", "--data", data).output
    assert "there is no store" in rooms("list", "--data", tmp_path / "nothing").output
    assert not (tmp_path / "nothing").exists()
    assert rooms("export", over, tmp_path / "no" / "such" / "folder", "--data", data).exit_code == 1


def test_a_room_is_closed_when_the_server_is_stopped(played):
    server, data, over, going = played
    assert "in use by another process" in rooms("close", going, "--data", data).output
    server.stop()
    assert rooms("close", going, "--data", data).output == f"room {going} is closed\n"
    assert "is over already" in rooms("close", going, "--data", data).output
    assert "is over already" in rooms("close", over, "--data", data).output
    assert "there is no room nowhere" in rooms("close", "nowhere", "--data", data).output
    server.start()
    with connect_sync(server.url) as client:
        view = client.enter(going).view
        assert view["phase"] == "over"
        assert "result" not in view


def test_a_log_that_was_altered_is_not_exported(played, tmp_path):
    server, data, over, _ = played
    server.stop()
    with closing(sqlite3.connect(data / "marchwarden.db")) as database, database:
        database.execute("update entries set at = at + 1 where room = ? and n = 5", (over,))
    refused = rooms("export", over, tmp_path / "x.json", "--data", data)
    server.start()
    assert refused.exit_code == 1
    assert "entry 5" in refused.output
