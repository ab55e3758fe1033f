"""Every transcript of PROTOCOL.md, sent to a server again: what comes back is what the page shows."""

import re

import pytest

from protocol.docs import PAGE
from tests.transcripts import BEGINNINGS, renew, shortened

TEXT = PAGE.read_text()
FRAMES = re.findall(r"^\w*[<>] .*$", TEXT, re.MULTILINE)


def test_every_transcript_is_what_a_server_says():
    assert renew(TEXT) == TEXT, "run: make docs"


def test_no_frame_stands_outside_of_a_transcript():
    first = TEXT.index("<!-- transcript: ")
    assert not re.search(r"^\w*[<>] \{", TEXT[:first], re.MULTILINE)
    assert re.findall(r"<!-- transcript: (\w+) -->", TEXT) == list(BEGINNINGS)
    assert len(FRAMES) > 30


def test_two_seats_see_a_neutral_force_fall_to_joint_support():
    falls = [frame.split("<")[0] for frame in FRAMES if '"neutral":null,"owner":"tyrell"' in frame]
    assert falls == ["tyrell", "baratheon"]
    asked = [frame for frame in FRAMES if '"kind":"support"' in frame]
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("was", "wrong"),
    [
        ('"needed":3,"total":3', '"needed":3,"total":4'),
        ('"waiting":["baratheon","tyrell"]', '"waiting":["tyrell"]'),
        ("found integer 0.", "found integer 1."),
        ('"type":"ok","id":"t2"', '"type":"ok","id":"t3"'),
        (
            '"patch":{"seq":12,"waiting":["baratheon"],"you":{"prompt":null}}',
            '"patch":{"seq":12,"waiting":["baratheon"]}',
        ),
    ],
)
def test_a_frame_that_is_wrong_on_the_page_is_noticed(was, wrong):
    assert was in TEXT
    assert renew(TEXT.replace(was, wrong, 1)) == TEXT


def test_a_frame_that_is_not_on_the_page_or_never_came_is_noticed():
    lines = TEXT.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("tyrell< ") and '"seq":12' in line)
    assert renew("\n".join(lines[:at] + lines[at + 1 :])) != "\n".join(lines[:at] + lines[at + 1 :])
    assert renew("\n".join([*lines[:at], lines[at], *lines[at:]])) != "\n".join([*lines[:at], lines[at], *lines[at:]])


@pytest.mark.parametrize(
    ("real", "shown", "left"),
    [
        ({"a": 1, "b": 2}, {"b": 0, "…": "…"}, {"b": 2, "…": "…"}),
        ({"a": 1, "b": 2}, {"b": 0}, {"a": 1, "b": 2}),
        ({"b": 2}, {"b": 0, "…": "…"}, {"b": 2}),
        ({"b": 2, "c": 3}, {"a": 0, "…": "…"}, {"…": "…"}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"…": "…"}}, {"a": {"…": "…"}}),
        ([1, 2, 3], [9, "…"], [1, "…"]),
        ([1, 2], [9, 9, "…"], [1, 2]),
        ([1, 2], [9], [1, 2]),
        ([], ["…"], []),
        ([{"a": 1, "b": 2}], [{"a": 0, "…": "…"}], [{"a": 1, "…": "…"}]),
    ],
)
def test_only_what_is_left_out_is_marked(real, shown, left):
    assert shortened(real, shown) == left
