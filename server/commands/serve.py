"""`marchwarden serve`."""

import asyncio
import errno
import re
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from server.bots.table import keep_a_table
from server.commands import workers
from server.commands.limits import limits
from server.config import Config
from server.gateway.address import networks
from server.gateway.files import allow_files
from server.gateway.metrics import NoMetrics, address
from server.gateway.node import NotInCluster, serve
from server.gateway.tls import CertificateError
from server.log import LEVELS, configure
from server.store.errors import StoreError

new_event_loop: Callable[[], asyncio.AbstractEventLoop]
try:
    from uvloop import new_event_loop
except ImportError:  # where it does not install
    from asyncio import new_event_loop


def _check_networks(context: click.Context, option: click.Parameter, cidrs: tuple[str, ...]) -> tuple[str, ...]:
    try:
        networks(cidrs)
    except ValueError as error:
        raise click.BadParameter(f"{error}; give a network, such as 10.0.0.0/8 or ::1/128") from None
    return cidrs


def _check_metrics(context: click.Context, option: click.Parameter, where: str) -> str:
    try:
        if where:
            address(where)
    except ValueError as error:
        raise click.BadParameter(f"{error}; give an address and a port, such as 127.0.0.1:9100") from None
    return where


def _check_node(context: click.Context, option: click.Parameter, name: str) -> str:
    if not re.fullmatch("[A-Za-z0-9_-]{0,32}", name):
        raise click.BadParameter("use at most 32 letters, digits, - and _")
    return name


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
@click.option(
    "--nats",
    default=Config.nats,
    metavar="URL",
    help="NATS server by which several nodes on one PostgreSQL reach each other, nats://HOST:4222; several with commas"
    " between. Players may connect to any of the nodes.",
)
@click.option(
    "--node",
    default=Config.node,
    metavar="NAME",
    callback=_check_node,
    help="Name of this node in the log and for the other nodes; the name of the machine if it is not given.",
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=Config.workers,
    help="Processes to serve with at the same address, one a core: nodes NAME-1, NAME-2, ... that are started again when"
    " they die. More than one needs --nats, and --store postgresql://. Limits hold for each of them.",
)
@click.option(
    "--share/--no-share",
    default=Config.share,
    help="Whether rooms go by themselves to the node with the least to do; else they stay where they are made.",
)
@click.option("--keep-days", type=click.IntRange(0), default=Config.keep_days, help="Days to keep a finished game.")
@click.option("--log-level", type=click.Choice(LEVELS), default=Config.log_level, help="What to log, from here on up.")
@click.option("--log-json", is_flag=True, help="Log JSON, one event a line, on a terminal too; elsewhere it always is.")
@click.option(
    "--metrics",
    default=Config.metrics,
    metavar="HOST:PORT",
    callback=_check_metrics,
    help="Serve the metrics for Prometheus there, to whoever can reach it: http://HOST:PORT/metrics. Without it they are at"
    " /metrics of the game's own address, for programs on this machine alone.",
)
@click.option(
    "--origin",
    "origins",
    multiple=True,
    metavar="URL",
    help="Web origin, such as https://example.org, whose pages may connect too; may be repeated. Pages of this server"
    " and programs that are no browser always may.",
)
@click.option(
    "--trusted-proxy",
    "trusted_proxies",
    multiple=True,
    metavar="CIDR",
    callback=_check_networks,
    help="Network of a proxy whose X-Forwarded-For is believed, such as 10.0.0.0/8; may be repeated. Of any other it is"
    " ignored, and everybody behind a proxy counts as one address.",
)
@click.option(
    "--tls-cert",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Certificate, with its chain, in PEM: serve https and wss. SIGHUP has it read again. Without it put a proxy in front"
    " for TLS.",
)
@click.option("--tls-key", type=click.Path(dir_okay=False, path_type=Path), help="Key of the certificate, in PEM.")
@limits
@click.option("--demo", is_flag=True, help="Keep a table of six bots playing, to watch.")
def command(*, demo: bool, **options: Any) -> None:
    """Run a server: one node, nothing else needed.

    Players, bots and spectators connect to /ws; the address is the first line on standard output. The log goes to
    standard error. SIGTERM or Ctrl-C stops the server: it says good-bye to everybody first; a second one cuts that short.
    """
    config = Config(**options)
    if demo and (config.tls_cert or config.tls_key):
        raise click.UsageError("--demo does not go with --tls-cert: its bots would not know the certificate")
    if config.nats and not config.store.startswith("postgres"):
        raise click.UsageError("--nats needs --store postgresql://USER:PASSWORD@HOST/DATABASE, the same for all nodes")
    on_ready = _announce_demo if demo else announce
    if config.workers == 1:
        run(config, on_ready)
        return
    workers.check(config)
    configure(config.log_level, json=config.log_json, node=config.node_name)
    with _explained(config), asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(workers.supervise(config, on_ready))


def run(config: Config, on_ready: Callable[[str], Coroutine[Any, Any, None]]) -> None:
    """Be a node until a signal stops it; see `server.gateway.node.serve`. Raises `click.ClickException` if it cannot."""
    configure(config.log_level, json=config.log_json, node=config.node_name)
    allow_files(config)
    try:
        config.data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"cannot make {config.data}: {error.strerror}; choose another with --data") from None
    with _explained(config), asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(serve(config, on_ready))


@contextmanager
def _explained(config: Config) -> Iterator[None]:
    """What may go wrong, as an operator is told of it."""
    try:
        yield
    except OSError as error:
        raise click.ClickException(_explain(error, config)) from None
    except CertificateError as error:
        raise click.ClickException(f"{error}; see --tls-cert and --tls-key") from None
    except NoMetrics as error:
        raise click.ClickException(f"{error}; choose another address with --metrics") from None
    except NotInCluster as error:
        raise click.ClickException(f"{error}; see --nats") from None
    except StoreError as error:
        raise click.ClickException(f"{error}; see --store and --data") from None
    except workers.WorkerFailed as error:
        raise click.ClickException(str(error)) from None


async def announce(url: str) -> None:
    """Say on standard output where the server listens."""
    click.echo(f"listening {url}")
    sys.stdout.flush()


async def _announce_demo(url: str) -> None:
    """The address, and a table of bots for as long as the server runs."""
    await announce(url)
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
