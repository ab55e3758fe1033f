"""A spliced frame is the message that encoding the whole would have made."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.messages import Snapshot, Update
from protocol.shared import shared_snapshot, shared_update
from protocol.wire import decode_server, encode
from tests.protocol.strategies import documents, scalars, values

public = documents.map(lambda document: {key: value for key, value in document.items() if key != "you"})
patches = st.dictionaries(st.text(max_size=6), values | st.none(), max_size=5)
formats = st.sampled_from(["msgpack", "json"])


@given(
    public, patches | st.none(), st.lists(documents, max_size=3), st.text(max_size=8), st.integers(0, 2**53), formats
)
def test_an_update_is_spliced(patch, you, events, room, seq, fmt):
    shared = shared_update(room, seq, patch, events, fmt)
    whole = patch if you is None else patch | {"you": you}
    assert decode_server(shared.for_seat(you), fmt) == Update(room, seq, whole, events)
    assert decode_server(shared.for_spectator(), fmt) == Update(room, seq, patch, events)


@given(public, documents | st.none(), st.text(max_size=8), st.integers(0, 2**53), formats)
def test_a_snapshot_is_spliced(view, you, room, seq, fmt):
    shared = shared_snapshot(room, seq, view, fmt)
    whole = view if you is None else view | {"you": you}
    assert decode_server(shared.for_seat(you), fmt) == Snapshot(room, seq, whole)
    assert decode_server(shared.for_spectator(), fmt) == Snapshot(room, seq, view)


@pytest.mark.parametrize("size", [0, 1, 14, 15, 16, 17, 65_534, 65_535])
@pytest.mark.parametrize("fmt", ["msgpack", "json"])
def test_maps_of_every_size(size, fmt):
    view: dict[str, Any] = {str(number): 1 for number in range(size)}
    you = {"house": "stark"}
    frame = shared_snapshot("r", 3, view, fmt).for_seat(you)
    assert len(frame) == len(encode(Snapshot("r", 3, view | {"you": you}), fmt))
    if size < 65_000:
        assert decode_server(frame, fmt) == Snapshot("r", 3, view | {"you": you})


@given(scalars)
def test_frames_are_of_the_kind_of_their_format(value):
    assert isinstance(shared_update("r", 1, {"a": value}, [], "msgpack").for_seat({}), bytes)
    assert isinstance(shared_update("r", 1, {"a": value}, [], "json").for_seat({}), str)
