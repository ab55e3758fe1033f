"""PROTOCOL.md is current, and what it names is there."""

import re
from pathlib import Path

import protocol
from protocol.docs import PAGE, renew
from protocol.errors import CODES
from protocol.wire import MAX_CLIENT_FRAME, MAX_SERVER_FRAME
from server.config import Config
from server.rooms import replies
from server.rooms.pace import PATIENCE
from server.rooms.room import HEARD

TEXT = PAGE.read_text()


def test_the_tables_are_current():
    assert renew(TEXT) == TEXT, "run: python -m protocol.docs"


def test_links_inside_the_page_lead_somewhere():
    headings = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= anchors


def test_the_numbers_in_the_text_are_those_of_the_code():
    assert f"the last {replies.KEPT} requests" in TEXT
    assert f"what you missed of the last {HEARD}." in TEXT
    assert f"A seat of which {PATIENCE} answers were refused" in TEXT
    assert f"take up\n  to {MAX_SERVER_FRAME // 2**20} MiB" in TEXT
    assert f"at most {MAX_CLIENT_FRAME // 2**10} KiB" in TEXT
    assert f"about every {Config.ping_interval} seconds" in TEXT


def test_every_code_that_the_server_uses_is_in_the_table():
    root = Path(protocol.__file__).parent.parent
    sources = [path.read_text() for part in ("server", "protocol") for path in (root / part).rglob("*.py")]
    used = {code for source in sources for code in re.findall(r'(?:Refused|refuse|Error)\(\s*"([a-z_]+)"', source)}
    assert used
    assert used <= CODES.keys()
