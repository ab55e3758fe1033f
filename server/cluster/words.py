"""What nodes say to each other, and how it looks on the way.

Letters carry a version. A field added behind the others of a word needs no new one: who does not know it passes it over, and
who gets none takes its default. Whatever else changes does, as a new word does; a node that gets a letter of a version that it
does not know reads none of it and says `TooNew`. So that nodes can be renewed one after the other, a release with a new
version has to write the one before to whoever tells in its `Status` that it reads no newer one.
"""

from typing import Final, Self, TypeAlias

import msgspec
from msgspec import Struct

from protocol.messages import AnswerPrompt, Enter, Host, Leave, Replay, Retract, Say, TakeSeat, Vote
from protocol.wire import Format, Frame

VERSION: Final = 1
"""The newest version of letters that this node reads, and the one that it writes."""

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
    """These clients are in their room no more: it has moved, to the node `to` if that is known. They have to enter it again."""

    places: list[int]
    to: str = ""


class Take(Struct, frozen=True, array_like=True, tag="take"):
    """These rooms are yours: you have their leases."""

    rooms: list[str]


class Gone(Struct, frozen=True, array_like=True, tag="gone"):
    """These clients have left for good."""

    places: list[int]


class Still(Struct, frozen=True, array_like=True, tag="still"):
    """Something you said was lost: are these clients of yours still here? Who is not is told by `Gone`."""

    places: list[int]


class TooNew(Struct, frozen=True, array_like=True, tag="too_new"):
    """A letter of yours was not read: I read no newer ones than those of `version`."""

    version: int


Word: TypeAlias = Ask | Ack | News | Lost | Take | Gone | Still | TooNew


class Letter(Struct, frozen=True, array_like=True):
    """What a node says to another in one go. Each has a number, one more than the one before; an empty one is a sign of life."""

    version: int
    node: str
    number: int
    words: list[Word]


class Packed(Struct, frozen=True, array_like=True):
    """A letter whose words are packed."""

    version: int
    node: str
    number: int
    words: list[msgspec.Raw]


class Envelope(Struct, frozen=True, array_like=True):
    """What stands in front of a letter of any version."""

    version: int
    node: str


class Status(Struct, frozen=True, array_like=True):
    """What a node tells all others, once a second."""

    version: int
    node: str
    ready: bool
    """Whether it takes rooms."""
    rooms: int
    answers: float
    """A second, of late."""
    busy: float
    """The part of a core that it needs, of late."""
    lag: float
    """Seconds by which its event loop was late."""


class Move(Struct, frozen=True, array_like=True):
    """An operator has a room moved to another node."""

    version: int
    room: str
    to: str


class Moved(Struct, frozen=True, array_like=True):
    """What became of it: nothing is wrong if `why` is empty."""

    why: str = ""


class Newer(Exception):  # noqa: N818 - the letter is newer
    """A letter is of a version that is not known here."""

    def __init__(self, node: str, version: int) -> None:
        super().__init__(
            f"node {node} writes letters of version {version}; version {VERSION} and older ones are read here"
        )
        self.node = node
        self.version = version


_encoder = msgspec.msgpack.Encoder()
pack = _encoder.encode
_unpack = msgspec.msgpack.Decoder(Letter).decode
_look = msgspec.msgpack.Decoder(Envelope).decode
unpack_status = msgspec.msgpack.Decoder(Status).decode
unpack_move = msgspec.msgpack.Decoder(Move).decode
unpack_moved = msgspec.msgpack.Decoder(Moved).decode


def pack_word(word: Word) -> msgspec.Raw:
    """A word as it stands in a letter."""
    return msgspec.Raw(_encoder.encode(word))


def unpack(data: bytes) -> Letter:
    """A letter. Raises Newer, and msgspec.MsgspecError if it is none."""
    try:
        letter = _unpack(data)
    except msgspec.MsgspecError:
        envelope = _look(data)
        if envelope.version > VERSION:
            raise Newer(envelope.node, envelope.version) from None
        raise
    if letter.version > VERSION:
        raise Newer(letter.node, letter.version)
    return letter
