"""A client of this node in one room, wherever that room is: what it holds, and what it has asked."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_urlsafe

from msgspec import UNSET
from msgspec.structs import replace

from protocol.messages import Enter, Leave
from protocol.wire import Format, Frame
from server.cluster.head import Head, head
from server.cluster.words import RoomMessage
from server.rooms.audience import Listener

PASSING = ("unavailable", "internal", "server_draining", "rate_limited")
"""Refusals that get better by themselves."""


@dataclass(eq=False)
class Place:
    """Stands between a session and the room, which may move: it sees what the client gets, and so knows what it holds.

    It is a `Listener` of the room. What comes twice is given on once, and an update with one missing before it not at all.
    """

    session: Listener
    room: str
    number: int
    see_to: Callable[["Place"], None]
    """Called when there may be something to do about it."""
    queue: deque[RoomMessage] = field(default_factory=deque)
    """What is still to be taken to the room."""
    current: RoomMessage | None = None
    """What is being taken there."""
    asked: list[RoomMessage] = field(default_factory=list)
    """What was taken there and has no reply yet."""
    node: str = ""
    """Which node has the room, as far as this client goes; empty if that is to be found out."""
    entered: Enter | None = None
    """How it entered, if it is inside."""
    stale: bool = False
    """Whether it is inside, but the room may not know: it must enter again before anything else."""
    moving: bool = False
    """Whether somebody sees to the queue."""
    gone: bool = False
    seq: int | None = None
    """The last change of the room that the client has; None before its first snapshot."""
    heard: int = 0
    """When the last press was that it has."""
    again: str = ""
    """The id of the request to enter again, until it is answered."""
    back: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when that is so."""

    @property
    def format(self) -> Format:
        """The wire format that the client speaks."""
        return self.session.format

    @property
    def idle(self) -> bool:
        """Whether nothing is known of it that would be missed."""
        return not (self.entered or self.queue or self.asked or self.moving)

    @property
    def _inside(self) -> bool:
        """Whether the room knows that it is inside. What was decided before comes again then, with all that was missed."""
        return self.entered is not None and not self.stale

    # ---- what comes from the room

    def reply(self, frame: Frame) -> None:
        """Take the answer to something that was asked, or talk."""
        about = head(frame)
        if about.type == "said":
            if about.at > self.heard and self._inside:
                self.heard = about.at
                self.session.reply(frame)
        elif about.id is not None and about.id == self.again:
            self._is_back(about)
        elif (asked := next((one for one in self.asked if one.id == about.id), None)) is not None:
            self.asked.remove(asked)
            self._answered(asked, well=about.type == "ok")
            self.session.reply(frame)
            self.see_to(self)

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        """Take news of the room."""
        if not self._inside:
            return
        about = head(frame)
        if about.type == "update":
            if self.seq is not None and about.seq <= self.seq:
                return
            if self.seq is None or about.seq > self.seq + 1:
                self.stale = True
                self.see_to(self)
                return
        if fresh or about.type == "update":
            self.seq = about.seq
        self.session.post(room, frame, fresh)

    # ---- what goes there

    def enter_again(self) -> Enter:
        """The request that brings the client what it has missed since it last heard of the room."""
        assert self.entered
        self.back.clear()
        self.again = f"again {token_urlsafe(12)}"
        return replace(self.entered, id=self.again, since=UNSET if self.seq is None else self.seq, heard=self.heard)

    def needs_all(self) -> None:
        """The client has lost letters of the room: nothing but a snapshot is of use to it, also if it is just coming back."""
        self.seq, self.stale, self.again = None, True, ""  # what it asks for on its way back is not enough
        self.back.set()
        self.see_to(self)

    def lost(self) -> None:
        """The room may have forgotten the client, or something that one said was lost: what has no reply is asked again."""
        self.node, self.again = "", ""
        self.back.set()
        self.stale = self.entered is not None
        if self.current is not None:
            self.queue.appendleft(self.current)
        self.queue.extendleft(reversed(self.asked))
        self.asked.clear()
        self.current = None
        self.see_to(self)

    def take(self, message: RoomMessage) -> None:
        """It is being taken to the room: its reply may come at any time."""
        self.asked.append(message)
        self.current = None

    def take_back(self, message: RoomMessage) -> None:
        """It was not taken to the room after all, and is to be taken elsewhere; unless `lost` has put it into the queue."""
        for n, asked in enumerate(self.asked):
            if asked is message:
                del self.asked[n]
                self.current = message

    def _answered(self, message: RoomMessage, *, well: bool) -> None:
        if not well:
            return
        if isinstance(message, Enter):
            self.entered, self.stale = message, False
            self.seq, self.heard = message.since or None, message.heard or 0
        elif isinstance(message, Leave):
            self.entered, self.stale = None, False

    def _is_back(self, about: Head) -> None:
        self.again = ""
        self.back.set()
        if about.code in PASSING:
            return
        if about.code == "bad_token" and self.entered and self.entered.token:
            self.entered = replace(self.entered, token=UNSET)  # its seat is another's now: it still may watch
            return
        self.stale = False
        if about.type != "ok":
            self.entered = None  # the room is no more
