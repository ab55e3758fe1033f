"""What an operator asks of the nodes of a cluster, from outside."""

import asyncio
from typing import Final

import msgspec
import nats
from nats.aio.client import Client as Nats
from nats.aio.msg import Msg

from server.cluster.mail import CONNECT_SECONDS, MOVE, SUBJECT, WHO
from server.cluster.words import VERSION, Move, Status, pack, unpack_moved, unpack_status

LISTEN_SECONDS: Final = 0.5
"""In so long every node has told how it is, when it is asked."""
MOVE_SECONDS: Final = 10.0


class NotMoved(Exception):  # noqa: N818 - the room was not moved
    """The room was not moved; the text says why, and what to do."""


async def move(url: str, room: str, holder: str, to: str) -> str:
    """Have the node that has a room move it to another one, given by its name; what that calls itself. Raises `NotMoved`."""
    client = Nats()
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await client.connect(url.split(","), allow_reconnect=False, connect_timeout=2, error_cb=_ignore)
        node = _named(to, await _listen(client))
        if node == holder:
            raise NotMoved(f"room {room} is on {to} already")
        subject = SUBJECT + holder + MOVE
        reply = await client.request(subject, pack(Move(VERSION, room, node)), timeout=MOVE_SECONDS)
        moved = unpack_moved(reply.data)
    except nats.errors.NoRespondersError:
        raise NotMoved(
            f"the node that has room {room}, {holder}, is not there; wait some seconds and try again"
        ) from None
    except (OSError, ValueError, nats.errors.Error, TimeoutError) as error:
        raise NotMoved(f"NATS cannot be reached, or a node does not answer: {error or type(error).__name__}") from None
    except msgspec.MsgspecError:
        raise NotMoved("the node does not understand this command: it is of another version") from None
    finally:
        await client.close()
    if moved.why:
        raise NotMoved(f"room {room} was not moved: {moved.why}")
    return node


async def _listen(client: Nats) -> dict[str, Status]:
    """The nodes that tell how they are."""
    found: dict[str, Status] = {}

    async def hear(msg: Msg) -> None:
        try:
            status = unpack_status(msg.data)
        except msgspec.MsgspecError:
            return
        found[status.node] = status

    inbox = client.new_inbox()
    await client.subscribe(inbox, cb=hear)
    await client.publish(WHO, reply=inbox)
    await asyncio.sleep(LISTEN_SECONDS)
    return found


def _named(name: str, nodes: dict[str, Status]) -> str:
    """The node of a name, which may be the one that people gave it. Raises `NotMoved`."""
    found = [node for node in nodes if name in (node, node.rpartition("-")[0])]
    if len(found) == 1:
        return found[0]
    if found:
        raise NotMoved(f"there are {len(found)} nodes called {name}; give one in full: {', '.join(sorted(found))}")
    there = ", ".join(sorted(node.rpartition("-")[0] for node in nodes)) or "none at all"
    raise NotMoved(f"there is no node {name}; these are there: {there}")


async def _ignore(error: Exception) -> None:
    """What cannot be reached is told by what is raised."""
