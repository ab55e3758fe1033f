"""A cluster of three nodes on a database and a NATS server of its own."""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster, three_nodes
from tests.cluster.process import NatsServer
from tests.store.conftest import postgres, postgres_url  # noqa: F401 - fixtures


@pytest.fixture
async def cluster(postgres_url: str, nats_server: NatsServer, tmp_path: Path) -> AsyncIterator[Cluster]:  # noqa: F811
    async with three_nodes(postgres_url, nats_server, tmp_path) as running:
        yield running


@pytest.fixture
def nats_server(tmp_path: Path) -> Iterator[NatsServer]:
    if "MARCHWARDEN_CLUSTER" not in os.environ:
        pytest.skip("three real nodes take minutes: make test-cluster")
    if shutil.which("nats-server") is None:
        pytest.skip("no nats-server on this machine: install it, or see .github for how CI does")
    server = NatsServer(tmp_path)
    server.start()
    yield server
    server.kill()
