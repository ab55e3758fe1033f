"""Clocks of a room: absolute deadlines, reckoned from the times of the inputs alone, so they survive everything.

Times are milliseconds since 1970. Nothing here reads a clock: whoever calls says what time it is.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from protocol.messages import ClockOptions
from server.rooms.hand import Hand

SECOND, HOUR = 1000, 3_600_000
DAY = 24 * HOUR


class Clock:
    """The hands of all houses. Without options nothing is ever due."""

    def __init__(self, options: ClockOptions | None, houses: Iterable[str]) -> None:
        self.options = options
        self.paused = 0
        """Since when all hands stand still; 0 if they do not."""
        bank = options.bank * SECOND if options else 0
        self.hands: dict[str, Hand] = {house: Hand(bank) for house in houses}

    def follow(self, at: int, owing: Mapping[str, int]) -> None:
        """After an input at this time these houses owe an answer, each to the prompt with this id."""
        for house, hand in self.hands.items():
            prompt = owing.get(house, 0)
            as_before = prompt == hand.prompt if hand.since else not prompt
            if as_before:
                continue
            stopped = self._stopped(hand, at) if hand.since else hand
            self.hands[house] = self._started(stopped, at, prompt) if prompt else stopped

    @property
    def idle(self) -> bool:
        """Whether nobody has a deadline and nobody is on autopilot: nothing has to be done unasked."""
        return self.options is None and not any(hand.autopilot for hand in self.hands.values())

    def deadline(self, house: str) -> int | None:
        """When the house must have answered; nothing if it owes no answer, or all hands stand still."""
        if self.options is None or self.paused:
            return None
        hand = self.hands[house]
        if not hand.since:
            return None
        return hand.due if self.options.kind == "daily" else hand.since + hand.free + hand.bank

    def deadlines(self) -> dict[str, int]:
        """All deadlines there are."""
        return {house: due for house in self.hands if (due := self.deadline(house)) is not None}

    def missed(self, house: str) -> bool:
        """A deadline has passed without an answer; tells whether the seat goes on autopilot by that."""
        assert self.options is not None
        hand = self.hands[house]
        absent = hand.missed + 1 >= self.options.absences
        self.hands[house] = replace(hand, missed=hand.missed + 1, autopilot=hand.autopilot or absent)
        return absent and not hand.autopilot

    def present(self, house: str) -> bool:
        """The player of a house has done something; tells whether its seat comes off autopilot by that."""
        hand = self.hands[house]
        if hand.missed or hand.autopilot:
            self.hands[house] = replace(hand, missed=0, autopilot=False)
        return hand.autopilot

    def leave(self, house: str) -> None:
        """Nobody sits there any more: the seat is on autopilot until somebody does."""
        self.hands[house] = replace(self.hands[house], autopilot=True)

    def pause(self, at: int) -> None:
        """All hands stand still."""
        self.paused = self.paused or at

    def resume(self, at: int) -> None:
        """All hands go on; every deadline moves by the time of the pause."""
        pause, self.paused = at - self.paused, 0
        self._shift(pause)

    def extend(self, more: int) -> None:
        """Every house that owes an answer has so much more time for it."""
        for house, hand in self.hands.items():
            if hand.since:
                self.hands[house] = replace(hand, free=hand.free + more, due=hand.due + more if hand.due else 0)

    def shown(self, house: str) -> dict[str, Any]:
        """What everybody may see of a house's clock."""
        part = dict[str, Any]()
        if self.options is None:
            return part
        if self.options.kind == "live":
            part["bank"] = self.hands[house].bank
        if (due := self.deadline(house)) is not None:
            part["deadline"] = due
        return part

    def _stopped(self, hand: Hand, at: int) -> Hand:
        """An answer was given: what it took goes from the increment first, then from the bank."""
        took = max(0, at - hand.since)
        over = max(0, took - hand.free)
        return replace(hand, since=0, free=max(0, hand.free - took), bank=max(0, hand.bank - over))

    def _started(self, hand: Hand, at: int, prompt: int) -> Hand:
        """An answer is owed. One that was taken back goes on where it stopped: no time is won by that."""
        if prompt == hand.prompt:
            return replace(hand, since=at)
        free = self.options.increment * SECOND if self.options else 0
        return replace(hand, prompt=prompt, since=at, free=free, due=self._due(at))

    def _due(self, at: int) -> int:
        """The first full hour of the day chosen that is at least half a span away; it never drifts."""
        if self.options is None or self.options.kind != "daily":
            return 0
        earliest = at + self.options.span * HOUR // 2
        hour = self.options.hour * HOUR
        return earliest + (hour - earliest) % DAY

    def _shift(self, by: int) -> None:
        for house, hand in self.hands.items():
            if hand.since:
                self.hands[house] = replace(hand, since=hand.since + by, due=hand.due + by if hand.due else 0)
