"""PROTOCOL.md is current, and what it shows is what the code understands."""

import re
from pathlib import Path

import pytest

import protocol
from protocol.docs import PAGE, renew
from protocol.errors import CODES
from protocol.wire import WireError, decode_client, decode_server

TEXT = PAGE.read_text()
SHOWN = re.findall(r"^([<>]) (\{.*\})$", TEXT, re.MULTILINE)


def test_the_tables_are_current():
    assert renew(TEXT) == TEXT, "run: python -m protocol.docs"


def test_there_are_examples():
    assert len(SHOWN) >= 10


@pytest.mark.parametrize("at", range(len(SHOWN)))
def test_examples_are_messages_and_refused_ones_are_refused_as_shown(at):
    side, frame = SHOWN[at]
    if side == "<":
        decode_server(frame, "json")
        return
    try:
        decode_client(frame, "json")
    except WireError as error:
        assert decode_server(SHOWN[at + 1][1], "json") == error.to_message()


def test_links_inside_the_page_lead_somewhere():
    headings = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= anchors


def test_every_code_that_the_server_uses_is_in_the_table():
    root = Path(protocol.__file__).parent.parent
    sources = [path.read_text() for part in ("server", "protocol") for path in (root / part).rglob("*.py")]
    used = {code for source in sources for code in re.findall(r'(?:Refused|refuse|Error)\(\s*"([a-z_]+)"', source)}
    assert used
    assert used <= CODES.keys()
