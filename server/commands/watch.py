"""`marchwarden watch`."""

import asyncio

import click
from rich.console import Console

from protocol.client import connect
from protocol.errors import RequestError
from server.demo.watch import watch


@click.command("watch", context_settings={"show_default": True})
@click.option("--url", default="ws://127.0.0.1:8000/ws", help="The server's socket.")
@click.argument("room", required=False)
def command(url: str, room: str | None) -> None:
    """Watch a ROOM on the terminal; without one, the newest public table that is playing."""
    try:
        asyncio.run(_watch(url, room))
    except OSError as error:
        raise click.ClickException(
            f"no server answers at {url}: {error.strerror or error}; start one: marchwarden serve --demo"
        ) from None
    except RequestError as error:
        raise click.ClickException(f"{error.message} {error.hint}".strip()) from None
    except KeyboardInterrupt:
        click.echo()


async def _watch(url: str, room: str | None) -> None:
    if room is None:
        async with connect(url, name="marchwarden-watch") as client:
            playing = (await client.list_rooms("playing")).rooms
        if not playing:
            raise click.ClickException("no public table is playing now; name a room, or start one with marchwarden bot")
        room = playing[0].room
    await watch(url, room, Console(highlight=False))
