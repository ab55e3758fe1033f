"""A type in words, and what is wrong with a value that does not fit it, said so that the sender can mend it.

Faults are looked for only after msgspec has refused a message: its own words name neither the key of a map nor the
words that are allowed.
"""

import re
from typing import Any, NamedTuple

from msgspec import inspect

SHOWN = 40
"""How much of what a client sent is ever repeated to it."""


class Fault(NamedTuple):
    """Where a value does not fit its type, what is wrong there and what to do instead."""

    path: str
    message: str
    hint: str = ""


class Twice:
    """Stands in a decoded document for a map that has `key` twice."""

    def __init__(self, key: object) -> None:
        self.key = key


def describe(kind: inspect.Type, deep: bool = True) -> str:
    """`kind` in words, with its bounds; only the outside of a list or map unless `deep`."""
    match kind:
        case inspect.StrType():
            return "string" + _bounds(kind.min_length, kind.max_length, " characters")
        case inspect.IntType():
            return "integer" + _bounds(kind.ge, kind.le)
        case inspect.BoolType():
            return "boolean"
        case inspect.LiteralType():
            return " or ".join(f"`{value}`" for value in kind.values)
        case inspect.ListType():
            size = "list" + _bounds(kind.min_length, kind.max_length)
            return f"{size} of {describe(kind.item_type)}" if deep else size
        case inspect.DictType():
            size = "map" + _bounds(kind.min_length, kind.max_length, " entries")
            return f"{size} of {describe(kind.key_type)} to {describe(kind.value_type)}" if deep else size
        case inspect.StructType():
            return kind.cls.__name__ if deep else "map"
        case inspect.UnionType(types=(inspect.StructType(tag=str()), *_)):
            return f"map with its {_tag_field(kind)} one of {', '.join(_tagged(kind))}"
        case inspect.UnionType():
            return " or ".join(describe(each, deep) for each in kind.types)
    return "anything"


def find_fault(value: object, kind: inspect.Type, path: str = "") -> Fault | None:
    """The first place where `value` (plain data) does not fit `kind`, or None if it fits."""
    if isinstance(value, Twice):
        return Fault(_join(path, value.key), "This key is there twice.", "Send every key of a map once.")
    fits = True
    match kind:
        case inspect.StructType():
            return _struct_fault(value, kind, path)
        case inspect.UnionType():
            return _union_fault(value, kind, path)
        case inspect.ListType():
            if isinstance(value, list) and _within(len(value), kind.min_length, kind.max_length):
                faults = (find_fault(item, kind.item_type, f"{path}[{index}]") for index, item in enumerate(value))
                return next(filter(None, faults), None)
            fits = False
        case inspect.DictType():
            if isinstance(value, dict) and _within(len(value), kind.min_length, kind.max_length):
                faults = (
                    find_fault(key, kind.key_type, _join(path, key))
                    or find_fault(item, kind.value_type, _join(path, key))
                    for key, item in value.items()
                )
                return next(filter(None, faults), None)
            fits = False
        case inspect.StrType():
            fits = isinstance(value, str) and _within(len(value), kind.min_length, kind.max_length)
            if fits and kind.pattern and not re.search(kind.pattern, str(value)):
                return Fault(path, "Control characters, or nothing to see.", "Send visible text.")
        case inspect.IntType():
            fits = isinstance(value, int) and not isinstance(value, bool) and _within(value, kind.ge, kind.le)
        case inspect.BoolType():
            fits = isinstance(value, bool)
        case inspect.LiteralType():
            fits = isinstance(value, str) and value in kind.values
    return None if fits else Fault(path, f"Expected {describe(kind, deep=False)}, found {_found(value, kind)}.")


def clip(text: object) -> str:
    """Something a client sent, fit to be repeated: visible characters only, and not many."""
    return "".join(char for char in str(text)[: 2 * SHOWN] if char.isprintable())[:SHOWN]


def _struct_fault(value: object, kind: inspect.StructType, path: str) -> Fault | None:
    if not isinstance(value, dict):
        return Fault(path, f"Expected map, found {_found(value, kind)}.")
    fields = {field.encode_name: field for field in kind.fields}
    known = [kind.tag_field, *fields] if kind.tag_field else list(fields)
    for key in value:
        if key not in known and kind.forbid_unknown_fields:
            return Fault(_join(path, key), "Unknown field.", f"Leave it out; the fields here are {', '.join(known)}.")
    for name, field in fields.items():
        if name in value:
            if fault := find_fault(value[name], field.type, _join(path, name)):
                return fault
        elif field.required:
            return Fault(_join(path, name), "This field is missing.", f"Add it: {describe(field.type)}.")
    return None


def _union_fault(value: object, kind: inspect.UnionType, path: str) -> Fault | None:
    tagged = _tagged(kind)
    if not tagged:
        faults = [find_fault(value, each, path) for each in kind.types]
        if None in faults:
            return None
        inside = next((fault for fault in faults if fault and fault.path != path), None)
        return inside or Fault(path, f"Expected {describe(kind)}, found {_found(value, kind)}.")
    if not isinstance(value, dict):
        return Fault(path, f"Expected map, found {_found(value, kind)}.")
    tag_field = _tag_field(kind)
    tag = value.get(tag_field)
    if isinstance(tag, str) and tag in tagged:
        return _struct_fault(value, tagged[tag], path)
    message = f"Unknown {tag_field}, found {_found(tag, None)}." if tag_field in value else "This field is missing."
    return Fault(_join(path, tag_field), message, f"Use one of {', '.join(tagged)}.")


def _tagged(kind: inspect.UnionType) -> dict[str, inspect.StructType]:
    return {str(each.tag): each for each in kind.types if isinstance(each, inspect.StructType)}


def _tag_field(kind: inspect.UnionType) -> str:
    return next((each.tag_field for each in _tagged(kind).values() if each.tag_field), "type")


def _found(value: object, kind: inspect.Type | None) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return f"integer {value}" if abs(value) < 2**64 else "a far larger integer"
        case float():
            return "a number with a fraction part"
        case str():
            if isinstance(kind, inspect.StrType):  # a wrong length; the text may be a token: not repeated
                return f"{len(value)} characters"
            return f'string "{clip(value)}"'
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"a map of {len(value)}"
    return "binary data"


def _join(path: str, key: object) -> str:
    return f"{path}.{clip(key)}" if path else clip(key)


def _within(number: Any, low: int | None, high: int | None) -> bool:
    return (low is None or number >= low) and (high is None or number <= high)


def _bounds(low: int | None, high: int | None, unit: str = "") -> str:
    if high == 2**53:  # any whole number that every JSON reader can hold
        high = None
    if low is None and high is None:
        return ""
    if low is None:
        return f" (up to {high}{unit})"
    return f" ({low} or more{unit})" if high is None else f" ({low} to {high}{unit})"
