"""A node that slept for longer than its leases, with something on its lips: it says nothing of that when it wakes."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from protocol.client import connect
from server.cluster.front import Front
from server.cluster.head import head
from server.cluster.leased import LEASE_SECONDS, clock
from server.config import Config
from server.gateway.node import Tasks, open_node
from server.gateway.outbox import Outbox
from server.gateway.server import Gateway
from server.gateway.session import Session
from tests.cluster.process import NatsServer
from tests.cluster.test_lossy import ticking


async def test_whatever_is_written_of_a_room_is_written_under_its_lease(
    postgres_url: str, nats_server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks, written = Tasks(), list[tuple[str, bool]]()
    config = Config(port=0, data=tmp_path, store=postgres_url, nats=nats_server.url, node="n0")
    async with (
        asyncio.timeout(20),
        open_node(config, tasks) as (front, _, _),
        Gateway(config, front) as gateway,
        connect(f"ws://127.0.0.1:{gateway.port}/ws") as one,
        connect(f"ws://127.0.0.1:{gateway.port}/ws") as other,
    ):
        assert isinstance(front, Front)
        leased, slept = front._leased, list[float]()
        made = await one.create_room(3)
        watching = await one.enter(made.room)
        tasks.spawn(ticking(front))
        post, next_of = Session.post, Outbox.next

        def post_and_sleep(self: Session, room: str, frame: Any, fresh: bool) -> None:
            post(self, room, frame, fresh)
            if head(frame).type == "update" and not slept:
                slept.append(LEASE_SECONDS + 1)
                leased._now = lambda: clock() + slept[0]

        def written_next(self: Outbox) -> Any:
            found = next_of(self)
            if isinstance(found, bytes) and (about := head(found)).type in ("update", "snapshot"):
                written.append((about.type, leased.holds(made.room)))
            return found

        monkeypatch.setattr(Session, "post", post_and_sleep)
        monkeypatch.setattr(Outbox, "next", written_next)
        before, (house, invite) = watching.seq, next(iter(made.invites.items()))
        await other.take_seat(made.room, "Arya", invite=invite)
        while watching.seq == before:
            await watching.changed()
        assert slept and written
        assert watching.view["houses"][house]["name"] == "Arya"
        assert all(held for _, held in written), written
        await tasks.stop()
