"""What `make compiled` makes plays the same games, to the byte, and keeps them as well."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kill.process import Server
from tests.kill.test_sigkill import prove

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


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the compiled server is."""
    if shutil.which("cc") is None and shutil.which("gcc") is None:
        pytest.skip("there is no C compiler")
    folder = tmp_path_factory.mktemp("compiled")
    assert f"PYTHONPATH={folder}" in run(ROOT, ROOT / "deploy" / "compile.py", folder)
    return folder


def test_the_compiled_server_sends_the_same_frames(compiled: Path) -> None:
    program = ROOT / "tests" / "compiled" / "frames.py"
    plain, *as_ever = run(ROOT, program, str(GAMES)).split()
    module, *found = run(compiled, program, str(GAMES)).split()
    assert Path(plain) == ROOT / "server" / "rooms" / "room.py"
    assert Path(module).parent == compiled / "server" / "rooms"
    assert Path(module).suffix == ".so"
    assert len(as_ever) == GAMES
    assert found == as_ever


async def test_the_compiled_server_loses_nothing_when_it_is_killed(compiled: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    await prove(Server(data, where=compiled), data, kills=4)


def test_a_call_without_a_folder_says_how_it_is_meant() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "deploy" / "compile.py"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "build/compiled" in done.stderr
