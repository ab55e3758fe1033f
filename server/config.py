"""The settings of a server. Each is an option of `marchwarden serve`, where its meaning and default are told."""

from dataclasses import dataclass
from pathlib import Path
from socket import gethostname


@dataclass(frozen=True)
class Config:
    """What an operator may set; times in seconds."""

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("data")
    store: str = ""
    """Where the rooms are kept; a file in `data` if it is empty, nowhere if it is `memory`."""
    nats: str = ""
    """Where the nodes of a cluster find each other; this is the only one if it is empty."""
    node: str = ""
    """The name of this node among them."""
    workers: int = 1
    """How many processes listen at the address, each a node."""
    share: bool = True
    """Whether rooms go by themselves to the node that has the least to do."""
    keep_days: int = 30
    """How long a finished game is kept."""
    log_level: str = "info"
    log_json: bool = False
    """Whether the log is JSON on a terminal too."""
    metrics: str = ""
    """`HOST:PORT` for the metrics alone; if it is empty, this machine may read them where the game is."""
    origins: tuple[str, ...] = ()
    """Web origins besides the server's own whose pages may connect."""
    trusted_proxies: tuple[str, ...] = ()
    """Networks of proxies whose `X-Forwarded-For` is believed."""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    max_rooms: int = 10_000
    max_connections: int = 10_000
    rate: float = 50
    """Messages a second that a connection may send in the long run: a fast bot; a person sends one in seconds."""
    burst: float = 200
    """Messages that it may send at once: somebody with a seat in every game comes back."""
    seat_rate: float = 50
    seat_burst: float = 200
    """The same for a seat over all its connections: more connections give it no more."""
    address_rate: float = 1000
    address_burst: float = 4000
    """The same for an address: twenty connections at full speed, or a house full of bots and players."""
    address_connections: int = 1000
    """A tenth of all: no single address can keep the others out."""
    address_rooms: int = 200
    """Rooms that may be made from an address at once, and in an hour."""
    handshake_rate: float = 200
    handshake_burst: float = 2000
    """Handshakes from everybody; one costs about a millisecond, so they leave most of a core to the rooms."""
    address_handshake_rate: float = 20
    address_handshake_burst: float = 1000
    """Handshakes from an address: all its connections may come back at once after a restart."""
    hello_timeout: float = 10
    """How long a client has for the handshake, and then again for its `hello`."""
    queue_frames: int = 256
    queue_bytes: int = 1024 * 1024
    """What may wait for one slow reader."""
    ping_interval: float = 20
    ping_timeout: float = 20
    """After so long without a pong, or without taking a frame, a connection is dead."""
    bot_pace: float = 1
    """The least time that the server's bots take for an answer, so that people can follow."""
    bot_budget: float = 50
    """Milliseconds that a regent thinks about a decision, four times that about a plan."""
    drain_seconds: float = 5
    """How long connections have to close when the server stops."""

    @property
    def node_name(self) -> str:
        """The name of this node for people: that of the machine if it was given none."""
        return self.node or "".join(c if c.isalnum() else "-" for c in gethostname())[:32] or "node"

    @property
    def store_url(self) -> str:
        """The URL of the store."""
        return self.store or f"sqlite:///{self.data.resolve()}/marchwarden.db"
