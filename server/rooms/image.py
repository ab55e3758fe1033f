"""A room as a snapshot in its log: it and the entries after it are the room again."""

from typing import Literal

import msgspec
from msgspec import Struct

from protocol.messages import AnyServerMessage, BotKind, Ok
from server.rooms.archive import Found, Spoken
from server.rooms.entries import unpack, unpack_asked, unpack_birth
from server.rooms.face import Rules
from server.rooms.hand import Hand
from server.rooms.replies import First, Replies
from server.rooms.room import Room


class Kept(Struct, frozen=True, array_like=True):
    """A reply that is remembered."""

    request: str
    body: bytes
    reply: AnyServerMessage


class SeatImage(Struct, frozen=True, array_like=True):
    """A seat."""

    name: str
    invite: bytes
    token: bytes
    replies: list[Kept]
    bot: BotKind | Literal[""] = ""
    others: list[bytes] = []
    """The tokens before the last."""


class Image(Struct, frozen=True):
    """A room after `n` entries. `game` is the dump of the game, empty before it starts."""

    n: int
    seq: int
    touched: int
    seats: dict[str, SeatImage]
    host_replies: list[Kept]
    closed: bool
    frozen: bool
    game: bytes
    hands: dict[str, Hand]
    paused: int
    votes: dict[str, list[str]]


class Differs(Exception):  # noqa: N818 - the replay differs; nothing went wrong in here
    """A log that does not give the room that it gave before; `n` is the entry from which on it differs."""

    def __init__(self, n: int, why: str) -> None:
        super().__init__(why)
        self.n = n


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Image)


def take(room: Room) -> bytes:
    """The image of a room. What may still be undone is not in it: take it when nothing is."""
    return _encode(
        Image(
            n=room.n,
            seq=room.seq,
            touched=room.touched,
            seats={h: _seat(room, h) for h in room.seats},
            host_replies=_kept(room.host_replies),
            closed=room.closed,
            frozen=room.frozen,
            game=room.play.dump() if room.play else b"",
            hands=room.clock.hands,
            paused=room.clock.paused,
            votes=room.votes,
        )
    )


def bring_back(room_id: str, rules: Rules, found: Found) -> Room:
    """A room from its log: its birth, its last image, the entries after that, and its press.

    Raises `Differs` where an entry cannot be applied again, or the game is not the one that its hash was taken of.
    """
    room = Room(room_id, unpack_birth(found.birth), rules)
    if found.image is not None:
        _restore(room, _decoder.decode(found.image))
    for body in found.entries:
        try:
            entry, state = unpack(body)
            room.apply(entry)
        except Exception as fault:
            raise Differs(room.n + 1, f"entry {room.n + 1} cannot be applied again ({type(fault).__name__})") from fault
        if state and (room.play is None or room.play.hash() != state):
            raise Differs(room.n, f"after entry {room.n} the game is another one")
    for spoken in found.spoken:
        room.heard.append(spoken.said)
        _know_again(room, spoken)
    return room


def _restore(room: Room, image: Image) -> None:
    room.n, room.seq, room.touched = image.n, image.seq, image.touched
    for house, kept in image.seats.items():
        seat = room.seats[house]
        seat.name, seat.invite, seat.bot = kept.name, kept.invite, kept.bot
        seat.tokens = [*kept.others, *([kept.token] if kept.token else [])]
        _remember(seat.replies, kept.replies)
    _remember(room.host_replies, image.host_replies)
    room.closed, room.frozen = image.closed, image.frozen
    room.play = room.rules.load(image.game) if image.game else None
    room.clock.hands, room.clock.paused = image.hands, image.paused
    room.votes = image.votes
    room.show()


def _know_again(room: Room, spoken: Spoken) -> None:
    """The request to say something gets its reply again, if the same player still has the seat."""
    seat = room.seats[spoken.said.sender]
    if spoken.asked and (asked := unpack_asked(spoken.asked)).token in seat.tokens:
        seat.replies.remember(asked.request, asked.body, Ok(asked.request, room=room.id, seq=asked.seq))


def _seat(room: Room, house: str) -> SeatImage:
    seat = room.seats[house]
    *others, token = seat.tokens or [b""]
    return SeatImage(seat.name, seat.invite, token, _kept(seat.replies), seat.bot, others)


def _kept(replies: Replies) -> list[Kept]:
    return [Kept(request, first.body, first.reply) for request, first in replies.first.items()]


def _remember(replies: Replies, kept: list[Kept]) -> None:
    replies.first.update({k.request: First(k.body, k.reply) for k in kept})
