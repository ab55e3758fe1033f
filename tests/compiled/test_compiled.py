"""What `make compiled` makes plays the same games, to the byte."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GAMES = 12


def run(where: Path, *command: str | Path) -> str:
    """What a program says that imports the server from there."""
    environment = {**os.environ, "PYTHONPATH": str(where), "PYTHONHASHSEED": "0"}
    done = subprocess.run(
        [sys.executable, *map(str, command)], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.skipif(shutil.which("cc") is None and shutil.which("gcc") is None, reason="there is no C compiler")
def test_the_compiled_server_sends_the_same_frames(tmp_path: Path) -> None:
    said = run(ROOT, ROOT / "deploy" / "compile.py", tmp_path)
    assert f"PYTHONPATH={tmp_path}" in said
    program = ROOT / "tests" / "compiled" / "frames.py"
    plain, *as_ever = run(ROOT, program, str(GAMES)).split()
    compiled, *found = run(tmp_path, program, str(GAMES)).split()
    assert Path(plain) == ROOT / "server" / "rooms" / "room.py"
    assert Path(compiled).parent == tmp_path / "server" / "rooms"
    assert Path(compiled).suffix == ".so"
    assert len(as_ever) == GAMES
    assert found == as_ever


def test_a_call_without_a_folder_says_how_it_is_meant() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "compile.py"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "build/compiled" in done.stderr
