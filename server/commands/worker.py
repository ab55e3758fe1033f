"""A worker of `marchwarden serve --workers N`: one node, started by the supervisor in `server.commands.workers`.

Its settings are the first line on standard input, as JSON, because they may hold passwords. That stays open for as long as
the supervisor lives: a worker whose supervisor was killed stops.
"""

import asyncio
import signal
import sys
from contextlib import suppress

import click
import structlog

from server.commands.handed import read
from server.commands.serve import announce, run

log = structlog.get_logger()


async def _attend(url: str) -> None:
    """Say that it listens, and stop when the supervisor has gone."""
    with suppress(BrokenPipeError):
        await announce(url)
    gone, loop, supervisor = asyncio.Event(), asyncio.get_running_loop(), sys.stdin.fileno()
    loop.add_reader(supervisor, gone.set)  # nothing more is ever written
    try:
        await gone.wait()
    finally:
        loop.remove_reader(supervisor)
    log.error("supervisor_gone")
    signal.raise_signal(signal.SIGTERM)


def main() -> None:
    """Run until the supervisor says otherwise."""
    try:
        run(read(sys.stdin.buffer.readline()), _attend)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
