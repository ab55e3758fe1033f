"""Merge patches (RFC 7396): what changed between two documents, and how to follow it.

Documents never hold null, because in a patch null means "remove this key". Neither function changes what it is given;
results share with it whatever did not change.
"""

from typing import Any, Final

_ABSENT: Final = object()


def diff(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The smallest patch that makes `new` of `old`; empty if they are equal."""
    if old is new:
        return {}
    patch: dict[str, Any] = {} if old.keys() <= new.keys() else {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key, _ABSENT)
        if before is value:
            continue
        if isinstance(before, dict) and isinstance(value, dict):
            if inner := diff(before, value):
                patch[key] = inner
        elif before != value or not _same(before, value):
            patch[key] = value
    return patch


def apply(document: Any, patch: Any) -> Any:
    """`document` with `patch` applied."""
    if not isinstance(patch, dict):
        return patch
    result = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict):
            result[key] = apply(result.get(key), value)
        else:
            result[key] = value
    return result


def _same(one: Any, other: Any) -> bool:
    """Whether what is equal in Python is so in JSON, where true is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return all(map(_same, one, other))
    return not isinstance(one, dict) or all(_same(one[key], other[key]) for key in one)
