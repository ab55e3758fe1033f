"""A server process that can be killed and started again on the same port and data."""

import signal
import socket
import subprocess
import sys
from pathlib import Path


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Server:
    """`marchwarden serve` as an operator starts it."""

    def __init__(self, data: Path, *options: str, where: Path | None = None) -> None:
        """`where` it runs: the server that is there is taken before this one."""
        self.port = free_port()
        self._where = where
        self.url = f"ws://127.0.0.1:{self.port}/ws"
        self._data = data
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the process and waits until it listens."""
        command = [sys.executable, "-m", "server", "serve", "--port", str(self.port), "--data", str(self._data)]
        command += ["--log-level", "warning", *self._options]
        with (self._data.parent / "server.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, cwd=self._where)
        assert self._process.stdout
        with self._process.stdout as out:
            line = out.readline()
        assert line.startswith(b"listening "), line

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def kill(self) -> None:
        """SIGKILL: no good-bye, no flush, nothing."""
        assert self._process
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """SIGTERM, and the exit status."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(timeout=20)
