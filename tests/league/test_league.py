"""The league: its figures, its tables, its command."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli import main
from server.league.match import Score, fixtures, play
from server.league.run import scores
from server.league.tally import tallied, wilson


def league(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["league", "--workers", "1", "--seed", "1", *arguments])


def test_wilson_gives_the_textbook_interval():
    low, high = wilson(60, 100)
    assert (round(low, 4), round(high, 4)) == (0.5020, 0.6906)
    assert wilson(0, 10)[0] == 0.0
    assert wilson(10, 10)[1] == pytest.approx(1.0)
    assert wilson(0, 0) == (0.0, 1.0)


def test_everybody_sits_everywhere_equally_often():
    seats = {(f.turn, n, f.table[(n - f.turn) % 3]) for f in fixtures(("a", "b", "c"), 3, 0) for n in range(3)}
    assert len(seats) == 9
    assert len({f.seed for f in fixtures(("a", "b", "c"), 50, 0)}) == 50


def test_a_game_can_be_played_again():
    (fixture,) = fixtures(("random", "steward", "random"), 1, 4)
    assert play(fixture) == play(fixture)


def test_several_processes_play_the_same_games():
    plan = fixtures(("random", "random", "random"), 4, 2)
    assert sorted(scores(plan, 2), key=lambda s: s.number) == list(scores(plan, 1))


def test_a_tally_counts_places_and_houses():
    played = [Score(0, (0, 1, 2), ("stark", "lannister", "baratheon"), 10, "rounds", 200)]
    played.append(Score(1, (2, 0, 1), ("stark", "lannister", "baratheon"), 6, "structures", 100))
    figures = tallied({"one": [0], "rest": [1, 2]}, played)
    one = figures["one"].figures()
    assert (one["games"], one["wins"], one["rate"], one["even"]) == (2, 1, 0.5, 0.3333)
    assert (one["place"], one["rounds"]) == (1.5, 8.0)
    assert one["houses"] == {"lannister": {"wins": 0, "games": 1}, "stark": {"wins": 1, "games": 1}}
    assert figures["rest"].figures()["wins"] == 1


def test_one_against_others_writes_its_figures_and_a_picture(tmp_path: Path):
    figures, picture = tmp_path / "league.json", tmp_path / "league.png"
    done = league(
        *("--one", "steward", "--against", "random", "--games", "3", "--players", "3"),
        *("--json", str(figures), "--plot", str(picture)),
    )
    assert done.exit_code == 0, done.output
    found = json.loads(figures.read_text())
    assert {"games", "wins", "rate", "low", "high"} <= found.keys()
    assert found["games"] == 3
    assert found["low"] <= found["rate"] <= found["high"]
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_free_for_all_tells_of_every_kind(tmp_path: Path):
    figures = tmp_path / "league.json"
    done = league("--kinds", "steward,random", "--games", "2", "--players", "4", "--json", str(figures))
    assert done.exit_code == 0, done.output
    kinds = json.loads(figures.read_text())["kinds"]
    assert kinds.keys() == {"steward", "random"}
    assert sum(kind["wins"] for kind in kinds.values()) == 2


def test_a_kind_may_play_against_itself():
    done = league("--one", "random", "--against", "random", "--games", "3", "--players", "3")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--games", "1"), "--one KIND and --against KIND"),
        (("--one", "steward"), "--one KIND and --against KIND"),
        (("--one", "king", "--against", "random"), "'king' is not one of"),
        (("--kinds", "steward,king"), "choose from random, steward, regent"),
        (("--kinds", "steward", "--one", "random"), "either --kinds"),
        (("--kinds", "steward,random,regent,random", "--players", "3"), "do not fit at a table of 3"),
    ],
)
def test_what_cannot_be_played_is_said_at_once(arguments, said):
    done = league(*arguments)
    assert done.exit_code == 2
    assert said in " ".join(done.output.replace("│", " ").split())
