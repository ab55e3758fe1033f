"""Games between bots that only ever draw a legal answer, each on a socket of its own."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from protocol.client import connect
from protocol.errors import RequestError
from protocol.legal import draw
from protocol.messages import Seated


@dataclass
class Score:
    """What came of games: how many, how many answers were taken, and what was refused, by code and kind of prompt."""

    games: int = 0
    answers: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)


async def play_games(url: str, games: int, *, at_once: int = 4, on_game: Callable[[], None] = lambda: None) -> Score:
    """Plays games at the server `url`: of 3, 4, 5 and 6 players in turn, every other four with Tides of Battle."""
    score, left = Score(), iter(range(games))

    async def one_after_another() -> None:
        for number in left:
            await _game(url, number, score)
            on_game()

    await asyncio.gather(*(one_after_another() for _ in range(at_once)))
    return score


async def _game(url: str, number: int, score: Score) -> None:
    async with connect(url, name="host") as host:
        made = await host.create_room(3 + number % 4, tides=number // 4 % 2 == 1)
        seats = [await host.take_seat(made.room, "drawing", invite=invite) for invite in made.invites.values()]
    winners = await asyncio.gather(*(_bot(url, seat, Random(f"{number}{seat.house}"), score) for seat in seats))
    assert len(set(winners)) == 1, winners
    score.games += 1
    score.winners[winners[0]] += 1


async def _bot(url: str, seat: Seated, rng: Random, score: Score) -> str:
    async with connect(url, name="drawing") as client:
        table = await client.enter(seat.room, seat.token)
        async for prompt in table.prompts():
            while True:
                try:
                    await table.answer(prompt, draw(prompt, rng))
                except RequestError as refused:
                    score.refused[f"{refused.code} to {prompt.kind}"] += 1
                    if table.prompt is None or table.prompt.id != prompt.id:
                        break
                else:
                    score.answers += 1
                    break
        return str(table.view["result"]["winner"])
