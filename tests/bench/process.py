"""The processes that are measured: our server as an operator starts it, and the bare relay."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

from tests.bench.cores import SERVER, on_core
from tests.kill.process import free_port

NO_LIMIT = (
    *("--rate", "1e9", "--burst", "1e9", "--seat-rate", "1e9", "--seat-burst", "1e9"),
    *(
        "--address-rate",
        "1e9",
        "--address-burst",
        "1e9",
        "--address-connections",
        "100000",
        "--address-rooms",
        "100000000",
    ),
    *("--handshake-rate", "1e9", "--handshake-burst", "1e9", "--address-handshake-rate", "1e9"),
    *(
        "--address-handshake-burst",
        "1e9",
        "--max-connections",
        "19000",
        "--max-rooms",
        "1000000",
        "--hello-timeout",
        "120",
    ),
)
"""The load comes from one address, faster than people play: the limits are high, but they are counted as ever."""


class Compiled:
    """Where the server is that is measured by `our_server`, if it is not the source."""

    folder: Path | None = None


class Process:
    """A server in a process of its own, on its own core. `with` starts and stops it."""

    def __init__(self, name: str, *command: str, log: Path, where: Path | None = None) -> None:
        """`where` it runs: what is imported from there comes first."""
        self.name = name
        self._where = where
        self.port = free_port()
        self._command = [sys.executable, *command, "--port", str(self.port)]
        self._log = log

    def __enter__(self) -> Self:
        with on_core(SERVER), self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stdout=subprocess.PIPE, stderr=log, start_new_session=True, cwd=self._where
            )
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line.startswith(b"listening "), f"{self.name} does not start: {self._log.read_text()[-2000:]}"
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def cpu(self) -> float:
        """Seconds that the process has worked, in all its threads, to the microsecond."""
        return cpu_of(self.pid)

    @property
    def rss_mb(self) -> float:
        """What of it is in memory."""
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
        assert found
        return int(found[1]) / 1000


def cpu_of(pid: int) -> float:
    """Seconds that a process has worked, in all its threads."""
    return time.clock_gettime(~pid << 3 | 2)  # the clock of another process, see clock_getcpuclockid(3)


def our_server(folder: Path, *, durable: bool, profile: Path | None = None) -> Process:
    """`marchwarden serve`, with its log in a SQLite file or with none; under cProfile if there is a file for what that finds."""
    name = "durable" if durable else "memory"
    store = () if durable else ("--store", "memory")
    options = ("--data", str(folder / "data"), *store, "--log-level", "warning", *NO_LIMIT)
    watched = () if profile is None else ("-m", "cProfile", "-o", str(profile))
    return Process(name, *watched, "-m", "server", "serve", *options, log=folder / f"{name}.log", where=Compiled.folder)


def bare_relay(folder: Path) -> Process:
    """The limit."""
    return Process("relay", "-m", "tests.bench.relay", log=folder / "relay.log")
