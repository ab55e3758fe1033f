"""Players that are programs, as the rooms see them, and how their answers come back to the rooms."""

from collections.abc import Callable
from typing import Protocol, TypeAlias

import structlog

from protocol.answers import AnyAnswer
from protocol.messages import BotKind
from server.log import explain
from server.rooms.delivery import Delivery
from server.rooms.hall import Hall, Living

log = structlog.get_logger()

Done: TypeAlias = Callable[[AnyAnswer | Exception], None]


class Pilots(Protocol):
    """Thinks for seats, beside the work of the rooms."""

    def think(self, kind: BotKind, seat: str, snapshot: bytes, done: Done) -> None:
        """Answer the prompt in a seat's snapshot, packed as MessagePack: what a client in that seat is sent, and no more.

        `seat` is a name for it that no other seat has. `done` is called later, never at once, with the answer or with what went
        wrong; not at all when the server stops.
        """


class Bots:
    """Asks pilots for the seats of bots, and takes their answers to the rooms."""

    def __init__(self, hall: Hall, delivery: Delivery, pilots: Pilots, answered: Callable[[Living], None]) -> None:
        """`answered` is called with a room after a bot has answered there."""
        self._hall = hall
        self._delivery = delivery
        self._pilots = pilots
        self._answered = answered

    def ask(self, living: Living) -> None:
        """Every seat of a bot that owes an answer is thought about, once for each prompt."""
        room = living.room
        for house in room.bots_asked:
            prompt, kind = room.started.prompt(house).id, room.seats[house].bot
            if living.thinking.get(house) != prompt and kind:
                living.thinking[house] = prompt
                snapshot = room.snapshot(house).frame(house, "msgpack")
                assert isinstance(snapshot, bytes)
                self._pilots.think(kind, f"{room.id}:{house}", snapshot, self._taker(living, house, prompt))

    def _taker(self, living: Living, house: str, prompt: int) -> Done:
        def take(answer: AnyAnswer | Exception) -> None:
            if living.thinking.get(house) == prompt:
                del living.thinking[house]
            # A room that was lost and brought back may ask something else under the same number.
            if self._hall.living(living.room.id) is living and not living.lost:
                self._take(living, house, prompt, answer)

        return take

    def _take(self, living: Living, house: str, prompt: int, answer: AnyAnswer | Exception) -> None:
        effects = living.requests.piloted(house, prompt, answer)
        if effects.fault is not None:
            room, kind = living.room, living.room.seats[house].bot
            log.error("bot_failed", **living.about, seat=house, kind=kind, seq=room.seq, **explain(effects.fault))
        self._delivery.settle(living, effects, None)
        self._answered(living)
