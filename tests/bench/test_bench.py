"""The benchmark runs, and its JSON has the names that others look for. How fast anything is, no test says."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.bench import memory, report
from tests.bench.__main__ import main

KEYS = {
    *("reveal_ratio_durable", "reveal_ratio_memory", "cpu_us_per_answer", "cpu_s_per_game"),
    *("bytes_per_answer", "snapshot_bytes", "commit", "machine"),
}


def test_the_json_of_a_tiny_run_has_every_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "OUT", tmp_path)
    done = CliRunner().invoke(main, ["--only", "turns,games,engine", "--tiny"])
    assert done.exit_code == 0, done.output
    found = json.loads((tmp_path / "latest.json").read_text())
    assert found.keys() >= KEYS
    assert all(found[key] for key in KEYS)
    for name in ("reveals_a_second_durable_2_rooms", "cpu_us_per_answer"):
        assert {"here", "relay", "ratio"} <= found["figures"][name].keys()
    assert (tmp_path / "latest.png").exists()


def test_memory_is_named_by_how_much_was_there() -> None:
    sides = memory.Sides(200, 100)
    full = memory.figures(memory.SIZES["full"], memory.Sides(70, 30), sides, 250, sides)
    assert {"rss_mb_400_rooms", "rss_mb_10k_idle"} <= {figure.key for figure in full}
    tiny = memory.figures(memory.SIZES["tiny"], memory.Sides(70, 30), sides, 250, sides)
    assert {"rss_mb_5_rooms", "rss_mb_20_idle"} <= {figure.key for figure in tiny}


def test_an_unknown_part_is_named_with_those_there_are() -> None:
    done = CliRunner().invoke(main, ["--only", "turns,speed"])
    assert done.exit_code == 2
    assert "there is no speed" in done.output
    assert "turns, games" in done.output
