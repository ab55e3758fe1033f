"""An address that is held for several processes that listen there together."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any


@contextmanager
def reserved(host: str, port: int) -> Iterator[int]:
    """The port, or a free one if it is 0, at which others may listen with SO_REUSEPORT as long as this lasts.

    Whoever comes to it meanwhile comes to them: nothing listens here. Raises OSError if others listen there already.
    """
    with ExitStack() as stack:
        for family, kind, protocol, _, where in socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            address: tuple[Any, ...] = (where[0], port, *where[2:])
            if (
                port
            ):  # the processes of somebody else might share it too, and then half of the players would come to those
                _bound(family, kind, protocol, address, shared=False).close()
            held = stack.enter_context(_bound(family, kind, protocol, address, shared=True))
            port = held.getsockname()[1]
        yield port


def _bound(family: int, kind: int, protocol: int, address: tuple[Any, ...], *, shared: bool) -> socket.socket:
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made
