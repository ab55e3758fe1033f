"""What takes the messages of connections: the desk, or what stands in its place where there are several nodes."""

from typing import Protocol

from protocol.messages import AnyClientMessage
from server.rooms.audience import Listener
from server.rooms.hall import Hall
from server.rooms.pace import Pace


class Front(Protocol):
    """The rooms, as connections see them."""

    @property
    def draining(self) -> bool:
        """Whether the server takes nothing new."""

    @draining.setter
    def draining(self, value: bool) -> None: ...

    @property
    def pace(self) -> Pace | None:
        """How fast seats may ask."""

    @pace.setter
    def pace(self, value: Pace | None) -> None: ...

    @property
    def unready(self) -> str:
        """Why it is of no use to send new clients here; empty if it is of use."""

    @property
    def hall(self) -> Hall:
        """The rooms that are in memory here."""

    def tick(self) -> None:
        """Answer for seats whose time is up."""

    async def hand_over(self) -> None:
        """Everything is written and nothing more is taken: let the rooms go."""

    def handle(self, caller: Listener, message: AnyClientMessage) -> None:
        """Serve one message. Whatever is wrong with it ends in a reply; nothing is raised."""

    def gone(self, caller: Listener) -> None:
        """The connection is lost."""

    def refresh(self, caller: Listener, room_id: str) -> bool:
        """Send a snapshot to a connection that lost letters of a room; False if it is in there no more."""
