"""What every part of the benchmark is given."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Literal, TypeAlias, TypeVar

import uvloop

from tests.bench.cores import LOAD, on_core
from tests.bench.link import faults

Size: TypeAlias = Literal["full", "quick", "tiny"]
T = TypeVar("T")


class Bench:
    """How thoroughly to measure, and whom to tell how far it is."""

    def __init__(self, size: Size, say: Callable[[str], None]) -> None:
        self.size: Size = size
        self.say = say
        self.left_out: list[str] = []
        """What cannot be measured on this machine, and why."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the load on its core."""
        with on_core(LOAD), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            try:
                return runner.run(work)
            except asyncio.CancelledError:
                raise faults[0] from None
            finally:
                faults.clear()

    def leave_out(self, why: str) -> None:
        """Say why something is not measured."""
        self.left_out.append(why)
