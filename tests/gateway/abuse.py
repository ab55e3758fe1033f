"""Frames that no honest client sends, after a proper hello, and what becomes of their sender.

The ids are those of the collection of faults that this server is tested against. `error`: an error message, and the
connection goes on; a number: closed with this code.
"""

from typing import Any, NamedTuple

import msgpack

from protocol.wire import Format, Frame


class Abuse(NamedTuple):
    case: str
    what: str
    fmt: Format
    frame: Frame
    outcome: int | str
    path: str | None = None


def packed(message: Any) -> bytes:
    frame: bytes = msgpack.packb(message)
    return frame


def march(**fields: Any) -> bytes:
    answer = {"type": "march", "from": "riverrun", "moves": [], **fields}
    return packed({"type": "answer", "id": "m", "room": "ROOM", "prompt": 10, "answer": answer})


def units(count: Any) -> bytes:
    return march(moves=[{"to": "harrenhal", "units": {"footman": count}}])


LIST = packed({"type": "list_rooms", "id": "1"})
COUNT_AT = "answer.moves[0].units.footman"

MSGPACK = [
    ("K01", "a map that is cut short", bytes.fromhex("82a474797065a56d61726368"), "error"),
    *(
        ("K02", "a header that promises four thousand million things", bytes.fromhex(frame), "error")
        for frame in ("ddffffffff", "dfffffffff", "dbffffffff", "c6ffffffff", "c9ffffffff01")
    ),
    (
        "K03",
        "a frame of tiny arrays as large as may be",
        b"\xdd" + (65_531).to_bytes(4, "big") + b"\x90" * 65_531,
        "error",
    ),
    (
        "K03",
        "a frame of tiny maps as large as may be",
        b"\xdd" + (65_531).to_bytes(4, "big") + b"\x80" * 65_531,
        "error",
    ),
    ("K03", "a mebibyte of tiny arrays", b"\xdd" + (2**20 - 5).to_bytes(4, "big") + b"\x90" * (2**20 - 5), 1009),
    *(
        ("K04", f"arrays in each other {depth} deep", b"\x91" * depth + b"\xc0", "error")
        for depth in (1025, 2000, 60_000)
    ),
    ("K04", "arrays in each other 100000 deep", b"\x91" * 100_000 + b"\xc0", 1009),
    ("K06", "a byte after the message", LIST + b"\xc0", "error"),
    ("K06", "two messages in a frame", LIST + LIST, "error"),
    *(
        ("K07", "a key that is no string", bytes.fromhex(frame), "error")
        for frame in ("810102", "81920102a178", "818001")
    ),
    *(
        ("K11", "an extension type", bytes.fromhex(frame), "error")
        for frame in ("d40541", "d6ff00000000", "c70cffffffffffffffffffffffff")
    ),
    *(("K12", "a string that is not UTF-8", bytes.fromhex(frame), "error") for frame in ("a2fffe", "a3eda080")),
    ("K12", "an id that is not UTF-8", b"\x82\xa4type\xaalist_rooms\xa2id\xa2\xff\xfe", "error"),
    *(
        ("K14", "something that is no map", bytes.fromhex(frame), "error")
        for frame in ("c0", "01", "a568656c6c6f", "90", "", "c1")
    ),
    ("S92", "the same key twice", b"\x83\xa4type\xaalist_rooms\xa2id\xa11\xa2id\xa12", "error"),
    ("S92", "a boolean for a number", packed({"type": "create_room", "id": "1", "players": True}), "error"),
    ("S92", "a number that is not whole", packed({"type": "create_room", "id": "1", "players": 3.0}), "error"),
    ("S92", "no number at all", packed({"type": "create_room", "id": "1", "players": float("nan")}), "error"),
    ("W02", "one byte too many", b"\x80" * (64 * 1024 + 1), 1009),
    ("W02", "sixteen mebibytes", b"\x80" * (16 * 1024 * 1024), 1009),
    ("W01", "a text frame", '{"type": "list_rooms", "id": "1"}', 1003),
]

FIELDS = [
    *(("K10", f"{count!r} footmen", units(count), COUNT_AT) for count in (-1, 0, 10**9, 1.5, "1", True, None, [1])),
    ("K10", "a kind of unit that is none", march(moves=[{"to": "x", "units": {"dragon": 1}}]), "answer.moves[0].units.dragon"),
    ("M21", "a group without units", march(moves=[{"to": "x", "units": {}}]), "answer.moves[0].units"),
    ("X02", "a house in an answer", march(house="lannister"), "answer.house"),
    ("X02", "a house beside an answer",
     packed({"type": "retract", "id": "1", "room": "ROOM", "prompt": 10, "house": "lannister"}), "house"),
    ("X19", "a snapshot as somebody else",
     packed({"type": "enter", "id": "1", "room": "ROOM", "house": "stark"}), "house"),
    ("X36", "an area without a name", march(**{"from": ""}), "answer.from"),
    ("X36", "an area that is null", march(**{"from": None}), "answer.from"),
    ("X36", "an area of ten thousand letters", march(**{"from": "x" * 10_000}), None),
    ("X37", "an unknown type", packed({"type": "cheat"}), "type"),
    ("X37", "no type", packed({"id": "1"}), "type"),
    ("X37", "a type that is a number", packed({"type": 7}), "type"),
    ("X37", "a field too many", packed({"type": "list_rooms", "id": "1", "admin": True}), "admin"),
    ("S25", "a whole card instead of its id",
     packed({"type": "answer", "id": "1", "room": "ROOM", "prompt": 10,
             "answer": {"type": "choose", "option": {"id": "eddard-stark", "strength": 99}}}), "answer.option"),
]  # fmt: skip

JSON = [
    ("W01", "a binary frame", LIST, 1003),
    ("K14", "an empty frame", "", "error"),
    ("K14", "a list", "[]", "error"),
    ("K01", "a map that is cut short", '{"type": "list_ro', "error"),
    ("K04", "lists in each other", "[" * 60_000, "error"),
    ("K06", "two messages in a frame", '{"type": "list_rooms", "id": "1"}{}', "error"),
    ("S92", "no number at all", '{"type": "create_room", "id": "1", "players": NaN}', "error"),
    (
        "S92",
        "a number of five thousand digits",
        '{"type": "create_room", "id": "1", "players": %s}' % ("9" * 5000),
        "error",
    ),
    ("S92", "the same key twice", '{"type": "list_rooms", "id": "1", "id": "2"}', "error"),
    ("K12", "half a surrogate pair", '{"type": "list_rooms", "id": "\\ud800"}', "error"),
]

TABLE = [
    *(Abuse(case, what, "msgpack", frame, outcome) for case, what, frame, outcome in MSGPACK),
    *(Abuse(case, what, "msgpack", frame, "error", path) for case, what, frame, path in FIELDS),
    *(Abuse(case, what, "json", frame, outcome) for case, what, frame, outcome in JSON),
]
