"""A room told again from its log, as one viewer saw it or with all seats open. Sans-I/O: bodies of entries go in."""

from msgspec import UNSET, UnsetType

from protocol.messages import Moment
from protocol.patch import diff
from server.game.refused import Refused
from server.rooms.audience import Viewer
from server.rooms.entries import unpack
from server.rooms.letters import Update
from server.rooms.room import Document, Room

ALL = "all"
"""The viewer who sees what every seat sees."""


def check(room: Room, viewer: str | UnsetType, asking: Viewer) -> None:
    """Whether a room may be told again as this viewer, to somebody who is in it as `asking` (or not at all).

    Nothing is secret once a game has ended. A game that was closed before never came to its end: what a seat had laid in
    secret stays with that seat. Raises Refused.
    """
    if viewer is not UNSET and viewer != ALL:
        room.seats.named(viewer, "as")
    if room.phase != "over":
        hint = "Watch it with `enter`; ask again when its `phase` is `over`."
        raise Refused("not_over", "This game is not over.", path="room", hint=hint)
    ended = room.play is not None and room.play.over
    if not ended and viewer is not UNSET and viewer != asking:
        hint = "Leave `as` out, or `enter` with the token of that seat first."
        raise Refused("forbidden", "The room was closed before its end: secrets stay secret.", path="as", hint=hint)


class Retrace:
    """Plays the log of a room again, entry by entry. What is said here is what was said then, to the byte."""

    def __init__(self, room: Room, viewer: str | UnsetType) -> None:
        """`viewer` is a house, `ALL`, or UNSET for a spectator."""
        self._again = Room(room.id, room.birth, room.rules)
        self._viewer = viewer
        self._seen = self._seats()

    @property
    def n(self) -> int:
        """How many entries were played."""
        return self._again.n

    def birth(self) -> Moment:
        """The beginning: the whole document as a patch on an empty one. To be asked before any entry is played."""
        return Moment(0, {**self._again.snapshot(None).public, **self._seen})

    def follow(self, body: bytes) -> Moment | None:
        """What an entry of the log changed; nothing, if nobody else could notice it.

        What only its seat could see then is told with the next change that everybody saw.
        """
        posts = self._again.apply(unpack(body)[0])
        update = next((post.letter for post in posts if isinstance(post.letter, Update)), None)
        if update is None:
            return None
        before, self._seen = self._seen, self._seats()
        return Moment(update.seq, update.change.patch | diff(before, self._seen), update.change.events)

    def _seats(self) -> Document:
        """The part of the document that spectators do not see."""
        if self._viewer is UNSET:
            return {}
        if self._viewer == ALL:
            return {"seats": {house: self._again.you(house) for house in self._again.seats}}
        return {"you": self._again.you(self._viewer)}
