"""Full garbage collections, seldom enough that nobody notices them."""

import asyncio
import ctypes
import gc
import time

LEAST_SECONDS = 60
YOUNG = 50_000
"""More than what one message to a crowd makes for a moment, and so much that most of what an answer makes is gone by then."""
OLDER = 1
"""So often the young alone, then those with them that outlived one look: connections that were closed are soon found."""
SHARE = 0.001
"""Of all time, that may be spent on them."""


async def collect_garbage() -> None:
    """Collect garbage from time to time, until cancelled.

    A full collection stops all rooms while it looks at everything that every connection consists of: more than half a
    second with some thousands. The interpreter would start one whenever enough has been allocated, also every few
    seconds. Here it is done the seldomer the longer it takes; what must be found soon, the young, costs little and goes on
    as ever. What is there from the start stays and need not be looked at again.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, 100)
    while True:
        start = time.perf_counter()
        gc.collect()
        _give_back()
        await asyncio.sleep(max(LEAST_SECONDS, (time.perf_counter() - start) / SHARE))


def _give_back() -> None:
    """Give memory that is free back to the system, where the C library can."""
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)
