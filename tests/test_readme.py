"""The programs in the README, taken out of it as they are and run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kill.process import Server

README = Path(__file__).parents[1] / "README.md"
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)


def test_the_bot_is_short():
    assert len(PROGRAMS) == 2
    assert len([line for line in PROGRAMS[0].splitlines() if line]) <= 20


@pytest.mark.parametrize("program", PROGRAMS, ids=["bot", "notebook"])
def test_every_program_plays_a_whole_game(program, tmp_path):
    server = Server(tmp_path / "data", "--bot-pace", "0")
    server.start()
    script = tmp_path / "my_bot.py"
    script.write_text(program.replace("ws://127.0.0.1:8000/ws", server.url))
    try:
        ran = subprocess.run(
            [sys.executable, script], capture_output=True, text=True, timeout=120, check=False, cwd=tmp_path
        )
    finally:
        server.stop()
    assert ran.stderr == ""
    assert ran.returncode == 0
    assert "'winner': '" in ran.stdout.splitlines()[-1]
