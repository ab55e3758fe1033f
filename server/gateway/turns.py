"""One after the other, and everybody else between."""

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    """Spreads what busy connections have to do over turns of the event loop: one piece of work a turn, in order.

    However many they are, whoever asks little waits for one piece of their work at most.
    """

    def __init__(self) -> None:
        self._free = True
        self._turning = False
        self._waiting: deque[Callable[[], object]] = deque()

    def start(self, work: Callable[[], object]) -> None:
        """Do it now if nothing was done in this turn and nothing waits, or in one of the next turns."""
        if self._free and not self._waiting:
            self._free = False
            work()
        else:
            self._waiting.append(work)
        if not self._turning:
            self._turning = True
            asyncio.get_running_loop().call_soon(self._turn)

    async def turn(self) -> None:
        """Wait for one's turn."""
        now = asyncio.Event()
        self.start(now.set)
        await now.wait()

    def _turn(self) -> None:
        self._free = not self._waiting
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._turn)
            self._waiting.popleft()()
        else:
            self._turning = False
