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


LONG = {"test_chaos", "test_lossy", "test_rolling"}
"""Whole games through all kinds of trouble: `make test` has not the minutes, and leaves them to `make test-cluster`."""


@pytest.fixture
def nats_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NatsServer]:
    if request.path.stem in LONG and "MARCHWARDEN_CLUSTER" not in os.environ:
        pytest.skip("whole games through all kinds of trouble: make test-cluster")
    if shutil.which("nats-server") is None:
        pytest.skip("no nats-server on this machine: install it, or see .github for how CI does")
    server = NatsServer(tmp_path)
    server.start()
    yield server
    server.kill()
