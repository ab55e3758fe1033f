"""How long to wait before a process that has ended is started again."""

from typing import Final

FIRST_SECONDS: Final = 0.25
LONGEST_SECONDS: Final = 30.0
STEADY_SECONDS: Final = 60.0
"""What has run for so long and then ends is a new trouble and not the old one."""


class Pauses:
    """Short at first, twice as long every time. It only counts: it knows no clock."""

    def __init__(self) -> None:
        self._next = FIRST_SECONDS

    def after(self, ran: float) -> float:
        """Seconds to wait now that a process has ended which ran for so many seconds."""
        if ran >= STEADY_SECONDS:
            self._next = FIRST_SECONDS
        pause, self._next = self._next, min(2 * self._next, LONGEST_SECONDS)
        return pause
