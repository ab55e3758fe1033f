"""Reading files of rule cases."""

from pathlib import Path
from typing import Any

import yaml


class BadFile(Exception):  # noqa: N818 - it is the file that is bad
    """A file that holds no list of cases; the text says where."""


def read(path: Path) -> list[dict[str, Any]]:
    """The cases of a file. Raises `BadFile`."""
    try:
        cases = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadFile(f"{path}: {error}") from None
    if not isinstance(cases, list):
        raise BadFile(f"{path}: must hold a list of cases")
    for n, case in enumerate(cases):
        if not isinstance(case, dict) or not {"case", "setup", "play"} <= case.keys():
            raise BadFile(f"{path}: entry {n + 1} must be a map with case, setup and play")
    return cases
