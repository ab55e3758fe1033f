"""What nodes say to each other."""

from typing import Self, TypeAlias

import msgspec
from msgspec import Struct

from protocol.messages import AnswerPrompt, Enter, Host, Leave, Replay, Retract, Say, TakeSeat, Vote
from protocol.wire import Format, Frame

RoomMessage: TypeAlias = TakeSeat | Enter | Replay | AnswerPrompt | Retract | Say | Vote | Host | Leave


class Ask(Struct, frozen=True, array_like=True, tag="ask"):
    """A message of a client for a room that the other node has; `place` names the client in that room.

    `inside`: it has entered there already. Each is answered by an `Ack` of the same `number`.
    """

    number: int
    place: int
    format: Format
    inside: bool
    message: RoomMessage


class Ack(Struct, frozen=True, array_like=True, tag="ack"):
    """`taken`: whatever the room says to it comes. Else the room is not here, or that client is not inside as it should be."""

    number: int
    taken: bool


class News(Struct, frozen=True, array_like=True, tag="news"):
    """A frame for clients in a room: a reply to each, or news of the room, `fresh` or not. `text`: it is one of JSON."""

    places: list[int]
    reply: bool
    fresh: bool
    text: bool
    body: bytes

    @classmethod
    def of(cls, place: int, frame: Frame, *, reply: bool = False, fresh: bool = False) -> Self:
        """A frame for one client."""
        text = isinstance(frame, str)
        return cls([place], reply, fresh, text, frame.encode() if isinstance(frame, str) else frame)

    @property
    def frame(self) -> Frame:
        """The frame as the client gets it."""
        return self.body.decode() if self.text else self.body

    def same(self, other: "News") -> bool:
        """Whether both are the same for whoever gets them."""
        return self.body == other.body and (self.reply, self.fresh, self.text) == (other.reply, other.fresh, other.text)


class Lost(Struct, frozen=True, array_like=True, tag="lost"):
    """These clients are in their room no more: it has moved. They have to enter it again."""

    places: list[int]


class Gone(Struct, frozen=True, array_like=True, tag="gone"):
    """These clients have left for good."""

    places: list[int]


class Still(Struct, frozen=True, array_like=True, tag="still"):
    """Something you said was lost: are these clients of yours still here? Who is not is told by `Gone`."""

    places: list[int]


Word: TypeAlias = Ask | Ack | News | Lost | Gone | Still


class Letter(Struct, frozen=True, array_like=True):
    """What a node says to another in one go. Each has a number, one more than the one before; an empty one is a sign of life."""

    node: str
    number: int
    words: list[Word]


pack = msgspec.msgpack.Encoder().encode
unpack = msgspec.msgpack.Decoder(Letter).decode
"""Raises msgspec.MsgspecError."""
