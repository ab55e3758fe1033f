"""Closing a room for its operator, who has the store but not the host's token."""

from collections.abc import Callable

from server.game.refused import Refused
from server.rooms import image
from server.rooms.archive import Torn, Unavailable, Verdict
from server.rooms.base_game import BaseGame
from server.rooms.delivery import page
from server.rooms.hall import Living
from server.rooms.keys import Entropy
from server.rooms.requests import Requests
from server.rooms.stored import Stored
from server.store.journal import Journal
from server.store.store import Store


class NotClosed(Exception):  # noqa: N818 - the room was not closed
    """The room could not be closed, or need not be; the text says why."""


async def close_room(url: str, room_id: str, entropy: Entropy, now: Callable[[], float]) -> None:
    """Take a room over and write that it is closed; `now` in seconds since 1970. Raises `NotClosed`, `StoreError`."""
    verdicts: list[Verdict] = []
    async with await Store.open(url) as store, Journal(store) as journal:
        archive = Stored(store, journal)
        try:
            found = await archive.bring(room_id)
            if found is None:
                raise NotClosed(f"there is no room {room_id}")
            room = image.bring_back(room_id, BaseGame(), found)
            living = Living(room, Requests(room, entropy, lambda: int(now() * 1000)), found.epoch, room.n)
            archive.write(page(living, living.requests.close()), verdicts.append)
            await journal.flush()
        except Refused as refused:
            raise NotClosed(refused.message) from None
        except (Torn, Unavailable, image.Differs) as error:
            raise NotClosed(f"room {room_id} cannot be closed: {error or 'the store is out of reach'}") from None
    if verdicts != [Verdict.DURABLE]:
        raise NotClosed(f"room {room_id} could not be closed: the store did not take it; try again")
