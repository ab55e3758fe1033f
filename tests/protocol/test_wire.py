"""Every way in which a frame can be wrong is one typed error; nothing is coerced."""

import json
import re
from contextlib import suppress
from copy import deepcopy
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import answers, messages
from protocol.wire import MAX_CLIENT_FRAME, WireError, decode_client, decode_server, encode
from tests.protocol.strategies import anything, documents

FORMATS = ["msgpack", "json"]
MARCH: dict[str, Any] = {
    "type": "answer",
    "id": "m-17",
    "room": "r1",
    "prompt": 4,
    "answer": {"type": "march", "from": "riverrun", "moves": [{"to": "harrenhal", "units": {"footman": 1}}]},
}


def framed(document: Any, fmt: str) -> bytes | str:
    return msgpack.packb(document) if fmt == "msgpack" else json.dumps(document)


def changed(path: str, value: Any) -> dict[str, Any]:
    """MARCH with the value at a path such as `answer.moves[0].to` replaced."""
    document = deepcopy(MARCH)
    place: Any = document
    *way, last = [int(step) if step.isdigit() else step for step in re.findall(r"\w+", path)]
    for step in way:
        place = place[step]
    place[last] = value
    return document


def refusal(frame: bytes | str, fmt: str) -> WireError:
    with pytest.raises(WireError) as caught:
        decode_client(frame, fmt)
    assert caught.value.code in ("bad_message", "too_large")
    assert caught.value.message.isprintable()
    return caught.value


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_march_comes_through(fmt):
    march = answers.March(from_="riverrun", moves=[answers.Move("harrenhal", {"footman": 1})])
    message = messages.AnswerPrompt("m-17", "r1", 4, march)
    assert decode_client(framed(MARCH, fmt), fmt) == message
    assert decode_client(encode(message, fmt), fmt) == message
    assert isinstance(encode(message, fmt), bytes if fmt == "msgpack" else str)


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("answer.moves[0].units.footman", -1, "Expected integer (1 to 10), found integer -1."),
        ("answer.moves[0].units.footman", 0, "found integer 0"),
        ("answer.moves[0].units.footman", 10**9, "found integer 1000000000"),
        ("answer.moves[0].units.footman", 1.0, "found a number with a fraction part"),
        ("answer.moves[0].units.footman", True, "found true"),
        ("answer.moves[0].units.footman", "1", 'found string "1"'),
        ("answer.moves[0].units.footman", None, "found null"),
        ("answer.moves[0].units.dragon", 1, 'or `siege_engine`, found string "dragon".'),
        ("answer.moves[0].units", {}, "Expected map (1 to 4 entries), found a map of 0."),
        ("answer.moves[0].units", [1], "found a list of 1"),
        ("answer.moves[0].unit_ids", [7], "Unknown field."),
        ("answer.moves[0]", "harrenhal", 'Expected map, found string "harrenhal".'),
        ("answer.moves", [MARCH["answer"]["moves"][0]] * 21, "Expected list (up to 20), found a list of 21."),
        ("answer.from", "", "found 0 characters"),
        ("answer.from", "x" * 1_000, "Expected string (1 to 40 characters), found 1000 characters."),
        ("answer.leave_power", 1, "Expected boolean, found integer 1."),
        ("answer.type", "cheat", 'Unknown type, found string "cheat".'),
        ("answer.type", 7, "Unknown type, found integer 7."),
        ("answer", [], "Expected map, found a list of 0."),
        ("house", "lannister", "Unknown field."),
        ("prompt", 2**63, "found integer 9223372036854775808"),
        ("prompt", -1, "found integer -1"),
        ("type", "sync", 'Unknown type, found string "sync".'),
    ],
)
def test_a_wrong_field_is_named(path, value, said, fmt):
    error = refusal(framed(changed(path, value), fmt), fmt)
    assert said in error.message
    assert error.path == path
    assert error.id == "m-17"


@pytest.mark.parametrize("fmt", FORMATS)
def test_remedies_are_told(fmt):
    unknown = refusal(framed({"type": "leave", "id": "1", "rom": "r"}, fmt), fmt)
    assert (unknown.path, unknown.hint) == ("rom", "Leave it out; the fields here are type, id, room.")
    missing = refusal(framed({"type": "leave", "id": "1"}, fmt), fmt)
    assert (missing.path, missing.hint) == ("room", "Add it: string (1 to 32 characters).")
    untyped = refusal(framed({"id": "1"}, fmt), fmt)
    assert (untyped.path, untyped.message) == ("type", "This field is missing.")
    assert untyped.hint.startswith("Use one of hello, create_room, ")
    press = refusal(framed({"type": "say", "id": "1", "room": "r", "to": "stark", "text": "hi"}, fmt), fmt)
    assert (press.path, press.message) == (
        "to",
        'Expected `all` or list (1 to 6) of string (1 to 40 characters), found string "stark".',
    )


