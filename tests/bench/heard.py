"""What the load reads of the server's messages: only what it needs to answer."""

from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from protocol.prompts import AnyPrompt


class View(Struct):
    you: dict[str, Any] | UnsetType | None = UNSET
    phase: str = ""
    waiting: list[str] | UnsetType | None = UNSET


class Created(Struct, tag_field="type", tag="room_created"):
    id: str
    room: str
    invites: dict[str, str]


class Seated(Struct, tag_field="type", tag="seated"):
    id: str
    token: str
    house: str


class Ok(Struct, tag_field="type", tag="ok"):
    id: str


class Error(Struct, tag_field="type", tag="error"):
    code: str
    message: str
    id: str = ""


class Snapshot(Struct, tag_field="type", tag="snapshot"):
    room: str
    view: View


class Update(Struct, tag_field="type", tag="update"):
    room: str
    seq: int
    patch: View


class Private(Struct, tag_field="type", tag="private"):
    room: str
    you: dict[str, Any]


class Welcome(Struct, tag_field="type", tag="welcome"):
    pass


class Presence(Struct, tag_field="type", tag="presence"):
    pass


Heard: TypeAlias = Created | Seated | Ok | Error | Snapshot | Update | Private | Welcome | Presence

read = msgspec.msgpack.Decoder(Heard).decode


class _Asked(Struct):
    prompt: AnyPrompt


def prompt_of(you: dict[str, Any]) -> AnyPrompt | None:
    """What a seat is asked."""
    return msgspec.convert(you, _Asked).prompt if "prompt" in you else None
