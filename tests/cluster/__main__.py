"""`make cluster`: three nodes on this machine, to play with or to pull the plug of.

MARCHWARDEN_STORE names the database (it is made if it is not there), MARCHWARDEN_NATS a NATS server; without it one is
started. The nodes listen on ports from 8001 on; the door at port 8000 leads to whichever of them is ready.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import asyncpg

from tests.cluster.door import Door
from tests.cluster.process import NatsServer

STORE = os.environ.get("MARCHWARDEN_STORE", "postgresql://postgres@127.0.0.1:5432/marchwarden")
DOOR_PORT = 8000
FIRST_PORT = 8001
NODES = 3


async def make_database(url: str) -> None:
    where, _, name = url.rpartition("/")
    connection = await asyncpg.connect(f"{where}/postgres", timeout=5)
    try:
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name):
            await connection.execute(f'CREATE DATABASE "{name}"')
    finally:
        await connection.close()


@contextmanager
def nats() -> Iterator[str]:
    """The URL of a NATS server: the one that is named, or one of our own for as long as this runs."""
    if named := os.environ.get("MARCHWARDEN_NATS"):
        yield named
        return
    if shutil.which("nats-server") is None:
        sys.exit(
            "There is no nats-server on this machine: install it, or name one by MARCHWARDEN_NATS=nats://HOST:4222"
        )
    with tempfile.TemporaryDirectory() as directory:
        server = NatsServer(Path(directory))
        server.start()
        try:
            yield server.url
        finally:
            server.kill()


async def keep_door(nodes: Sequence[subprocess.Popen[bytes]]) -> None:
    """Lead players to the nodes for as long as there are any."""
    ports = [FIRST_PORT + n for n in range(len(nodes))]
    async with Door(ports).open(DOOR_PORT):
        print(
            f"http://127.0.0.1:{DOOR_PORT} leads to all of them: whichever a player comes to, all sit at the same tables."
        )
        print("Ctrl-C stops them.", flush=True)
        while any(node.poll() is None for node in nodes):  # noqa: ASYNC110 - they are processes
            await asyncio.sleep(0.5)


def main() -> None:
    try:
        asyncio.run(make_database(STORE))
    except (OSError, asyncpg.PostgresError) as error:
        sys.exit(f"No PostgreSQL at {STORE} ({type(error).__name__}): start it, or name another by MARCHWARDEN_STORE")
    with nats() as url, ExitStack() as stack:
        serve = [sys.executable, "-m", "server", "serve", "--store", STORE, "--nats", url]
        nodes = [
            stack.enter_context(
                subprocess.Popen([*serve, "--node", f"n{n}", "--port", str(FIRST_PORT + n), "--log-level", "warning"])
            )
            for n in range(NODES)
        ]
        try:
            asyncio.run(keep_door(nodes))
        except KeyboardInterrupt:
            pass
        finally:
            for node in nodes:
                node.terminate()


if __name__ == "__main__":
    main()
