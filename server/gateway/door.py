"""What the connections of one address may do together, and how fast everybody may come in."""

from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from math import ceil
from typing import NamedTuple

from server.bucket import Bucket, Buckets
from server.config import Config

HURRIED = 20
"""Handshakes of an address, over what its pace gives back, after which each is looked at when it is its turn."""
BLAME = 10
"""Handshakes that are lost to an address by a connection that misbehaved."""


class TurnedDown(NamedTuple):
    """A handshake that is refused: why, and after how many seconds to try again."""

    status: HTTPStatus
    why: str
    retry_after: int


class Door:
    """The limits that no single connection can keep. Addresses that are idle take up no memory."""

    def __init__(self, config: Config, clock: Callable[[], float]) -> None:
        """`clock` gives seconds and never runs backwards."""
        self._config = config
        self._all = Bucket(config.handshake_rate, config.handshake_burst, clock)
        self._handshakes = Buckets(config.address_handshake_rate, config.address_handshake_burst, clock)
        self._messages = Buckets(config.address_rate, config.address_burst, clock)
        self._rooms = Buckets(config.address_rooms / 3600, config.address_rooms, clock)
        self._sockets: Counter[str] = Counter()
        self._inside: Counter[str] = Counter()
        self._count = 0

    def knock(self, address: str) -> TurnedDown | None:
        """A handshake: None if it may go on. The address pays first, so that it cannot use up what is there for all."""
        if not self._handshakes.take(address):
            wait = self._handshakes.wait(address)
            return _later("There are too many handshakes from your address.", wait)
        if not self._all.take():
            return _later("There are too many handshakes at the moment.", self._all.wait)
        if self._inside[address] >= self._config.address_connections:
            return _later("There are too many connections from your address.", 60)
        if self._count >= self._config.max_connections:
            why = "This server has as many connections as it takes."
            return TurnedDown(HTTPStatus.SERVICE_UNAVAILABLE, why, 60)
        return None

    def hurried(self, address: str) -> bool:
        """Whether so many handshakes have come from there that others, who want something else, should go between."""
        return self._handshakes.spent(address) > HURRIED

    def enter(self, address: str) -> None:
        """A connection is open; `leave` must follow."""
        self._inside[address] += 1
        self._count += 1

    def leave(self, address: str) -> None:
        """A connection is closed."""
        self._count -= 1
        _drop(self._inside, address)

    def blame(self, address: str) -> None:
        """A connection had to be closed for what it sent. It cost more than others, and so does the next one."""
        self._handshakes.charge(address, BLAME)

    def may_send(self, address: str) -> bool:
        """Whether one more message is taken now."""
        return self._messages.take(address)

    def may_make_room(self, address: str) -> bool:
        """Whether one more room may be made now."""
        return self._rooms.take(address)

    def touch(self, peer: str) -> bool:
        """A socket is there, who knows for what; `let_go` must follow. Whether it may stay.

        Twice as many as may be connections: who is one too many is told so, and there is room for requests of pages.
        """
        self._sockets[peer] += 1
        return self._sockets[peer] <= 2 * self._config.address_connections

    def let_go(self, peer: str) -> None:
        """A socket is gone."""
        _drop(self._sockets, peer)


def _later(why: str, wait: float) -> TurnedDown:
    return TurnedDown(HTTPStatus.TOO_MANY_REQUESTS, why, max(1, ceil(wait)))


def _drop(counter: Counter[str], key: str) -> None:
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
