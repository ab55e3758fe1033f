"""The limit of open files is raised as far as may be."""

import resource

import pytest
from structlog.testing import capture_logs

from server.config import Config
from server.gateway import files


@pytest.mark.parametrize(
    ("limits", "connections", "raised", "said"),
    [
        ((1024, 100_000), 10_000, (10_200, 100_000), False),
        ((1024, -1), 10_000, (10_200, -1), False),
        ((1024, 4096), 10_000, (4096, 4096), True),
        ((20_000, 20_000), 10_000, None, False),
        ((-1, -1), 10_000, None, False),
        ((4096, 4096), 10_000, None, True),
    ],
)
def test_as_many_as_are_needed_or_a_warning(limits, connections, raised, said, monkeypatch) -> None:
    done = []
    monkeypatch.setattr(files.resource, "getrlimit", lambda which: limits)
    monkeypatch.setattr(files.resource, "setrlimit", lambda which, to: done.append(to))
    monkeypatch.setattr(files.resource, "RLIM_INFINITY", -1)
    assert resource.RLIMIT_NOFILE
    with capture_logs() as logged:
        files.allow_files(Config(max_connections=connections))
    assert done == ([raised] if raised else [])
    assert [line["event"] for line in logged] == (["few_files"] if said else [])
