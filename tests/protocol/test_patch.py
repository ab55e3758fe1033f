"""The laws of merge patches, and the examples of RFC 7396."""

import json
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.patch import apply, diff
from tests.protocol.strategies import documents, keys, values


def exactly(document):
    """Text that tells true from 1 and does not care for the order of keys."""
    return json.dumps(document, sort_keys=True)


@given(documents, documents)
def test_a_patch_makes_the_one_of_the_other(old, new):
    assert exactly(apply(old, diff(old, new))) == exactly(new)


@given(documents, st.dictionaries(keys, values, max_size=3))
def test_a_small_change_is_followed(old, change):
    new = apply(old, change)
    assert exactly(apply(old, diff(old, new))) == exactly(new)


@given(documents)
def test_equal_documents_differ_in_nothing(document):
    assert diff(document, document) == {}
    assert diff(document, deepcopy(document)) == {}


@given(documents, documents)
def test_nothing_given_is_changed(old, new):
    before = exactly(old), exactly(new)
    patch = diff(old, new)
    said = exactly(patch)
    apply(old, patch)
    assert (exactly(old), exactly(new), exactly(patch)) == (*before, said)


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        ({}, {"a": {}}, {"a": {}}),
        ({"a": 1}, {"a": {}}, {"a": {}}),
        ({"a": {}}, {}, {"a": None}),
        ({"a": {"b": 1}}, {"a": {}}, {"a": {"b": None}}),
        ({"a": {"b": 1}}, {"a": 1}, {"a": 1}),
        ({"a": 1}, {"a": {"b": {}}}, {"a": {"b": {}}}),
        ({"a": True}, {"a": 1}, {"a": 1}),
        ({"a": [1, {"b": 0}]}, {"a": [1, {"b": False}]}, {"a": [1, {"b": False}]}),
        ({"a": [1], "b": 2}, {"a": [1], "b": 3}, {"b": 3}),
    ],
)
def test_patches_are_the_smallest(old, new, patch):
    assert exactly(diff(old, new)) == exactly(patch)
    assert exactly(apply(old, patch)) == exactly(new)


def test_parts_that_did_not_change_are_shared():
    old = {"areas": {"winterfell": {"units": {"footman": 1}}, "pyke": {}}, "round": 1}
    new = apply(old, {"round": 2, "areas": {"pyke": {"owner": "greyjoy"}}})
    assert new["areas"]["winterfell"] is old["areas"]["winterfell"]


def test_identical_parts_are_not_looked_into():
    class Untouchable(dict):
        def items(self):
            raise AssertionError

    part = Untouchable(a=1)
    assert diff({"x": part, "y": 1}, {"x": part, "y": 2}) == {"y": 2}


@pytest.mark.parametrize(
    ("original", "patch", "result"),
    [  # RFC 7396, appendix A
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
        (["a", "b"], ["c", "d"], ["c", "d"]),
        ({"a": "b"}, ["c"], ["c"]),
        ({"a": "foo"}, None, None),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_the_examples_of_the_rfc(original, patch, result):
    assert apply(original, patch) == result
