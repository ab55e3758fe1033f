"""A node among several: what it consists of, besides what every node consists of."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import structlog

from server.cluster.front import Front
from server.cluster.leased import LEASE_SECONDS, Leased
from server.cluster.mail import Mail
from server.eyes.meters import Meters
from server.rooms.desk import Desk
from server.rooms.hall import Spawn
from server.rooms.stored import Stored
from server.store.journal import Journal
from server.store.store import Store

if TYPE_CHECKING:
    from server.eyes.traces import Traces


@asynccontextmanager
async def join(
    url: str,
    name: str,
    store: Store,
    journal: Journal,
    spawn: Spawn,
    desk: Callable[[Stored], Desk],
    meters: Meters,
    traces: "Traces | None" = None,
) -> AsyncIterator[Front]:
    """The face of a node that has joined the others at a NATS server; `desk` makes its desk on its archive.

    `name` is for people; the node adds something of its own, so that it is not taken for one of before a restart.
    Raises `Bad`, `BadStore`.
    """
    node = f"{name}-{secrets.token_hex(4)}"
    structlog.contextvars.bind_contextvars(node=name)
    leases = store.leases(node, LEASE_SECONDS)
    async with _mail(url, node, spawn, meters, traces) as mail:
        leased = Leased(store, journal, leases, mail.reachable, meters=meters)
        front = Front(desk(leased), mail, leased, spawn)
        front.work(spawn)
        try:
            yield front
        finally:
            await leased.leave()


def _mail(url: str, node: str, spawn: Spawn, meters: Meters, traces: "Traces | None") -> Mail:
    if traces is None:
        return Mail(url, node, spawn, meters)
    from server.cluster.traced import TracedMail  # noqa: PLC0415 - only then OpenTelemetry has to be there

    return TracedMail(url, node, spawn, meters, traces)
