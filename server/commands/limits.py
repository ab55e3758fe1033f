"""The limits among the options of `marchwarden serve`; what each is good for is told in `server.config`."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from server.config import Config

F = TypeVar("F", bound=Callable[..., Any])

COUNT: Final = click.IntRange(1)
RATE: Final = click.FloatRange(0.1)
BURST: Final = click.FloatRange(1)
SECONDS: Final = click.FloatRange(1)

LIMITS: Final[tuple[tuple[str, click.ParamType[Any], str], ...]] = (
    ("max_rooms", COUNT, "Rooms to hold at a time."),
    ("max_connections", COUNT, "Sockets to hold at a time."),
    ("rate", RATE, "Messages a second from one connection."),
    ("burst", BURST, "Messages at once from one connection."),
    ("seat_rate", RATE, "Messages a second for one seat, over all its connections."),
    ("seat_burst", BURST, "Messages at once for one seat, over all its connections."),
    ("address_rate", RATE, "Messages a second from one address (of IPv6, from one /64)."),
    ("address_burst", BURST, "Messages at once from one address."),
    ("address_connections", COUNT, "Sockets to hold at a time from one address."),
    ("address_rooms", COUNT, "Rooms made from one address at once, and then in an hour."),
    ("handshake_rate", RATE, "New connections a second from everybody; others get status 429."),
    ("handshake_burst", BURST, "New connections at once from everybody."),
    ("address_handshake_rate", RATE, "New connections a second from one address."),
    ("address_handshake_burst", BURST, "New connections at once from one address."),
    ("hello_timeout", SECONDS, "Seconds for the handshake, and again for the first message."),
    ("queue_frames", click.IntRange(8), "Frames to hold for a slow reader: then a snapshot instead, then close 1013."),
    ("queue_bytes", click.IntRange(65536), "Bytes to hold for a slow reader."),
    ("ping_interval", SECONDS, "Seconds between pings."),
    ("ping_timeout", SECONDS, "Seconds without a pong, or without taking a frame, after which a connection is dead."),
    ("bot_pace", click.FloatRange(0), "Seconds that the server's bots take for an answer, so that people can follow."),
    ("bot_budget", COUNT, "Milliseconds that a regent thinks about a decision; four times that about a plan."),
    ("drain_seconds", click.FloatRange(0), "Seconds for good-byes when stopping."),
)
"""Name in `Config`, what it may be, what it means."""


def limits(command: F) -> F:
    """Give a command an option for every limit."""
    for name, kind, meaning in reversed(LIMITS):
        option = f"--{name.replace('_', '-')}"
        command = click.option(option, type=kind, default=getattr(Config, name), help=meaning)(command)
    return command
