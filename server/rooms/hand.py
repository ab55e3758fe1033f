"""The clock of one house, as a room and its images keep it."""

from msgspec import Struct


class Hand(Struct, frozen=True, omit_defaults=True):
    """The clock of one house."""

    bank: int = 0
    """Milliseconds that are left beyond the increments (`live`)."""
    prompt: int = 0
    """The prompt that it was last asked."""
    free: int = 0
    """What is left of that prompt's own increment (`live`)."""
    due: int = 0
    """When that prompt is due (`daily`)."""
    since: int = 0
    """Since when it owes a decision; 0 if it owes none."""
    missed: int = 0
    """Deadlines missed in a row."""
    autopilot: bool = False
