"""S40: who thinks for longer than the server waits for a pong is still there."""

import asyncio
import time
from pathlib import Path
from typing import Any

from protocol.answers import AnyAnswer
from protocol.client import connect, play
from protocol.legal import default
from protocol.prompts import AnyPrompt
from tests.kill.process import Server

WAIT = 1
"""Seconds that the server waits for a pong."""


class Thinker:
    """Thinks about its first prompt for longer than that, and holds up its thread."""

    def __init__(self) -> None:
        self.prompts = 0

    def __call__(self, prompt: AnyPrompt, view: dict[str, Any]) -> AnyAnswer:
        self.prompts += 1
        if self.prompts == 1:
            time.sleep(3 * WAIT)
        return default(prompt)


async def test_S40_a_bot_that_thinks_for_long_answers_pings(tmp_path: Path) -> None:
    lost = []

    def again(attempt: int) -> float:
        lost.append(attempt)
        return 0.0

    server = Server(tmp_path / "data", "--store=memory", f"--ping-interval={WAIT}", f"--ping-timeout={WAIT}")
    server.start()
    try:
        async with connect(server.url) as host:
            made = await host.create_room(3)
            seats = [await host.take_seat(made.room, h, invite=invite) for h, invite in made.invites.items()]
        thinker = Thinker()
        chooses = [thinker, lambda prompt, view: default(prompt), lambda prompt, view: default(prompt)]
        views = await asyncio.gather(
            *(
                play(server.url, made.room, seat.token, choose, delay=again)
                for seat, choose in zip(seats, chooses, strict=True)
            )
        )
    finally:
        server.stop()
    assert [view["phase"] for view in views] == ["over"] * 3
    assert thinker.prompts > 1
    assert lost == []
