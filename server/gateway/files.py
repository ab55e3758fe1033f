"""Open files: every socket is one, and systems are often set to allow few."""

import resource

import structlog

from server.config import Config

log = structlog.get_logger()

BESIDES = 200
"""Files that a server needs besides its sockets."""


def allow_files(config: Config) -> None:
    """Let this process open as many files as its connections may need, as far as it may decide that; else say so."""
    needed = config.max_connections + BESIDES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < needed:
        log.warning("few_files", allowed=allowed, needed=needed, remedy="raise ulimit -n or lower --max-connections")
