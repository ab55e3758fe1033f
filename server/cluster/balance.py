"""Which node shall have a new room, and when a node shall give rooms away. It only counts: it knows no clock and no network."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

CORE_ROOMS: Final = 200
"""A node that needs a whole core of its machine counts as one with so many rooms more."""
CALM: Final = 0.25
"""Below this part of a core it does not count: it says nothing of the rooms."""
BAND: Final = 8
"""By so many rooms two nodes may differ, and by a quarter of the smaller: nothing is moved for less."""
MOST: Final = 5
"""So many rooms are given away at a time."""
STAY_SECONDS: Final = 120.0
"""So long a room stays where it has come to."""


class Load(NamedTuple):
    """What a node has to do."""

    rooms: int
    """In memory."""
    answers: float = 0.0
    """A second, of late; for people to look at."""
    busy: float = 0.0
    """The part of a core that it needs, of late."""
    lag: float = 0.0
    """Seconds by which its event loop was late; for people to look at."""

    @property
    def weight(self) -> float:
        """All of it as if it were rooms."""
        return self.rooms + CORE_ROOMS * max(0.0, self.busy - CALM)


class Gift(NamedTuple):
    """Rooms that shall go elsewhere."""

    node: str
    rooms: int


def birthplace(mine: Load, others: Mapping[str, Load]) -> str:
    """The node that shall have a new room: the one with the least to do; empty for this one, unless it has clearly more."""
    node = _lightest(others)
    return node if node and mine.weight >= others[node].weight + BAND else ""


def gift(mine: Load, others: Mapping[str, Load]) -> Gift | None:
    """What a node shall give away now, if it has clearly more to do than another one.

    Even if all nodes give to the same one at the same time it has no more than they have left: nothing comes back.
    """
    node = _lightest(others)
    if not node:
        return None
    least = others[node].weight
    more = mine.weight - least
    if more <= max(BAND, least / 4):
        return None
    rooms = min(MOST, mine.rooms, int(more / (len(others) + 2)))
    return Gift(node, rooms) if rooms > 0 else None


def spread(rooms: Iterable[str], others: Mapping[str, Load]) -> dict[str, str]:
    """Where the rooms of a node go that stops: each to the node that then has the least to do."""
    weights = {node: load.weight for node, load in others.items()}
    heirs = {}
    for room in rooms if weights else ():
        node = min(weights, key=lambda name: (weights[name], name))
        heirs[room] = node
        weights[node] += 1
    return heirs


def _lightest(others: Mapping[str, Load]) -> str:
    return min(others, key=lambda node: (others[node].weight, node), default="")
