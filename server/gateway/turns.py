"""Many go to work a few at a time."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

AT_ONCE = 32


class Turns:
    """Spreads what thousands of connections have to do over turns of the event loop, so that others get theirs between.

    The first few of a turn start at once: a room of some players never waits here. When a crowd is told something, the
    rest of it follows, a few a turn.
    """

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._left = at_once
        self._turning = False
        self._waiting: OrderedDict[Callable[[], object], None] = OrderedDict()

    def start(self, work: Callable[[], object]) -> None:
        """Do it now, or in one of the next turns; once, if it waits already."""
        if self._left > 0:
            self._left -= 1
            work()
        else:
            self._waiting[work] = None
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    def _turn(self) -> None:
        self._left = self._at_once
        for _ in range(min(self._at_once, len(self._waiting))):
            self._waiting.popitem(last=False)[0]()
        self._turning = bool(self._waiting)
        if self._turning:
            asyncio.get_running_loop().call_soon(self._turn)
