"""What the store raises. The texts are for operators and the log; none of them is sent to a client."""


class StoreError(Exception):
    """Base of everything below."""


class BadStore(StoreError):  # noqa: N818 - the URL is bad
    """The store cannot be opened as it was asked for; the text says what to change."""


class Unavailable(StoreError):  # noqa: N818 - the store is unavailable
    """The database failed. Nothing of what was asked is durable."""


class Damaged(Unavailable):
    """The database cannot read a part of itself."""


class InDoubt(Unavailable):
    """The database was lost while it committed, and did not come back in time to tell whether it has."""


class RoomExists(StoreError):  # noqa: N818 - the room exists
    """There is a room with this id already."""


class NoSuchRoom(StoreError):  # noqa: N818 - there is no such room
    """There is no room with this id."""


class Elsewhere(StoreError):  # noqa: N818 - the room is elsewhere
    """Another node has this room, `node` by name, until a time of the database's clock unless it renews its lease."""

    def __init__(self, node: str, until: int = 0) -> None:
        super().__init__(f"node {node} has the room")
        self.node = node
        self.until = until


class Torn(StoreError):  # noqa: N818 - the log is torn
    """What is stored of a room is not what was written; `n` is the entry where it shows."""

    def __init__(self, room: str, n: int, why: str) -> None:
        super().__init__(f"room {room}, entry {n}: {why}")
        self.room = room
        self.n = n
        self.why = why
