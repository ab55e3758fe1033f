"""By how much the event loop is late: what everybody waits who wants anything of this process."""

import asyncio
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Final

from server.eyes.histogram import Histogram

EVERY_SECONDS: Final = 0.25


async def measure_lag(
    into: Histogram,
    clock: Callable[[], float] = perf_counter,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Ask to be woken again and again, and count by how much that was too late, until cancelled."""
    while True:
        asked = clock()
        await sleep(EVERY_SECONDS)
        into.add(max(0.0, clock() - asked - EVERY_SECONDS))
