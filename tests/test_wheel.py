"""What is in the wheel: the schema and the page for bot authors, and nothing of other languages."""

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from protocol.schema import text

ROOT = Path(__file__).parents[1]


def test_the_schema_is_in_the_wheel(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as files:
        names = files.namelist()
        assert files.read("protocol/schema.json").decode() == text()
    assert "protocol/PROTOCOL.md" in names
    assert not [name for name in names if "examples" in name or "tests" in name]
