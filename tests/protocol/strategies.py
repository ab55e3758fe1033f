"""Random plain data, for the properties of the protocol."""

from typing import Any

from hypothesis import strategies as st

Docs = st.SearchStrategy[dict[str, Any]]

keys = st.text(max_size=6)
scalars = st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)
documents: Docs = st.dictionaries(keys, values, max_size=6)
"""JSON objects without null anywhere, as the game's documents are."""
anything = st.recursive(
    scalars | st.none() | st.floats() | st.binary(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.integers(0, 9), inner, max_size=3)
    ),
    max_leaves=8,
)
"""Whatever MessagePack can carry."""
