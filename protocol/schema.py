"""The JSON Schema of all messages, made from the types themselves: `python -m protocol.docs` writes schema.json.

What a client sends is closed: the server refuses a field that it does not know. What the server sends is open: a later
server may send more, and a client passes over it.
"""

import json
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from protocol.answers import AnyAnswer
from protocol.messages import VERSION, AnyClientMessage, AnyServerMessage
from protocol.prompts import AnyPrompt

FILE: Final = Path(__file__).with_name("schema.json")

Schema: TypeAlias = dict[str, Any]

_UNIONS: Final = {
    "ClientMessage": (AnyClientMessage, "What a client may send."),
    "ServerMessage": (AnyServerMessage, "What the server sends. A type that is not known here is to be passed over."),
    "Prompt": (AnyPrompt, "What a seat is asked: `you.prompt`."),
    "Answer": (AnyAnswer, "What a seat may answer; the prompt's `answer` names the type that is wanted."),
}


def text() -> str:
    """The schema as it stands in its file."""
    return json.dumps(schema(), indent=2) + "\n"


def schema() -> Schema:
    """The schema: any message at its root; under `$defs` the four unions and every type by its name."""
    unions, types = msgspec.json.schema_components(
        [union for union, _ in _UNIONS.values()], ref_template="#/$defs/{name}"
    )
    defs: Schema = {
        name: {"description": about, "anyOf": union["anyOf"]}
        for (name, (_, about)), union in zip(_UNIONS.items(), unions, strict=True)
    }
    defs["ServerMessage"]["anyOf"].append(_unknown(types, defs["ServerMessage"]["anyOf"]))
    defs |= types
    for inner in ("Answer", "Prompt"):
        _name(types, defs[inner]["anyOf"], _ref(inner))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The Marchwarden protocol, version {VERSION}",
        "description": "Any message. PROTOCOL.md says what they mean.",
        "anyOf": [_ref("ClientMessage"), _ref("ServerMessage")],
        "$defs": defs | _documents(types),
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _unknown(types: Schema, known: list[Schema]) -> Schema:
    """A message of a type that is none of these."""
    names = [types[each["$ref"].rpartition("/")[2]]["properties"]["type"]["enum"][0] for each in known]
    kind = {"type": "string", "not": {"enum": names}}
    return {"type": "object", "properties": {"type": kind}, "required": ["type"]}


def _name(types: Schema, union: list[Schema], ref: Schema) -> None:
    """Where a type spells out a whole union, let it name the union instead."""
    for kind in types.values():
        for name, field in kind["properties"].items():
            if field.get("anyOf") == union:
                kind["properties"][name] = ref


def _documents(types: Schema) -> Schema:
    """What the types leave open: the document, a seat's own part, an event. They are put where messages carry them."""
    types["Snapshot"]["properties"]["view"] = _ref("View")
    types["Private"]["properties"]["you"] = _ref("You")
    types["Update"]["properties"]["events"]["items"] = _ref("Event")
    word, number = {"type": "string"}, {"type": "integer"}
    return {
        "View": {
            "description": "The document, as far as a client must know it to play.",
            "type": "object",
            "properties": {"room": word, "seq": number, "round": number, "phase": word, "you": _ref("You")},
            "required": ["room", "seq", "phase"],
        },
        "You": {
            "description": "A seat's own part of the document.",
            "type": "object",
            "properties": {"house": word, "prompt": _ref("Prompt")},
            "required": ["house"],
        },
        "Event": {
            "description": "Something that happened, and the ids of the rules that decided it.",
            "type": "object",
            "properties": {"type": word, "rules": {"type": "array", "items": word}},
            "required": ["type"],
        },
    }
