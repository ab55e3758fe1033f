"""How many there are of everything at the moment."""

from dataclasses import dataclass, field


@dataclass
class Census:
    """The node as it is now; what is counted while it runs is in `Meters`."""

    rooms: dict[str, int] = field(default_factory=lambda: {"lobby": 0, "playing": 0, "over": 0})
    """Rooms in memory by phase."""
    frozen: int = 0
    quarantined: int = 0
    seats: dict[str, int] = field(default_factory=lambda: {"free": 0, "here": 0, "away": 0, "bot": 0})
    """Seats of rooms in memory that are not over: free, their player connected or not, or played by a bot."""
    spectators: int = 0
    connections: int = 0
    queue_bytes: int = 0
    """Bytes that wait to be sent to all connections."""
    queue_longest: int = 0
    """And to the one with the most."""
    ready: bool = True
    max_rooms: int = 0
    max_connections: int = 0
