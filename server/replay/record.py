"""A recorded game: the seed, every answer, and checkpoints that prove that a replay is the same game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from protocol.answers import AnyAnswer
from server.game.game import RULES_VERSION, Event, Game

FORMAT = 1


class Input(Struct, frozen=True, array_like=True):
    """An answer as it was given; a retraction has none, and an undo has no house either (its prompt is 0)."""

    house: str
    prompt: int
    answer: AnyAnswer | None = None


class Checkpoint(Struct, frozen=True):
    """After so many inputs the game had this hash and showed everybody this."""

    inputs: int
    hash: str
    document: dict[str, Any]


class Record(Struct, frozen=True, omit_defaults=True):
    """A game from its first decision on. `seed` is hexadecimal. FORMAT.md tells what is in the file."""

    format: int
    rules: int
    players: int
    seed: str
    inputs: list[Input]
    checkpoints: list[Checkpoint]
    tides: bool = False
    room: str = ""
    """The room it was played in, if it was one."""
    made: int = 0
    """When the room was made, in milliseconds since 1970."""
    names: dict[str, str] = {}
    """By house: who played it."""
    bots: dict[str, str] = {}
    """By house: the kind of the bot that played it at the end."""


class Differs(Exception):  # noqa: N818 - the replay differs; nothing has gone wrong in this program
    """A replay that is not the game that was recorded; the text says from which input on, and where."""


class Recorder:
    """Writes a game down while it is played."""

    EVERY = 50

    def __init__(self, players: int, seed: bytes, *, tides: bool = False) -> None:
        self.game = Game.new(players, seed, tides=tides)
        self._record = Record(FORMAT, RULES_VERSION, players, seed.hex(), [], [], tides)

    def submit(self, house: str, prompt: int, answer: AnyAnswer) -> list[Event]:
        """Plays and records an answer; raises `Refused` and records nothing."""
        events = self.game.submit(house, prompt, answer)
        self._record.inputs.append(Input(house, prompt, answer))
        if len(self._record.inputs) % self.EVERY == 0 or self.game.over:
            self._record.checkpoints.append(checkpoint(len(self._record.inputs), self.game))
        return events

    def record(self) -> Record:
        """What was played so far."""
        return self._record


def checkpoint(inputs: int, game: Game) -> Checkpoint:
    """The checkpoint of a game after so many inputs."""
    return Checkpoint(inputs, game.hash(), msgspec.json.decode(msgspec.json.encode(game.public())))


def write(record: Record, path: Path) -> None:
    """Writes a record as JSON on one line."""
    path.write_bytes(msgspec.json.encode(record) + b"\n")


def read(path: Path) -> Record:
    """A record from a file. Raises `ValueError` with what is wrong with the file."""
    try:
        record = msgspec.json.decode(path.read_bytes(), type=Record)
        bytes.fromhex(record.seed)
    except (OSError, msgspec.MsgspecError, ValueError) as error:
        raise ValueError(f"{path} is no recorded game: {error}") from None
    if record.format != FORMAT:
        raise ValueError(f"{path} has format {record.format}, this program reads format {FORMAT}")
    return record


def replay(record: Record) -> Iterator[tuple[Input, list[Event], Game]]:
    """Plays a record again, input by input, checking it; raises `Differs` or `Refused` where it is another game."""
    game = Game.new(record.players, bytes.fromhex(record.seed), tides=record.tides)
    due = {mark.inputs: mark for mark in record.checkpoints}
    for n, given in enumerate(record.inputs, 1):
        if not given.house:
            events = game.undo()
        elif given.answer is None:
            events = game.retract(given.house, given.prompt)
        else:
            events = game.submit(given.house, given.prompt, given.answer)
        if n in due:
            compare(due[n], checkpoint(n, game))
        yield given, events, game


def compare(expected: Checkpoint, found: Checkpoint) -> None:
    """Raises `Differs` if two checkpoints are not the same, with the first place where their documents differ."""
    if expected.hash == found.hash:
        return
    place = first_difference("", expected.document, found.document) or "what only the server sees"
    raise Differs(f"after input {expected.inputs} the replay differs in {place}")


def first_difference(path: str, expected: Any, found: Any) -> str:
    """The path of the first value that differs between two documents, or nothing."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name in [*expected, *(n for n in found if n not in expected)]:
            if place := first_difference(f"{path}.{name}".lstrip("."), expected.get(name), found.get(name)):
                return place
        return ""
    return "" if expected == found else f"{path} ({expected!r} was recorded, {found!r} is found)"
