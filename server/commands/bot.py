"""`marchwarden bot`."""

import asyncio
import secrets
from collections.abc import Callable

import click

from protocol.client import connect, play
from protocol.errors import RequestError
from server.bots.kinds import BUDGET, KINDS
from server.bots.table import Seated, at_pace


@click.command("bot", context_settings={"show_default": True})
@click.option("--url", default="ws://127.0.0.1:8000/ws", help="The server's socket.")
@click.option("--room", required=True, help="The room to play in.")
@click.option("--invite", "invites", multiple=True, help="Invite of a seat; may be repeated for several bots.")
@click.option("--house", "houses", multiple=True, help="House to take in a public room; may be repeated.")
@click.option("--name", default="bot", help="Name at the table.")
@click.option("--kind", type=click.Choice(list(KINDS)), default="steward", help="How it plays.")
@click.option("--budget", type=click.FloatRange(1), default=BUDGET, help="Milliseconds that a regent thinks.")
@click.option("--pace", type=click.FloatRange(0), default=0.0, help="Seconds to think before every answer.")
@click.option("--seed", default=None, help="The same seed answers the same prompts alike.  [default: random]")
def command(
    url: str,
    room: str,
    invites: tuple[str, ...],
    houses: tuple[str, ...],
    name: str,
    kind: str,
    budget: float,
    pace: float,
    seed: str | None,
) -> None:
    """Seat one or more bots in a room over sockets and let them play to the end.

    A random bot draws any legal answer, a steward plays by rules of thumb, a regent searches. None of them knows more than
    its own seat is shown.
    """
    if not invites and not houses:
        raise click.UsageError("name at least one --invite, or a --house of a public room")
    luck = seed or secrets.token_hex(8)

    def seated(house: str) -> Seated:
        return at_pace(kind, f"{luck}:{house}", pace, budget=budget)

    try:
        asyncio.run(_play(url, room, invites, houses, name, seated))
    except OSError as error:
        raise click.ClickException(f"no server answers at {url}: {error.strerror or error}") from None
    except RequestError as error:
        raise click.ClickException(f"{error.message} {error.hint}".strip()) from None


async def _play(
    url: str, room: str, invites: tuple[str, ...], houses: tuple[str, ...], name: str, seated: Callable[[str], Seated]
) -> None:
    async with connect(url, name="marchwarden-bot") as client:
        seats = [await client.take_seat(room, name, invite=invite) for invite in invites]
        seats += [await client.take_seat(room, name, house=house) for house in houses]
    for seat in seats:
        click.echo(f"{name} plays {seat.house} in room {room}")
    players = [play(url, room, seat.token, seated(seat.house)) for seat in seats]
    for view in await asyncio.gather(*players):
        click.echo(f"over: {view.get('result', {}).get('winner', 'nobody')} wins")
        break
