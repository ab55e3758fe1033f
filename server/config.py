"""The settings of a server. Each is an option of `marchwarden serve`, where its meaning and default are told."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Config:
    """What an operator may set; times in seconds."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("data")
    store: str = ""
    """Where the rooms are kept; a file in `data` if it is empty, nowhere if it is `memory`."""
    keep_days: int = 30
    """How long a finished game is kept."""
    log_level: str = "info"
    origins: tuple[str, ...] = ()
    """Web origins besides the server's own whose pages may connect."""
    max_rooms: int = 10_000
    max_connections: int = 10_000
    rate: float = 50
    """Messages a second that a connection may send in the long run."""
    burst: float = 200
    """Messages that it may send at once."""
    queue_frames: int = 256
    queue_bytes: int = 1024 * 1024
    """What may wait for one slow reader."""
    ping_interval: float = 20
    ping_timeout: float = 20
    """After so long without a pong, or without taking a frame, a connection is dead."""
    drain_seconds: float = 5
    """How long connections have to close when the server stops."""

    @property
    def store_url(self) -> str:
        """The URL of the store."""
        return self.store or f"sqlite:///{self.data.resolve()}/marchwarden.db"
