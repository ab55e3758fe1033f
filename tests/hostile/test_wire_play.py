"""Messages that are well-formed and wrong, in games of the real rules over real sockets. The ids are those of `cases`."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Any

import pytest

from protocol.answers import Choose, March, Move, PlaceOrders
from protocol.client import Client, connect
from protocol.errors import RequestError
from protocol.legal import default, draw
from protocol.messages import Enter, Error, Snapshot, Update
from protocol.prompts import AnyPrompt
from protocol.table import Table
from tests.sockets.house import Hall, only, raw, serving

FOOTMEN = {
    "step": "march",
    "areas": {
        "riverrun": {"units": {"lannister": {"footman": 2}}, "order": "march-0"},
        "seagard": {"units": {"stark": {"footman": 1}}},
    },
}
FIGHT = {
    "step": "march",
    "areas": {
        "winterfell": {"units": {"stark": {"footman": 2}}, "order": "march-0"},
        "moat-cailin": {"units": {"lannister": {"footman": 1}}},
    },
}


class Game:
    """Three players and a spectator, each on a socket of its own."""

    def __init__(self, url: str, hall: Hall) -> None:
        self.url = url
        self.hall = hall
        self.clients: dict[str, Client] = {}
        self.seats: dict[str, Table] = {}
        self.tokens: dict[str, str] = {}
        self.room = ""

    def document(self) -> dict[str, Any]:
        return self.hall.find(self.room).document()

    async def everybody_has_it(self) -> None:
        """Wait until all seats have seen the last change."""
        for table in self.seats.values():
            while table.seq != self.hall.find(self.room).seq:
                await table.changed()

    async def answer(self, house: str, answer: Any = None) -> None:
        table = self.seats[house]
        assert table.prompt is not None
        await table.answer(table.prompt, answer or default(table.prompt))
        await self.everybody_has_it()


@asynccontextmanager
async def game(setup: dict[str, Any] | None = None) -> AsyncIterator[Game]:
    async with serving(setup) as (url, hall), AsyncExitStack() as stack:
        playing = Game(url, hall)
        host = await stack.enter_async_context(connect(url))
        made = await host.create_room(3)
        playing.room = made.room
        playing.tokens = {h: (await host.take_seat(made.room, h, invite=i)).token for h, i in made.invites.items()}
        for house, token in playing.tokens.items():
            client = playing.clients[house] = await stack.enter_async_context(connect(url))
            playing.seats[house] = await client.enter(made.room, token)
        await playing.everybody_has_it()
        yield playing


@pytest.mark.parametrize(
    ("case", "answer"),
    [
        ("M13", March("riverrun", [Move("stoney-sept", {"footman": 2}), Move("harrenhal", {"footman": 1})])),
        ("M20", March("riverrun", [Move("stoney-sept", {"footman": 1}), Move("stoney-sept", {"footman": 1})])),
        ("M21", March("riverrun", [Move("riverrun", {"footman": 1})])),
        ("M21", March("seagard", [Move("riverrun", {"footman": 1})])),
        ("M21", March("riverrun", [Move("harrenhal", {"knight": 1})])),
        ("X36", March("__proto__", [])),
        ("X36", March("sunspear ", [])),
        ("X36", March("riverrun", [Move("Harrenhal", {"footman": 1})])),
    ],
)
async def test_marches_that_cannot_be(case: str, answer: March) -> None:
    async with game(FOOTMEN) as playing:
        before = playing.document()
        with pytest.raises(RequestError) as refused:
            await playing.answer("lannister", answer)
        assert refused.value.code in ("illegal", "bad_message")
        assert refused.value.path.startswith("answer.")
        assert playing.document() == before
        await playing.answer("lannister", March("riverrun", [Move("harrenhal", {"footman": 1})]))
        assert playing.document()["areas"]["harrenhal"]["units"] == {"footman": 1}


async def test_X03_a_march_while_another_house_is_asked() -> None:
    async with game(FOOTMEN) as playing:
        lannister = playing.seats["lannister"].prompt
        assert lannister is not None
        with pytest.raises(RequestError) as refused:
            await playing.seats["stark"].answer(lannister, March("riverrun", []))
        assert refused.value.code in ("not_your_prompt", "stale_prompt")
        assert playing.document()["areas"]["riverrun"]["order"] == "march-0"


async def test_H13_house_cards_are_shown_together() -> None:
    async with game(FIGHT) as playing:
        await playing.answer("stark", March("winterfell", [Move("moat-cailin", {"footman": 2})]))
        while not all(t.prompt and t.prompt.kind == "house_card" for t in two(playing)):
            await playing.answer(playing.document()["waiting"][0])
        async with connect(playing.url) as one:
            watcher = await one.enter(playing.room)
            stark, lannister = two(playing)
            card = default(prompt_of(stark))
            assert isinstance(card, Choose)
            await playing.answer("stark", card)
            for view in (watcher.view, lannister.view):
                assert "cards" not in view["combat"]
                assert card.option not in view["houses"]["stark"].get("discard", [])
            async with connect(playing.url) as other:  # who comes back sees no more
                again = await other.enter(playing.room, playing.tokens["lannister"])
                assert "cards" not in again.view["combat"]
            news = watcher.updates()
            await playing.answer("lannister")
            update = await anext(news)
            assert isinstance(update, Update)
            assert set(only_event(update, "cards_revealed")["cards"]) == {"stark", "lannister"}


def two(playing: Game) -> tuple[Table, Table]:
    return playing.seats["stark"], playing.seats["lannister"]


def prompt_of(table: Table) -> AnyPrompt:
    assert table.prompt is not None
    return table.prompt


def only_event(update: Update, kind: str) -> dict[str, Any]:
    (event,) = [event for event in update.events if event["type"] == kind]
    return event


async def test_X06_X08_orders_of_a_finished_round_are_stale() -> None:
    async with game() as playing:
        old, orders = prompt_of(playing.seats["stark"]), default(prompt_of(playing.seats["stark"]))
        assert isinstance(orders, PlaceOrders)
        await to_the_next_planning(playing)
        with pytest.raises(RequestError) as refused:
            await playing.seats["stark"].answer(old, orders)
        assert refused.value.code == "stale_prompt"
        assert refused.value.prompt == prompt_of(playing.seats["stark"]).id
        assert "stark" in playing.document()["waiting"]


async def test_X10_no_orders_of_the_last_round_are_left() -> None:
    async with game() as playing:
        await to_the_next_planning(playing)
        for table in playing.seats.values():
            assert "orders" not in table.view["you"]
        assert not [area for area in playing.document()["areas"].values() if "order" in area]


async def to_the_next_planning(playing: Game) -> None:
    start = playing.document()["round"]
    while playing.document()["round"] == start or playing.document()["phase"] != "planning":
        await playing.answer(playing.document()["waiting"][0])


async def test_X11_all_orders_are_shown_in_one_update() -> None:
    async with game() as playing, connect(playing.url) as one:
        watcher = await one.enter(playing.room)
        news = watcher.updates()
        houses = list(playing.seats)
        for number, house in enumerate(houses, 1):
            await playing.answer(house)
            update = await anext(news)
            assert isinstance(update, Update)
            shown = [event for event in update.events if event["type"] == "orders_revealed"]
            assert len(shown) == (number == len(houses))
            if not shown:
                assert set(update.patch) == {"seq", "waiting", "areas"}
                assert {*map(str, update.patch["areas"].values())} == {"{'order': 'hidden'}"}


async def test_X17_a_spectator_can_answer_nothing() -> None:
    async with game() as playing, connect(playing.url) as one:
        watcher = await one.enter(playing.room)
        prompt = prompt_of(playing.seats["stark"])
        before = playing.document()
        with pytest.raises(RequestError, match="Spectators only watch"):
            await watcher.answer(prompt, default(prompt))
        assert playing.document() == before


async def test_X24_the_old_socket_closes_late() -> None:
    async with game() as playing, connect(playing.url) as second:
        table = await second.enter(playing.room, playing.tokens["stark"])
        await playing.clients["stark"].close()
        prompt = prompt_of(table)
        await table.answer(prompt, default(prompt))
        del playing.seats["stark"]
        await playing.everybody_has_it()
        assert playing.document()["houses"]["stark"]["connected"] is True
        assert "stark" not in playing.document()["waiting"]


async def test_X25_two_tabs_and_one_closes() -> None:
    async with game() as playing:
        async with connect(playing.url) as second:
            table = await second.enter(playing.room, playing.tokens["stark"])
            assert prompt_of(table) == prompt_of(playing.seats["stark"])
        await playing.seats["stark"].say("still here")
        assert playing.document()["houses"]["stark"]["connected"] is True
        await playing.answer("stark")


async def test_X41_a_question_outlives_the_connection() -> None:
    async with game(FOOTMEN) as playing:
        asked = prompt_of(playing.seats["lannister"])
        await playing.clients["lannister"].close()
        while "connected" in playing.seats["stark"].view["houses"]["lannister"]:
            if not playing.seats["stark"].view["houses"]["lannister"]["connected"]:
                break
            await playing.seats["stark"].changed()
        assert playing.document()["waiting"] == ["lannister"]
        async with connect(playing.url) as again:
            table = await again.enter(playing.room, playing.tokens["lannister"])
            assert prompt_of(table) == asked
            await table.answer(asked, draw(asked, Random(1)))


async def test_X21_X32_the_question_comes_with_its_facts_and_every_change_has_its_number() -> None:
    async with game() as playing, raw(playing.url) as one:
        frames = await one.ask(Enter("e", playing.room, token=playing.tokens["stark"]), replies=2)
        seq = only(Snapshot, frames).seq
        for house in playing.seats:
            if house != "stark":
                await playing.answer(house)
        await playing.answer("stark")
        asked = 0
        for _ in range(len(playing.seats)):
            message = await one.read()
            if isinstance(message, Update):
                seq += 1
                assert message.seq == message.patch["seq"] == seq
                if message.patch.get("you", {}).get("prompt"):
                    assert message.events
                    asked += 1
        assert seq == playing.hall.find(playing.room).seq


async def test_X23_a_storm_of_resyncs_is_slowed() -> None:
    async with game() as playing, raw(playing.url) as one:
        for number in range(250):
            await one.ask(Enter(str(number), playing.room), replies=0)
        limited = 0
        async with asyncio.timeout(20):
            while not limited:
                message = await one.read()
                limited += isinstance(message, Error) and message.code == "rate_limited"
        await playing.answer("stark")
