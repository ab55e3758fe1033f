"""A whole game through the page: every prompt is answered by clicking its form."""

from random import Random

import pytest

from protocol import legal
from protocol.client import connect
from server.game.board import HOUSES
from tests.sockets.house import serving
from tests.web.browser import needs_browser, window
from tests.web.hand import Hand
from tests.web.tables import bots, sit, token

pytestmark = needs_browser

RELOADS = (3, 11)
"""Before these answers the page is loaded again."""


@pytest.mark.parametrize(("players", "house", "tides"), [(6, "stark", False), (3, "lannister", True)])
async def test_a_whole_game_is_played_by_clicking(players: int, house: str, tides: bool) -> None:
    async with serving(seed=players) as (url, _), window(url) as seen:
        place = await sit(seen, url, players, house, tides=tides)
        hand, rng = Hand(place.page), Random(players)
        async with bots(url, place), connect(url) as client:
            table = await client.enter(place.room, await token(place))
            answers = 0
            async for prompt in table.prompts():
                if answers in RELOADS:
                    await place.page.reload()
                await hand.answer(prompt, legal.draw(prompt, rng))
                answers += 1
            winner = table.view["result"]["winner"]
        assert answers > max(RELOADS)
        await place.page.get_by_role("heading", name=f"{HOUSES[winner].name} wins").wait_for()
        while await place.page.get_by_role("button", name="Older").count():
            await place.page.get_by_role("button", name="Older").click()
        assert await place.page.locator("[data-event=round_began]").count() >= table.view["round"] - 1
        assert await place.page.locator(".refusal:visible:not(:empty)").count() == 0
