"""A server's rooms and sessions without sockets: chance and time are fixed, so the same frames bring the same frames back."""

from random import Random

from protocol.messages import Hello
from protocol.wire import encode
from server.config import Config
from server.gateway.door import Door
from server.gateway.outbox import Outbox
from server.gateway.session import Session
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall

NEW_YEAR = 1_767_225_600.0


class Machine:
    """Connections by name, in JSON; they are opened as soon as they send something."""

    def __init__(self, seed: int, at: float = NEW_YEAR) -> None:
        self._at = at
        self._config = Config()
        self._door = Door(self._config, self._now)
        self.desk = Desk(Hall(BaseGame(), Random(seed).randbytes, self._now, 100))
        self._sessions: dict[str, Session] = {}

    def _now(self) -> float:
        return self._at

    def send(self, who: str, frame: str) -> None:
        """Send a frame of a connection. One that does not begin with `hello` has it said before, and its welcome is lost."""
        if who not in self._sessions:
            self._open(who)
            if '"hello"' not in frame:
                self._sessions[who].receive(str(encode(Hello(1, who), "json")))
                self.taken(who)
        self._at += 0.05  # nobody is too fast here
        self._sessions[who].receive(frame)

    def taken(self, who: str) -> list[str]:
        """The frames that came to a connection since the last time."""
        outbox = self._sessions[who].outbox if who in self._sessions else None
        frames = []
        while outbox is not None and (item := outbox.next()) is not None:
            assert isinstance(item, str), f"{who} was closed: {item!r}"
            frames.append(item)
        return frames

    def _open(self, who: str) -> None:
        outbox = Outbox(10_000, 2**24, lambda: None)
        self._sessions[who] = Session(
            self.desk, outbox, "json", self._config, self._door, "127.0.0.1", clock=self._now, now=self._now
        )
