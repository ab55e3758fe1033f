"""`marchwarden serve --workers N`: the supervisor of several nodes on one machine, one a core, that share an address.

Each is an ordinary node of a cluster; the kernel gives every new connection to one of them. The supervisor starts them,
passes signals on, and starts again whichever ends. It touches no game.
"""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click
import structlog

from server.commands.handed import written
from server.commands.pauses import Pauses
from server.commands.reserved import reserved
from server.config import Config
from server.gateway.metrics import address
from server.gateway.node import Tasks

log = structlog.get_logger()

WORKER: Final = "server.commands.worker"
STOPPED: Final = (0, -signal.SIGTERM)
"""How a worker ends that was told to: the second way if it had only just begun, or was about to be gone."""


class WorkerFailed(Exception):  # noqa: N818 - the worker has failed
    """A worker did not start at first, or did not stop as it should; the text says which."""


def check(config: Config) -> None:
    """Raises `click.UsageError` for settings with which there can be no workers."""
    if not config.nats or not config.store.startswith("postgres"):
        raise click.UsageError(
            f"--workers {config.workers} needs --store postgresql://USER:PASSWORD@HOST/DATABASE and --nats nats://HOST:4222:"
            " the workers share their rooms as the nodes of a cluster do; without both leave --workers at 1"
        )
    if not hasattr(socket, "SO_REUSEPORT"):
        raise click.UsageError("--workers needs a system on which processes can share an address, such as Linux")
    if config.metrics and 0 < (port := address(config.metrics)[1]) > 65536 - config.workers:
        raise click.UsageError(f"--metrics: the workers take the ports from {port} on, one each; choose a lower one")


def shares(config: Config, port: int) -> list[Config]:
    """The settings of each worker: a name and metrics of its own, and the same port."""
    return [
        replace(config, node=f"{config.node_name}-{n + 1}", port=port, metrics=_metrics(config.metrics, n))
        for n in range(config.workers)
    ]


def _metrics(where: str, n: int) -> str:
    host, _, port = where.rpartition(":")
    return f"{host}:{int(port) + n}" if where and int(port) else where


async def supervise(config: Config, on_ready: Callable[[str], Coroutine[Any, Any, None]]) -> None:
    """Run workers until SIGTERM or SIGINT; a second signal cuts their good-byes short. SIGHUP has certificates read again.

    `on_ready` is called with the address as soon as all listen, and may go on until they stop: then it is cancelled.
    Raises OSError if there is no listening at the address, and `WorkerFailed`.
    """
    stop, loop, tasks = asyncio.Event(), asyncio.get_running_loop(), Tasks()
    with reserved(config.host, config.port) as port:
        workers = [Worker(each, stop) for each in shares(config, port)]

        def end() -> None:
            stop.set()
            for worker in workers:
                worker.tell(signal.SIGTERM)

        def renew() -> None:
            for worker in workers:
                worker.renew_certificate()

        for signum in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(signum, end)
        if config.tls_cert:  # without one SIGHUP ends the supervisor, and then the workers stop
            loop.add_signal_handler(signal.SIGHUP, renew)

        missing = await _start(workers)
        if stop.is_set():
            missing = []
        elif missing:
            end()
        else:
            log.info("listening", url=workers[0].url, workers=len(workers))
            tasks.spawn(on_ready(workers[0].url))
        keeping = [asyncio.create_task(worker.keep()) for worker in workers]
        await stop.wait()
        await tasks.stop()
        await asyncio.gather(*keeping)
    if missing:
        raise WorkerFailed(f"{' and '.join(missing)} did not start: see above")
    if failed := [f"{worker.name} (status {worker.failed})" for worker in workers if worker.failed]:
        raise WorkerFailed(f"{' and '.join(failed)} did not stop as told: see the log")
    log.info("stopped")


async def _start(workers: "list[Worker]") -> list[str]:
    """Start all of them; the names of those that do not listen.

    The first one goes ahead: it makes the tables, and what is wrong with the settings is said once.
    """
    first, *others = workers
    if not await first.start():
        return [first.name]
    listening = await asyncio.gather(*(worker.start() for worker in others))
    return [worker.name for worker, listens in zip(others, listening, strict=True) if not listens]


class Worker:
    """One process, and the next one whenever it ends, until it is told to stop."""

    def __init__(self, config: Config, stop: asyncio.Event) -> None:
        """`stop` is set before any worker is told to."""
        self.name = config.node
        self.url = ""
        """Where it listens; empty while it does not."""
        self.failed = 0
        """With which status it ended if it was not the one of a worker that was told to stop."""
        self._config = config
        self._stop = stop
        self._process: asyncio.subprocess.Process | None = None
        self._since = 0.0
        self._pauses = Pauses()
        self._renew = False

    def tell(self, signum: signal.Signals) -> None:
        """Send it a signal, if it runs."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(signum)

    def renew_certificate(self) -> None:
        """Have it read its certificate again, as soon as it listens: before it would die of the signal."""
        if self.url:
            self.tell(signal.SIGHUP)
        else:
            self._renew = True

    async def start(self) -> bool:
        """Start the process; whether it listens now."""
        if self._stop.is_set():
            return False
        self._since, self._renew = time.monotonic(), False
        command = [sys.executable, "-P", "-m", WORKER, self.name]
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *command,
                stdin=pipe,
                stdout=pipe,
                env={**os.environ, "PYTHONPATH": _path()},
                start_new_session=True,  # Ctrl-C is for us: we pass it on
            )
        except OSError as error:
            log.error("worker_not_started", worker=self.name, why=error.strerror)
            return False
        if self._stop.is_set():
            self.tell(signal.SIGTERM)
        assert process.stdin and process.stdout
        process.stdin.write(written(self._config))
        self.url = (await process.stdout.readline()).decode().removeprefix("listening ").strip()
        if self.url:
            log.info("worker_started", worker=self.name, pid=process.pid)
            if self._renew:
                self.tell(signal.SIGHUP)
        return bool(self.url)

    async def keep(self) -> None:
        """Start it again whenever it ends, after a pause, until it is to stop."""
        while not await self._over():
            await self.start()

    async def _over(self) -> bool:
        """Wait until the process has ended, and then for a while; whether there shall be no other one."""
        if self._process is None:
            return self._stop.is_set()
        status = await self._process.wait()
        self.url = ""
        if self._stop.is_set():
            self.failed = 0 if status in STOPPED else status
            return True
        pause = self._pauses.after(time.monotonic() - self._since)
        log.warning("worker_ended", worker=self.name, pid=self._process.pid, status=status, again_in=pause)
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self._stop.wait()
        return self._stop.is_set()


def _path() -> str:
    """Where a worker finds our code: where we did, and not in a directory of the same name where we were started."""
    return os.pathsep.join(str(Path(each).absolute()) for each in sys.path)
