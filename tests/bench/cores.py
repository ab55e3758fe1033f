"""The server on one core, the load on another, so that neither waits for the other."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

PINS = hasattr(os, "sched_setaffinity") and len(os.sched_getaffinity(0)) > 1
"""Whether this machine can keep them apart."""
SERVER, LOAD = 0, 1
"""Which of our cores each of them gets; counted from the first that we may use."""


@contextmanager
def on_core(which: int) -> Iterator[None]:
    """This process, and whatever it starts meanwhile, runs on one core."""
    if not PINS:
        yield
        return
    all_ = os.sched_getaffinity(0)
    mine = sorted(_EVERY)
    os.sched_setaffinity(0, {mine[which % len(mine)]})
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_)


_EVERY = os.sched_getaffinity(0) if PINS else {0}
