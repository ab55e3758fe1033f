"""Fixtures of the tests of metrics, traces and logs."""

from tests.cluster.conftest import nats_server  # noqa: F401
from tests.store.conftest import postgres, postgres_url  # noqa: F401