@pytest.mark.parametrize("fmt", FORMATS)
def test_an_error_message_carries_what_is_known(fmt):
    error = refusal(framed(changed("prompt", "4"), fmt), fmt).to_message()
    assert decode_server(encode(error, fmt), fmt) == error
    assert (error.id, error.path, error.code) == ("m-17", "prompt", "bad_message")


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("bad", ["", "x" * 37, 7, None, ["m"]])
def test_only_a_valid_id_is_echoed(bad, fmt):
    assert refusal(framed(changed("id", bad), fmt), fmt).id is None


@pytest.mark.parametrize("fmt", FORMATS)
def test_what_a_client_sent_is_repeated_in_part_only(fmt):
    error = refusal(framed({"type": "\x1b[31m\n" + "y" * 500}, fmt), fmt)
    assert error.message == 'Unknown type, found string "[31m' + "y" * 36 + '".'
    error = refusal(framed({"type": "leave", "\u202e" + "k" * 500: 1}, fmt), fmt)
    assert error.path == "k" * 40
    token = "s3cret" * 11
    error = refusal(framed({"type": "enter", "id": "1", "room": "r", "token": token}, fmt), fmt)
    assert "s3cret" not in error.message + error.hint


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize(
    ("field", "value"), [("name", "a\nb"), ("name", "   "), ("name", "\u202elooc"), ("name", "\x9b")]
)
def test_names_are_visible(field, value, fmt):
    document = {"type": "take_seat", "id": "1", "room": "r", "invite": "i", field: value}
    assert refusal(framed(document, fmt), fmt).path == field
    assert decode_client(framed(document | {field: "Ærya Ståle 🐺"}, fmt), fmt)


@pytest.mark.parametrize("fmt", FORMATS)
def test_press_may_have_lines_but_no_control_characters(fmt):
    document = {"type": "say", "id": "1", "room": "r", "to": ["stark"], "text": "a\nb 🐺"}
    assert decode_client(framed(document, fmt), fmt)
    assert refusal(framed(document | {"text": "a\x1b[2J"}, fmt), fmt).path == "text"


@pytest.mark.parametrize("fmt", FORMATS)
@pytest.mark.parametrize("document", [None, 1, "hello", [], True, [MARCH], 1.5])
def test_what_is_no_map_is_no_message(document, fmt):
    assert refusal(framed(document, fmt), fmt).message.startswith("Expected map, found ")


@pytest.mark.parametrize(
    "hex_frame",
    [
        "82a474797065a56d61726368",  # cut short
        *("ddffffffff", "dfffffffff", "dbffffffff", "c6ffffffff", "c9ffffffff01"),  # headers that promise the world
        *("810102", "81920102a178", "818001", "81c40001"),  # keys that are no strings
        *("d40541", "d6ff00000000", "c70cffffffffffffffffffffffff", "c70005", "c700ff"),  # extensions, timestamps
        *("a2fffe", "a3eda080"),  # not UTF-8
        *("", "c1", "c400"),
    ],
)
def test_broken_msgpack_is_refused(hex_frame):
    refusal(bytes.fromhex(hex_frame), "msgpack")
    inside = b"\x82\xa4type\xa5leave\xa2id" + bytes.fromhex(hex_frame)
    refusal(inside, "msgpack")


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", '{"type":"leave"', "{'type':'leave'}", "\ufeff{}", "{} {}"),
        *('{"type": NaN}', '{"type": Infinity}', '{"prompt": -Infinity}', '{"prompt": 1e999}'),
        '{"type":"leave","id":"\\ud800","room":"r"}',
        '{"type":"leave","id":"\ud800","room":"r"}',
        '{"type":"retract","id":"1","room":"r","prompt":' + "9" * 60_000 + "}",
        '{"type":"retract","id":"1","room":"r","prompt":' + "9" * 4000 + "}",
        '{"type":"retract","id":"1","room":"r","prompt":4.0}',
    ],
)
def test_broken_json_is_refused(text):
    refusal(text, "json")


