"""schema.json is current, every message of whole games conforms to it, and it refuses what the wire refuses by shape."""

import json
from random import Random
from typing import Any

import msgpack
import msgspec
import pytest
from jsonschema import Draft202012Validator

from protocol import messages
from protocol.answers import AnyAnswer
from protocol.legal import draw
from protocol.messages import AnswerPrompt, CreateRoom, Enter, RoomOptions, Say, TakeSeat
from protocol.prompts import AnyPrompt
from protocol.replica import Replica
from protocol.schema import FILE, schema, text
from protocol.wire import WireError, decode_client, decode_server, to_json
from tests.gateway.abuse import TABLE
from tests.machine import Machine

DEFS = schema()["$defs"]


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFS})


CLIENT, SERVER, PROMPT, ANSWER = map(validator, ("ClientMessage", "ServerMessage", "Prompt", "Answer"))


def test_the_file_is_current():
    assert FILE.read_text() == text(), "run: make docs"
    Draft202012Validator.check_schema(json.loads(text()))


def test_it_names_every_message_prompt_and_answer():
    sent = {kind.__name__ for kind in messages.AnyClientMessage.__args__ + messages.AnyServerMessage.__args__}
    asked = {kind.__name__ for kind in AnyPrompt.__args__ + AnyAnswer.__args__}
    assert sent | asked < DEFS.keys()


class Watched:
    """A machine every frame of which is held against the schema."""

    def __init__(self, seed: int) -> None:
        self.machine = Machine(seed)
        self.replicas: dict[str, Replica] = {}
        self.kinds: set[str] = set()

    def ask(self, who: str, message: Any) -> None:
        document = json.loads(to_json(message))
        CLIENT.validate(document)
        self.kinds.add(document["type"])
        self.machine.send(who, to_json(message))

    def heard(self, who: str) -> list[Any]:
        taken = []
        for frame in self.machine.taken(who):
            document = json.loads(frame)
            SERVER.validate(document)
            self.kinds.add(document["type"])
            taken.append(decode_server(frame, "json"))
            self.replicas.setdefault(who, Replica()).feed(taken[-1])
        return taken


@pytest.mark.parametrize(("seed", "players", "tides"), [(1, 3, False), (2, 6, True)])
def test_every_message_of_a_whole_game_conforms(seed, players, tides):
    game, rng, asked = Watched(seed), Random(seed), set()
    game.ask("host", CreateRoom("make", players, RoomOptions(tides=tides)))
    (made,) = game.heard("host")
    for house, invite in made.invites.items():
        game.ask(house, TakeSeat("sit", made.room, house, invite=invite))
        token = game.heard(house)[0].token
        game.ask(house, Enter("enter", made.room, token=token))
        game.ask(house, Say("say", made.room, "all", "Winter is coming."))
    answers = 0
    while True:
        for house in made.invites:
            for message in game.heard(house):
                assert not isinstance(message, messages.Error), message
        prompts = {h: game.replicas[h].prompt for h in made.invites if game.replicas[h].prompt}
        if not prompts:
            break
        house = rng.choice(sorted(prompts))
        prompt = prompts[house]
        PROMPT.validate(json.loads(to_json(prompt)))
        answer = draw(prompt, rng)
        ANSWER.validate(json.loads(to_json(answer)))
        asked.add(prompt.kind)
        answers += 1
        game.ask(house, AnswerPrompt(f"{answers}", made.room, prompt.id, answer))
    assert all(game.replicas[house].over for house in made.invites)
    assert answers > 100
    assert len(asked) > 8
    assert {"answer", "ok", "snapshot", "update", "said", "presence"} < game.kinds


def parsed(frame: bytes | str) -> Any:
    """What a frame says, where it can be said in JSON at all."""
    loads = json.loads if isinstance(frame, str) else msgpack.unpackb
    document = loads(frame)
    assert json.loads(json.dumps(document, allow_nan=False, ensure_ascii=False).encode()) == document
    return document


def shapes() -> list[Any]:
    """The bad messages of the table that are wrong by their shape, and not already as bytes."""
    found = []
    for abuse in TABLE:
        if abuse.what in ("the same key twice", "a number that is not whole"):
            continue  # JSON Schema sees one of the keys, and takes 3.0 for 3
        if abuse.outcome == "error":
            try:
                found.append(pytest.param(parsed(abuse.frame), id=f"{abuse.case}-{abuse.what}"))
            except (ValueError, TypeError, AssertionError, RecursionError, msgpack.UnpackException):
                continue
    return found


@pytest.mark.parametrize("document", shapes())
def test_it_refuses_what_the_wire_refuses(document):
    assert not CLIENT.is_valid(document)
    with pytest.raises(WireError):
        decode_client(json.dumps(document), "json")


def test_most_bad_messages_are_wrong_by_shape():
    assert len(shapes()) > 25


@pytest.mark.parametrize(
    "text", ["Arya", "Arya ", "Árya of\u00a0Winterfell", "", " ", "\u00a0", "a\n", "a\nb", "a\x00", "\u202eb", "x" * 25]
)
def test_names_are_the_same_to_both(text):
    document = {"type": "take_seat", "id": "1", "room": "r", "name": text, "house": "stark"}
    try:
        msgspec.convert(document, messages.AnyClientMessage)
    except msgspec.ValidationError:
        assert not CLIENT.is_valid(document)
    else:
        assert CLIENT.is_valid(document)


def test_clients_are_bound_and_servers_are_not():
    leave = {"type": "leave", "id": "1", "room": "r"}
    ok = {"type": "ok", "id": "1"}
    assert CLIENT.is_valid(leave)
    assert not CLIENT.is_valid(leave | {"now": True})
    assert SERVER.is_valid(ok | {"now": True})
    assert SERVER.is_valid({"type": "of_a_later_version"})
    assert not SERVER.is_valid({"type": "ok"})
    prompt = {"answer": "bid", "id": 1, "kind": "of_a_later_version", "subject": "x", "power": 3, "new": 1}
    snapshot = {"type": "snapshot", "room": "r", "seq": 1}
    view = {"room": "r", "seq": 1, "phase": "action", "you": {"house": "stark", "prompt": prompt}}
    assert SERVER.is_valid(snapshot | {"view": view})
    assert not SERVER.is_valid(
        snapshot | {"view": view | {"you": {"house": "stark", "prompt": prompt | {"power": "3"}}}}
    )
