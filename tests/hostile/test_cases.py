"""No case is without a test, and no test of it was renamed or lost."""

import ast
from pathlib import Path

import pytest

from tests.gateway.abuse import TABLE
from tests.hostile import cases

ROOT = Path(__file__).parents[2]


def functions(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("case", cases.CASES)
def test_every_case_has_its_tests(case: str) -> None:
    _, *tests = cases.CASES[case]
    assert tests
    for test in tests:
        path, _, name = test.partition("::")
        assert name in functions(path), test
    in_table = {abuse.case for abuse in TABLE}
    assert (case in in_table) or (cases.TABLE not in tests)


def test_every_frame_of_the_table_is_of_a_case() -> None:
    assert {abuse.case for abuse in TABLE} - cases.CASES.keys() <= {"S25", "S92"}
    assert len(cases.CASES) == 49