@pytest.mark.parametrize("depth", [17, 1000, 1025, 2000, 60_000])
@pytest.mark.parametrize("where", ["whole", "answer", "unknown"])
def test_nesting_is_refused_at_any_depth(depth, where):
    name = {"whole": None, "answer": "answer", "unknown": "zz"}[where]
    nested = b"\x91" * depth + b"\x01", "[" * depth + "1" + "]" * depth
    maps = b"\x81\xa1a" * (depth // 3) + b"\x01", '{"a":' * (depth // 6) + "1" + "}" * (depth // 6)
    head = {key: value for key, value in MARCH.items() if key != name}
    for packed, text in (nested, maps):
        if name:
            refusal(bytes([0x81 + len(head)]) + msgpack.packb(head)[1:] + msgpack.packb(name) + packed, "msgpack")
            refusal(f'{json.dumps(head)[:-1]},"{name}":{text}}}', "json")
        else:
            refusal(packed, "msgpack")
            refusal(text, "json")


def test_a_frame_is_one_message():
    for tail in (b"\xc0", b"\x00", framed(MARCH, "msgpack")):
        assert refusal(framed(MARCH, "msgpack") + tail, "msgpack").hint == "Send one message a frame."
    refusal(framed(MARCH, "json") * 2, "json")


def test_a_key_that_is_there_twice_is_found():
    text = framed(MARCH, "json").replace('"footman": 1', '"footman": 1, "footman": 2')
    error = refusal(text, "json")
    assert (error.path, error.id) == ("answer.moves[0].units.footman", "m-17")
    packed = framed(MARCH, "msgpack").replace(b"\x81\xa7footman\x01", b"\x82\xa7footman\x01\xa7footman\x02")
    error = refusal(packed, "msgpack")
    assert (error.path, error.id) == ("answer.moves[0].units.footman", "m-17")
    assert refusal('{"type":"leave","type":"leave"}', "json").path == "type"
    with pytest.raises(WireError, match="twice"):
        decode_server('{"type":"snapshot","room":"r","seq":1,"view":{"a":{"b":1,"b":2}}}', "json")


def test_many_keys_with_one_twice_are_cheap_to_refuse():
    keys = ",".join(f'"{number}":1' for number in range(6000))
    assert refusal(f'{{{keys},"5999":1}}', "json").path == "5999"


@pytest.mark.parametrize("fmt", FORMATS)
def test_the_wrong_kind_of_frame(fmt):
    other = "json" if fmt == "msgpack" else "msgpack"
    assert f"marchwarden.v1.{other}" in refusal(framed(MARCH, other), fmt).hint


@pytest.mark.parametrize("fmt", FORMATS)
def test_a_frame_has_at_most_64_kib(fmt):
    whole = framed({"type": "say", "id": "1", "room": "r", "to": "all", "text": ""}, fmt)
    fill = MAX_CLIENT_FRAME - len(whole)
    if fmt == "json":  # white space is the only filling that JSON has
        message = framed({"type": "say", "id": "1", "room": "r", "to": "all", "text": "x"}, fmt)
        assert decode_client(message + " " * (fill - 1), fmt)
        assert refusal(message + " " * fill, fmt).code == "too_large"
        assert refusal("€" * (MAX_CLIENT_FRAME // 3 + 1), fmt).code == "too_large"
    else:
        assert refusal(whole + b"\xc0" * fill, fmt).code == "bad_message"
        assert refusal(whole + b"\xc0" * (fill + 1), fmt).code == "too_large"


def test_small_frames_of_many_objects_are_refused():
    for filling in (b"\x90", b"\x80"):
        refusal(b"\xdd" + (65_000).to_bytes(4, "big") + filling * 65_000, "msgpack")
        refusal(b"\xdd" + (2**20 - 8).to_bytes(4, "big") + filling * (2**20 - 8), "msgpack")


def test_nothing_stays_behind_of_a_bad_frame():
    for fmt in FORMATS:
        message = decode_client(framed(MARCH, fmt), fmt)
        for bad in (framed(MARCH, fmt)[:-1], framed({"type": "leave"}, fmt)):
            refusal(bad, fmt)
            assert decode_client(framed(MARCH, fmt), fmt) == message
            assert decode_client(encode(message, fmt), fmt) == message


@given(st.binary(max_size=200) | anything.map(msgpack.packb), st.sampled_from([decode_client, decode_server]))
def test_no_bytes_bring_another_exception(frame, decode):
    with suppress(WireError):
        decode(frame, "msgpack")


@given(
    st.text(max_size=200) | documents.map(json.dumps) | st.text('{}[]",:\\u01d8e-.x', max_size=60),
    st.sampled_from([decode_client, decode_server]),
)
def test_no_text_brings_another_exception(frame, decode):
    with suppress(WireError):
        decode(frame, "json")


PATHS = ["id", "room", "prompt", "answer", "answer.type", "answer.from", "answer.moves", "answer.moves[0]"]
PATHS += ["answer.moves[0].to", "answer.moves[0].units", "answer.moves[0].units.footman", "answer.leave_power", "zz"]


@given(st.sampled_from(PATHS), anything)
def test_whatever_is_refused_is_explained(path, value):
    try:
        decode_client(msgpack.packb(changed(path, value)), "msgpack")
    except WireError as error:
        assert error.message != "This is no message."
        assert error.path.startswith(path) or "MessagePack" in error.message
