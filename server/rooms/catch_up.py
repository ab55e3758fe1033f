"""Resuming from the log: the updates that somebody missed who was away for longer than a room's ring reaches back."""

from protocol.messages import Enter
from server.eyes.meters import Resumed
from server.rooms.archive import Archive
from server.rooms.effects import Effects
from server.rooms.entries import unpack
from server.rooms.hall import Living
from server.rooms.letters import Update, Whole
from server.rooms.room import Room

MOST_MISSED = 256
"""Whoever missed more gets a snapshot: it is less to send and less to read."""
LONGEST_LOG = 2000
"""A room with more entries gives a snapshot: the log is played again from its beginning."""
AT_ONCE = 100
"""Entries that are played between two looks at the rest of the world."""


def recoverable(living: Living, message: Enter) -> bool:
    """Whether what a client missed is no longer in the ring, but worth looking up in the log."""
    room, since = living.room, message.since or 0
    missed = room.seq - since
    return since > 0 and 0 < missed <= MOST_MISSED and room.n <= LONGEST_LOG and room.missed(since) is None


async def recover(archive: Archive, room: Room, since: int) -> list[Update]:
    """The updates after a seq, made again from the log; they are the same as they were. Raises `Unavailable`."""
    again, updates = Room(room.id, room.birth, room.rules), list[Update]()
    while bodies := await archive.log(room.id, again.n, AT_ONCE):
        for body in bodies:
            letters = (post.letter for post in again.apply(unpack(body)[0]))
            updates += [letter for letter in letters if isinstance(letter, Update) and letter.seq > since]
    return updates


def resumed(message: Enter, effects: Effects, recovered: list[Update]) -> Resumed:
    """What a client got that has entered a room."""
    if not message.since:
        return "new"
    if any(isinstance(post.letter, Whole) for post in effects.posts):
        return "snapshot"
    return "log" if recovered else "ring"
