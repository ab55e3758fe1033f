"""Counts what is there at the moment: rooms, seats, watchers, connections and what waits for them."""

import asyncio
from collections.abc import Iterable
from typing import Final

from server.config import Config
from server.eyes.census import Census
from server.gateway.connection import Connection
from server.gateway.front import Front
from server.rooms.room import Room

AT_ONCE: Final = 200
"""Rooms that are counted between two looks at the rest of the world: about a millisecond."""


async def take(desk: Front, open: Iterable[Connection], config: Config) -> Census:
    """The node as it is now. Of many rooms not all are counted at the same instant."""
    hall = desk.hall
    queued = [connection.queued for connection in open]
    census = Census(
        quarantined=hall.quarantined,
        connections=len(queued),
        queue_bytes=sum(queued),
        queue_longest=max(queued, default=0),
        ready=not desk.unready,
        max_rooms=config.max_rooms,
        max_connections=config.max_connections,
    )
    for n, room_id in enumerate(hall.in_memory(), 1):
        if living := hall.living(room_id):
            _count(living.room, census)
        if n % AT_ONCE == 0:
            await asyncio.sleep(0)
    return census


def _count(room: Room, census: Census) -> None:
    phase = room.phase
    census.rooms[phase] += 1
    census.frozen += room.frozen
    census.spectators += len(room.audience.watchers())
    if phase != "over":
        for house in room.seats:
            census.seats[_state(room, house)] += 1


def _state(room: Room, house: str) -> str:
    seat = room.seats[house]
    if seat.bot:
        return "bot"
    if not seat.name:
        return "free"
    return "here" if room.audience.present(house) else "away"
