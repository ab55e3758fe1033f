"""A whole game over sockets, told again to a stranger while another room is played."""

import asyncio
from typing import Any

import pytest

from protocol.client import connect, play
from protocol.errors import RequestError
from protocol.messages import Snapshot, Update
from protocol.patch import apply
from server.bots.drawing import drawing_player
from tests.sockets.house import serving


async def told(client: Any, room: str, viewer: str | None) -> list[tuple[int, dict, list]]:
    """Every document of a replay with its seq and what happened."""
    view: dict[str, Any] = {}
    views = []
    after, more = None, True
    while more:
        page = await client.replay(room, viewer, after, 100)
        for moment in page.updates:
            view = apply(view, moment.patch)
            views.append((moment.seq, view, moment.events))
        after, more = views[-1][0], page.more
    return views


@pytest.mark.parametrize("fmt", ["msgpack", "json"])
async def test_a_finished_game_is_told_again_to_anybody(tmp_path, fmt):
    async with serving(seed=2, kept=tmp_path) as (url, _), connect(url) as host, connect(url, format=fmt) as stranger:
        made = await host.create_room(3)
        other = await host.create_room(3)
        seats = [await host.take_seat(made.room, h, invite=invite) for h, invite in made.invites.items()]
        watched = await host.enter(made.room)
        live: list[tuple[int, dict, list]] = []
        feed = watched.feed

        def keep(message):
            followed = feed(message)
            if isinstance(message, Update | Snapshot):
                live.append((message.seq, watched.view, getattr(message, "events", [])))
            return followed

        watched.feed = keep
        with pytest.raises(RequestError) as refused:
            await stranger.replay(made.room, "all")
        assert refused.value.code == "not_over"
        async with asyncio.timeout(60):
            await asyncio.gather(*(play(url, made.room, s.token, drawing_player(s.house)) for s in seats))
        while watched.view["phase"] != "over":
            await watched.changed()
        told_all, *more = await asyncio.gather(
            told(stranger, made.room, None),
            *(host.take_seat(other.room, h, invite=invite) for h, invite in other.invites.items()),
        )
        assert len(more) == 3
        assert [(seq, events) for seq, _, events in told_all[-len(live) :]] == [(seq, e) for seq, _, e in live]
        assert told_all[-1][1]["result"] == watched.view["result"]
        seen = await told(stranger, made.room, "all")
        assert any("orders" in you for _, view, _ in seen for you in view["seats"].values())
