"""The rule cases, every one."""

from pathlib import Path

import pytest

from server.scenario.case import play
from server.scenario.files import read

FOLDER = Path(__file__).parent.parent / "scenarios"
CASES = [(file, case) for file in sorted(FOLDER.glob("*.yaml")) for case in read(file)]


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{file.stem}:{case['case']}") for file, case in CASES])
def test_case(case):
    assert play(case) == []


def test_case_names_are_unique():
    names = [case["case"] for _, case in CASES]
    assert len(set(names)) == len(names)
