"""What a room tells of its houses: what the game says of each, with who sits there and the clock."""

from typing import Any, Protocol

from server.rooms.clock import Clock
from server.rooms.face import Play
from server.rooms.seats import Seats

Document = dict[str, Any]


class Sitting(Protocol):
    """What of a room is looked at."""

    seats: Seats
    clock: Clock
    play: Play | None


class Plates:
    """The part `houses` of a room's document. A plate that has not changed is the same object as the last time."""

    def __init__(self, room: Sitting) -> None:
        self._room = room
        self._sources: dict[str, tuple[Any, ...]] = {}
        self._plates: Document = {}

    def shown(self, game: Document) -> Document:
        """All plates; `game` is what the game says of its houses."""
        changed = {}
        for house in self._room.seats:
            part = game.get(house)
            sources = (part, *self._of(house))
            old = self._sources.get(house)
            if old is None or old[0] is not part or old[1:] != sources[1:]:
                self._sources[house] = sources
                changed[house] = _plate(*sources)
        if changed:
            self._plates = {**self._plates, **changed}
        return self._plates

    def _of(self, house: str) -> tuple[str, str, bool, Document]:
        """Who sits there: the name, the kind of the bot, whether it is on autopilot, and its clock."""
        room = self._room
        seat = room.seats[house]
        autopilot = room.play is not None and room.clock.hands[house].autopilot
        return seat.name, seat.bot, autopilot, {} if seat.bot else room.clock.shown(house)


def _plate(game: Document | None, name: str, bot: str, autopilot: bool, clock: Document) -> Document:
    own: Document = {"name": name, "bot": bot, "autopilot": autopilot, "clock": clock}
    return {**(game or {}), **{key: value for key, value in own.items() if value}}
