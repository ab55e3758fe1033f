"""Recorded games are still the same games, and a difference is found and named."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from server.cli import main
from server.game.game import RULES_VERSION
from server.replay.record import Checkpoint, Differs, compare, read, replay, write

FILES = sorted((Path(__file__).parent.parent / "replays").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_recorded_game_replays_the_same(file):
    record = read(file)
    assert record.rules == RULES_VERSION
    *_, (_, _, game) = replay(record)
    assert game.over
    assert record.checkpoints[-1].inputs == len(record.inputs)
    assert record.checkpoints[-1].document["result"] == game.public()["result"]


def test_there_is_a_game_of_every_size():
    assert len(FILES) == 8


def test_a_difference_is_named(tmp_path):
    record = read(FILES[0])
    mark = record.checkpoints[0]
    other = {**mark.document, "threat": 99}
    wrong = replace(record, checkpoints=[Checkpoint(mark.inputs, "0" * 64, other), *record.checkpoints[1:]])
    with pytest.raises(Differs, match=rf"after input {mark.inputs} the replay differs in threat \(99 was recorded"):
        list(replay(wrong))
    hidden = Checkpoint(mark.inputs, "0" * 64, mark.document)
    with pytest.raises(Differs, match="only the server sees"):
        compare(hidden, mark)
    file = tmp_path / "wrong.json"
    write(wrong, file)
    run = CliRunner().invoke(main, ["replay", "--quiet", str(file)])
    assert run.exit_code == 1
    assert "differs in threat" in run.output


def test_an_altered_answer_is_found(tmp_path):
    record = read(FILES[0])
    file = tmp_path / "altered.json"
    write(replace(record, inputs=[*record.inputs[1:2], *record.inputs[1:]]), file)
    run = CliRunner().invoke(main, ["replay", "--quiet", str(file)])
    assert run.exit_code == 1


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": 9}'])
def test_a_file_that_is_no_record(tmp_path, text):
    file = tmp_path / "none.json"
    file.write_text(text)
    run = CliRunner().invoke(main, ["replay", str(file)])
    assert run.exit_code == 1
    assert "is no recorded game" in run.output


def test_replay_prints_the_game():
    run = CliRunner().invoke(main, ["replay", str(FILES[0])])
    assert run.exit_code == 0, run.output
    assert "wins the game" in run.output
    assert "all the same as recorded" in run.output
