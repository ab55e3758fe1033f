"""The game of a room as a file: exported from its log, verified, shown as anybody saw it (server/replay/FORMAT.md)."""

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from server.cli import main
from server.game.game import RULES_VERSION
from server.replay.record import read, replay, write
from server.replay.room import record_of
from server.rooms.entries import pack, unpack
from server.rooms.image import Differs
from tests.replays.rooms import FILE, exported, played


@pytest.fixture(scope="module")
def node():
    return played()


def run(*arguments):
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def test_a_room_is_exported_as_the_game_that_it_was(node):
    record = exported(node)
    assert (record.room, record.rules) == (node.made.room, RULES_VERSION)
    assert record.names["stark"] == "Stark"
    assert record.bots == {"lannister": "steward", "baratheon": "steward"}
    *_, (_, _, game) = replay(record)
    assert game.hash() == node.room.play.hash()
    sha256 = hashlib.sha256(bytes.fromhex(record.seed)).hexdigest()
    assert sha256 == node.room.document()["options"]["seed_sha256"]


def test_what_was_taken_back_is_in_it(node):
    inputs = exported(node).inputs
    assert [given.prompt for given in inputs if not given.house] == [0], "one decision was undone"
    assert [given for given in inputs if given.house and given.answer is None], "and bids were taken back"


def test_the_file_of_this_version_is_read_for_ever():
    record = read(FILE)
    assert record.format == 1
    *_, (_, _, game) = replay(record)
    assert game.over
    assert json.loads(FILE.read_text())["inputs"][0][0] in game.houses
    assert run("--quiet", FILE).exit_code == 0


def test_the_page_tells_every_key():
    page = (Path(__file__).parents[2] / "server" / "replay" / "FORMAT.md").read_text()
    for key in (*json.loads(FILE.read_text()), "hash", "document"):
        assert f"`{key}`" in page, key


def test_an_altered_log_is_no_record(node):
    room, log = node.made.room, list(node.ledger.entries[node.made.room])
    birth = node.ledger.births[room]
    with pytest.raises(Differs, match="entry 1 cannot be applied"):
        record_of(room, birth, log[1:])
    entry, _ = unpack(log[7])
    with pytest.raises(Differs, match="after entry 8 the game is another one"):
        record_of(room, birth, [*log[:7], pack(entry, "0" * 64), *log[8:]])


def test_shown_as_a_house_it_has_that_houses_secrets_and_no_others():
    stark, everybody, nobody = run("--as", "stark", FILE), run("--as", "all", FILE), run(FILE)
    assert {stark.exit_code, everybody.exit_code, nobody.exit_code} == {0}
    assert "> Stark {" in stark.output
    assert "> Lannister {" not in stark.output
    assert "> Stark takes its answer back" in stark.output
    assert "> Lannister {" in everybody.output
    assert "  > " not in nobody.output


def lines(*arguments):
    ran = run("--json", *arguments, FILE)
    assert ran.exit_code == 0, ran.output
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_json_shows_the_document_that_each_viewer_had():
    seat, public, everybody = lines("--as", "lannister"), lines(), lines("--as", "all")
    assert len(seat) == len(public) == len(everybody) == len(read(FILE).inputs) + 1
    for one, other, both in zip(seat, public, everybody, strict=True):
        assert one["view"] == {**other["view"], "you": both["view"]["seats"]["lannister"]}
        assert "you" not in other["view"]
        assert one["events"] == other["events"]
    assert public[-1]["view"]["result"]


def test_an_unfinished_game_shows_no_secrets_unless_it_is_asked_to(tmp_path):
    file = tmp_path / "unfinished.json"
    write(exported(played(most=40)), file)
    assert run(file).exit_code == 0
    for viewer in ("stark", "all"):
        refused = run("--as", viewer, file)
        assert refused.exit_code == 1
        assert "not over" in refused.output
        assert '"orders"' not in refused.output
    assert run("--as", "all", "--unfinished", file).exit_code == 0


def test_a_house_that_does_not_play():
    refused = run("--as", "tyrell", FILE)
    assert refused.exit_code == 2
    assert "here play stark, lannister, baratheon" in refused.output
