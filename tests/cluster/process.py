"""Nodes of a cluster, and a NATS server, as processes that can be killed, frozen and started again."""

import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from tests.kill.process import Server, free_port


class NatsServer:
    """A nats-server of the tests alone."""

    def __init__(self, directory: Path) -> None:
        self.port = free_port()
        self.url = f"nats://127.0.0.1:{self.port}"
        self._log = directory / "nats.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it listens."""
        program = shutil.which("nats-server")
        assert program
        command = [program, "--addr", "127.0.0.1", "--port", str(self.port), "--log", str(self._log)]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, stdout=quiet, stderr=quiet, start_new_session=True
        )  # Ctrl-C is not for it
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("nats-server does not listen")

    def kill(self) -> None:
        assert self._process
        self._process.kill()
        self._process.wait()


class Node(Server):
    """One of several `marchwarden serve`."""

    def __init__(self, name: str, directory: Path, store: str, nats: str, *options: str) -> None:
        self.name = name
        self.frozen = False
        more = ["--store", store, "--nats", nats, "--node", name, "--bot-pace", "0", *options]
        super().__init__(directory / "data", *more)

    def freeze(self) -> None:
        self.frozen = True
        self.signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.frozen = False
        self.signal(signal.SIGCONT)

    def kill(self) -> None:
        super().kill()
        self.frozen = False

    def signal(self, what: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(what)
