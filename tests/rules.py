"""Which tests speak of which rule: `make rules` writes the table RULES_TESTED.md, and a test holds it to the truth.

A rule is spoken of by a rule case that lists it, or by a test file that names it.
"""

import re
from collections import defaultdict
from pathlib import Path

from server.scenario.files import read

TESTS = Path(__file__).parent
PAGE = TESTS / "RULES_TESTED.md"
RULES = TESTS.parent / "server" / "game" / "RULES.md"

UNTESTED = {
    "CMB-2": "the order of the steps; every combat goes through it",
    "HCD-4": "a definition",
}
"""Rules that no test can name for itself, with the reason."""


def rule_ids() -> list[str]:
    """All ids of RULES.md but those of differing sources, in their order."""
    ids = re.findall(r"^- ([A-Z]{3}-[A-Z]?\d+)\b", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    return [i for i in dict.fromkeys(ids) if not i.startswith("DIF-")]


def spoken_of() -> dict[str, list[str]]:
    """By rule id: the cases and test files that speak of it."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted((TESTS / "scenarios").glob("*.yaml")):
        for case in read(file):
            edge = re.match(r"EDG-\d+", case["case"])
            for rule in dict.fromkeys([*case.get("rules", []), *([edge[0]] if edge else [])]):
                found[rule].append(f"{file.stem}: {case['case']}")
    for test in sorted(TESTS.rglob("test_*.py")):
        for rule in dict.fromkeys(re.findall(r"\b[A-Z]{3}-[A-Z]?\d+\b", test.read_text(encoding="utf-8"))):
            found[rule].append(str(test.relative_to(TESTS)))
    return found


def page() -> str:
    """The table."""
    found, ids = spoken_of(), rule_ids()
    lines = [
        "# Rules and their tests",
        "",
        "Written by `make rules`. The ids are those of `server/game/RULES.md`; names before a colon are files of rule cases.",
        "",
        f"{sum(i in found for i in ids)} of {len(ids)} rules are spoken of by a test.",
        "",
        "| rule | tests |",
        "| --- | --- |",
    ]
    for rule in ids:
        tests = found.get(rule, [])
        more = f" and {len(tests) - 6} more" if len(tests) > 6 else ""
        lines.append(
            f"| {rule} | {', '.join(tests[:6])}{more or ''} |" if tests else f"| {rule} | none: {UNTESTED[rule]} |"
        )
    return "\n".join(lines) + "\n"


def missing() -> list[str]:
    """The rules that no test speaks of and for which no reason is given."""
    found = spoken_of()
    return [rule for rule in rule_ids() if rule not in found and rule not in UNTESTED]


if __name__ == "__main__":
    if gaps := missing():
        raise SystemExit("no test speaks of: " + ", ".join(gaps))
    PAGE.write_text(page(), encoding="utf-8")
