"""Answers that have come and are not taken yet: what comes together is taken and shown together."""

from collections.abc import Callable
from typing import TypeAlias

from protocol.messages import AnswerPrompt
from server.rooms.audience import Listener
from server.rooms.hall import Hall, Living

Came: TypeAlias = tuple[Listener, AnswerPrompt]
"""An answer, and the connection that it came from."""

Soon: TypeAlias = Callable[[Callable[[], None]], object]
"""Has something done in the next turn of the event loop."""

AT_ONCE = 12
"""So many answers of a room are taken in a turn of the event loop: whoever sends hundreds holds up no other room."""


class Gathered:
    """By room, the answers that came in one turn of the event loop, or while the room's last page was being written.

    Nobody could be shown anything before that anyhow; and six orders that are shown in one change cost little more than
    one. Only answers wait: whatever else comes to the room has them taken first, so that all is served in its order.
    """

    def __init__(self, hall: Hall, soon: Soon, take: Callable[[Living, list[Came]], None]) -> None:
        """`soon` has something done in the next turn; `take` serves answers, in order."""
        self._hall = hall
        self._soon = soon
        self._take = take
        self._waiting: dict[str, list[Came]] = {}
        self._due: set[str] = set()
        """Rooms that go on in the next turn."""

    def add(self, caller: Listener, message: AnswerPrompt) -> None:
        """An answer has come for a room in memory."""
        room = message.room
        self._waiting.setdefault(room, []).append((caller, message))
        self._go_on_soon(room)

    def written(self, room: str) -> None:
        """The last page of a room is written: what waits is taken in the next turn."""
        if room in self._waiting:
            self._go_on_soon(room)

    def open(self, room: str) -> None:
        """Take what waits for a room, now."""
        if room in self._waiting and (living := self._hall.living(room)):
            self._take(living, self._waiting.pop(room))

    def give_up(self, room: str) -> list[Came]:
        """What waits for a room that is lost, and will not be taken."""
        return self._waiting.pop(room, [])

    def _go_on_soon(self, room: str) -> None:
        if room not in self._due:
            self._due.add(room)
            self._soon(lambda: self._go_on(room))

    def _go_on(self, room: str) -> None:
        """Take some of what waits, unless a page of the room is being written: then it goes on when that is done."""
        self._due.discard(room)
        living = self._hall.living(room)
        if room not in self._waiting or living is None or living.pending:
            return
        came = self._waiting.pop(room)
        if rest := came[AT_ONCE:]:
            self._waiting[room] = rest
            self._go_on_soon(room)
        self._take(living, came[:AT_ONCE])


def apart(came: list[Came], living: Living) -> list[list[Came]]:
    """Answers in groups that may be shown together: in each, one of every seat at most."""
    groups, seats = [list[Came]()], set[str | None]()
    for caller, message in came:
        audience = living.room.audience
        seat = audience.viewer(caller) if caller in audience else None
        if seat in seats:
            groups.append([])
            seats.clear()
        seats.add(seat)
        groups[-1].append((caller, message))
    return groups
