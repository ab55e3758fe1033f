"""`marchwarden serve`."""

import asyncio
import errno
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from server.bots.table import keep_a_table
from server.config import Config
from server.gateway.node import serve
from server.log import LEVELS, configure
from server.store.errors import StoreError

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    from uvloop import new_event_loop
except ImportError:  # where it does not install
    from asyncio import new_event_loop


@click.command(
    "serve",
    context_settings={"auto_envvar_prefix": "MARCHWARDEN", "show_default": True},
    epilog="Every option may also be given as an environment variable: --max-rooms as MARCHWARDEN_MAX_ROOMS, and so on;"
    " several --origin as MARCHWARDEN_ORIGINS, with blanks between.",
)
@click.option("--host", default=Config.host, help="Address to listen on; 0.0.0.0 for all of IPv4, :: for all of IPv6.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=Config.port, help="Port to listen on; 0 takes a free one."
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=Config.data,
    help="Directory of the database that keeps all rooms, made if need be.",
)
@click.option(
    "--store",
    default=Config.store,
    metavar="URL",
    help="Another database for the rooms: postgresql://USER:PASSWORD@HOST/DATABASE; or memory, to keep nothing.",
)
@click.option("--keep-days", type=click.IntRange(0), default=Config.keep_days, help="Days to keep a finished game.")
@click.option("--log-level", type=click.Choice(LEVELS), default=Config.log_level, help="What to log, from here on up.")
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Web origin, such as https://example.org, whose pages may connect too; may be repeated. Pages of this server"
    " and programs that are no browser always may.",
)
@click.option("--max-rooms", type=click.IntRange(1), default=Config.max_rooms, help="Rooms to hold at a time.")
@click.option(
    "--max-connections", type=click.IntRange(1), default=Config.max_connections, help="Sockets to hold at a time."
)
@click.option("--rate", type=click.FloatRange(0.1), default=Config.rate, help="Messages a second from one connection.")
@click.option("--burst", type=click.FloatRange(1), default=Config.burst, help="Messages at once from one connection.")
@click.option(
    "--queue-frames", type=click.IntRange(8), default=Config.queue_frames, help="Frames to hold for a slow reader."
)
@click.option(
    "--queue-bytes", type=click.IntRange(65536), default=Config.queue_bytes, help="Bytes to hold for a slow reader."
)
@click.option("--ping-interval", type=click.FloatRange(1), default=Config.ping_interval, help="Seconds between pings.")
@click.option(
    "--ping-timeout",
    type=click.FloatRange(1),
    default=Config.ping_timeout,
    help="Seconds without a pong, or without taking a frame, after which a connection is dead.",
)
@click.option(
    "--drain-seconds",
    type=click.FloatRange(0),
    default=Config.drain_seconds,
    help="Seconds for good-byes when stopping.",
)
@click.option("--demo", is_flag=True, help="Keep a table of six bots playing, to watch.")
def command(*, demo: bool, **options: Any) -> None:
    """Run a server: one node, nothing else needed.

    Players, bots and spectators connect to /ws; the address is the first line on standard output. The log goes to
    standard error. SIGTERM or Ctrl-C stops the server: it says good-bye to everybody first; a second one cuts that short.
    """
    config = Config(**options)
    configure(config.log_level)
    try:
        config.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"cannot make {config.data}: {error.strerror}; choose another with --data") from None
    try:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(serve(config, _announce_demo if demo else _announce))
    except OSError as error:
        raise click.ClickException(_explain(error, config)) from None
    except StoreError as error:
        raise click.ClickException(f"{error}; see --store and --data") from None


async def _announce(url: str) -> None:
    click.echo(f"listening {url}")
    sys.stdout.flush()


async def _announce_demo(url: str) -> None:
    """The address, and a table of bots for as long as the server runs."""
    await _announce(url)
    socket = url.replace("http", "ws", 1) + "/ws"
    click.echo(f"\nOpen {url} in a browser.")
    click.echo(f"Six bots are playing: watch them from another terminal with  marchwarden watch --url {socket}")
    click.echo("(from a checkout: .venv/bin/marchwarden). Ctrl-C stops the server.", nl=True)
    sys.stdout.flush()
    await keep_a_table(socket)


def _explain(error: OSError, config: Config) -> str:
    where = f"{config.host} port {config.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{where} is in use: stop what listens there, or choose another with --port (0 takes a free one)"
    if error.errno == errno.EACCES:
        return f"{where} is not allowed: ports below 1024 are for root; choose another with --port"
    return f"cannot listen on {where}: {error.strerror}; choose another with --host"
