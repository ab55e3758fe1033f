"""Checks that chain the log of a room: each covers an entry and the check before it.

They find what a disk, a restored backup or a careless hand did. They are no signature: who can write to the database can
write checks too.
"""

from hashlib import sha256
from struct import Struct

from server.store.records import Entry

SIZE = 16
_HEAD = Struct(">QQqII")


def birth(room: str, created: bytes) -> bytes:
    """The check of a room's birth record, before the first entry."""
    return _digest(b"birth", room.encode(), created)


def link(before: bytes, entry: Entry) -> bytes:
    """The check of an entry that follows the one with check `before`."""
    seat, client_id = entry.seat.encode(), entry.client_id.encode("utf-8", "surrogatepass")
    head = _HEAD.pack(entry.n, entry.epoch, entry.at, len(seat), len(client_id))
    return sha256(b"".join((before, head, seat, client_id, entry.body))).digest()[:SIZE]


def seal(check: bytes, snapshot: bytes) -> bytes:
    """The check of a snapshot of the state after the entry with that check."""
    return _digest(b"snapshot", check, snapshot)


def _digest(kind: bytes, about: bytes, body: bytes) -> bytes:
    return sha256(b"%s %d %s%s" % (kind, len(about), about, body)).digest()[:SIZE]
