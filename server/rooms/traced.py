"""The desk and the archive when traces are on. Without them neither knows of traces, and pays nothing."""

from collections.abc import Callable
from typing import Any, cast

from protocol.messages import AnyClientMessage
from server.eyes.traces import Traces
from server.rooms.archive import Archive, Page, Verdict
from server.rooms.audience import Listener
from server.rooms.desk import Desk
from server.rooms.hall import Hall, Spawn
from server.rooms.pilots import Pilots


class TracedDesk(Desk):
    """A desk that makes a trace of every message."""

    def __init__(self, hall: Hall, spawn: Spawn | None, pilots: Pilots | None, traces: Traces) -> None:
        """What the hall writes is part of the traces from now on."""
        hall.archive = cast(Archive, _TracedArchive(hall.archive, traces))
        super().__init__(hall, spawn, pilots)
        self._traces = traces

    def handle(self, caller: Listener, message: AnyClientMessage) -> None:
        """Serve one message."""
        with self._traces.command(message):
            super().handle(caller, message)


class _TracedArchive:
    """An archive; what is written because of a message of a client is part of the trace of that message."""

    def __init__(self, archive: Archive, traces: Traces) -> None:
        self._archive = archive
        self._traces = traces

    def __getattr__(self, name: str) -> Any:
        return getattr(self._archive, name)

    def write(self, page: Page, done: Callable[[Verdict], None]) -> None:
        """Write a page: `commit` lasts until it is durable or has failed, `reveal` until all frames are queued."""
        command = self._traces.current
        if command is None:
            self._archive.write(page, done)
            return
        command.validated()
        command.goes_on()
        commit = command.part("commit")
        commit.set_attribute("marchwarden.epoch", page.epoch)

        def settled(verdict: Verdict) -> None:
            commit.set_attribute("marchwarden.outcome", verdict.value)
            commit.end()
            reveal = command.part("reveal")
            try:
                done(verdict)
            finally:
                reveal.end()
                command.done()

        self._archive.write(page, settled)
