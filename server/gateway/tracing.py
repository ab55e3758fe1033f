"""Whether there are traces. Without them nothing of OpenTelemetry is even imported."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread
from typing import TYPE_CHECKING, Final

import structlog

from server.rooms.desk import Desk
from server.rooms.hall import Hall, Spawn
from server.rooms.pilots import Pilots

if TYPE_CHECKING:
    from server.eyes.traces import Traces

log = structlog.get_logger()

ASKED_FOR_BY: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""Whoever sets one of these wants traces; the SDK reads them, and all its other settings, itself."""

CLOSE_SECONDS: Final = 2
"""For so long a node that stops waits for a collector to take what is left."""


@asynccontextmanager
async def tracing(node: str) -> AsyncIterator["Traces | None"]:
    """The traces of a node for as long as it runs; None if nobody asked for them, or the SDK is not installed."""
    if os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or not any(map(os.environ.get, ASKED_FOR_BY)):
        yield None
        return
    try:
        from server.eyes.traces import to_collector  # noqa: PLC0415
    except ModuleNotFoundError:
        log.warning("no_traces", remedy="pip install marchwarden[otel]")
        yield None
        return
    traces = to_collector(node)
    log.info("traces")
    try:
        yield traces
    finally:
        closing = Thread(target=traces.close, daemon=True)  # no thread that the process would wait for at its end
        closing.start()
        await asyncio.to_thread(closing.join, CLOSE_SECONDS)


def make_desk(hall: Hall, spawn: Spawn, pilots: Pilots, traces: "Traces | None") -> Desk:
    """The desk of a node; one that makes traces, if there are any, and so takes every answer on its own."""
    if traces is None:
        return Desk(hall, spawn, pilots, asyncio.get_running_loop().call_soon)
    from server.rooms.traced import TracedDesk  # noqa: PLC0415

    return TracedDesk(hall, spawn, pilots, traces)
