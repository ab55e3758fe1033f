"""The log of the server: one event a line on standard error, readable on a terminal, JSON elsewhere.

Tokens, invites, seeds and orders are never logged. That is up to whoever logs; `redact` is the net below.
"""

import logging
import sys
import traceback
from functools import partial
from typing import Any, Final, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

SECRET: Final = frozenset(
    {"token", "invite", "invites", "host_token", "seed", "answer", "orders", "text", "you", "prompt"}
)
LEVELS: Final = ("debug", "info", "warning", "error")


def explain(fault: BaseException) -> dict[str, Any]:
    """A fault as fields for the log: its kind and its place in the code. Its text may hold a secret and is left out."""
    return {"fault": type(fault).__name__, "at": traceback.format_tb(fault.__traceback__)}


def redact(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Blot out fields whose name says that they hold a secret, and the text of exceptions that libraries log."""
    for name in SECRET & event.keys():
        event[name] = "[secret]"
    exc_info = event.pop("exc_info", None)
    if isinstance(exc_info, tuple) and exc_info[1] is not None:
        event.update(explain(exc_info[1]))
    return event


def _name(node: str, logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Lines of threads too, which know nothing of what was bound elsewhere."""
    if node:
        event.setdefault("node", node)
    return event


def configure(level: str, stream: TextIO | None = None, *, json: bool = False, node: str = "") -> None:
    """Send the log of this process from `level` on (one of LEVELS) to a stream; standard error by default.

    It is JSON, one event a line, unless the stream is a terminal; with `json` there too. Every line names the `node`.
    """
    stream = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        partial(_name, node),
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        redact,
    ]
    people = stream.isatty() and not json
    renderer: Processor = structlog.dev.ConsoleRenderer() if people else structlog.processors.JSONRenderer()
    number: int = getattr(logging, level.upper())
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        # Each line in one go: several processes may write to the same stream, and print() writes the end of a line apart.
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    strip = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[redact, strip, renderer])
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # The libraries' own debug lines hold frames, and so tokens: they are never wanted.
    root.setLevel(max(number, logging.WARNING))
