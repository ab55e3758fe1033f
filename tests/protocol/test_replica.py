"""A replica follows the server's messages, whatever is lost or repeated on the way."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import Private, Snapshot, Update
from protocol.patch import diff
from protocol.prompts import ChoosePrompt
from protocol.replica import Replica
from tests.protocol.strategies import documents

ASK = {"answer": "choose", "id": 7, "kind": "blade", "options": ["use", "pass"]}


@given(st.lists(documents, min_size=1, max_size=6), st.data())
def test_it_holds_the_last_document_that_came_without_a_gap(history, data):
    updates = [Update("r", seq, diff(*history[seq - 1 : seq + 1])) for seq in range(1, len(history))]
    replica = Replica()
    assert replica.feed(Snapshot("r", 0, history[0])) == "new"
    for update in data.draw(st.lists(st.sampled_from(updates), max_size=12)) if updates else []:
        before = replica.seq
        expected = "new" if update.seq == before + 1 else "old" if update.seq <= before else "gap"
        assert replica.feed(update) == expected
        assert replica.view == history[replica.seq]


def test_before_the_first_snapshot_everything_is_a_gap():
    replica = Replica()
    assert replica.feed(Update("r", 1, {})) == "gap"
    assert replica.feed(Private("r", 0, {})) == "gap"
    assert (replica.view, replica.seq, replica.prompt, replica.over) == ({}, None, None, False)


def test_private_news_replace_the_seats_part_and_do_not_move_seq():
    replica = Replica()
    replica.feed(Snapshot("r", 3, {"round": 1, "you": {"house": "stark", "orders": {"winterfell": "raid"}}}))
    assert replica.feed(Private("r", 3, {"house": "stark"})) == "new"
    assert (replica.view, replica.seq) == ({"round": 1, "you": {"house": "stark"}}, 3)
    assert replica.feed(Private("r", 2, {})) == "old"
    assert replica.feed(Private("r", 4, {})) == "gap"


def test_a_snapshot_is_believed_even_if_it_is_older():
    replica = Replica()
    replica.feed(Snapshot("r", 30, {"round": 3}))
    assert replica.feed(Snapshot("r", 2, {"round": 1})) == "new"
    assert (replica.view, replica.seq) == ({"round": 1}, 2)


def test_the_prompt_is_typed_and_comes_with_the_update_that_leads_to_it():
    replica = Replica()
    replica.feed(Snapshot("r", 0, {"you": {"house": "stark"}}))
    replica.feed(Update("r", 1, {"you": {"prompt": ASK}}))
    assert replica.prompt == ChoosePrompt(id=7, kind="blade", options=["use", "pass"])
    replica.feed(Update("r", 2, {"you": {"prompt": None}}))
    assert replica.prompt is None


def test_views_that_were_read_do_not_change():
    replica = Replica()
    replica.feed(Snapshot("r", 0, {"areas": {"pyke": {"units": {"ship": 1}}}}))
    before: dict[str, Any] = replica.view
    replica.feed(Update("r", 1, {"areas": {"pyke": {"units": {"ship": 2}}}}))
    assert before == {"areas": {"pyke": {"units": {"ship": 1}}}}


@pytest.mark.parametrize(("phase", "over"), [("planning", False), ("over", True)])
def test_a_game_is_over_when_the_document_says_so(phase, over):
    replica = Replica()
    replica.feed(Snapshot("r", 0, {"phase": phase}))
    assert replica.over is over
