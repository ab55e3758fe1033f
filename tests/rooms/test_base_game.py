"""Whole games of the real rules in a room."""

import io
from random import Random

import msgspec
import pytest
import structlog

from protocol import legal
from protocol.messages import AnswerPrompt, CreateRoom, Enter, Ok, RoomOptions, TakeSeat
from protocol.prompts import AnyPrompt
from server import log
from server.game.board import ORDERS
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall
from tests.rooms.table import Clock, Player


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_views_stay_true_and_the_log_tells_no_order(players: int) -> None:
    """Random answers to the end: no refusal, no gap, every view is the document, and the log holds no secret."""
    rng = Random(players)
    written = io.StringIO()
    log.configure("debug", written)
    desk = Desk(Hall(BaseGame(), rng.randbytes, Clock(), 10))
    host = Player()

    def ask(player: Player, message: object) -> object:
        before = len(player.ready)
        desk.handle(player, message)
        reply = player.ready.pop(before)
        player.ready.clear()
        return reply

    try:
        made = ask(host, CreateRoom("make", players, RoomOptions(tides=players == 6)))
        room = desk.hall.find(made.room)
        seats, tokens = {}, {}
        for house, invite in made.invites.items():
            seats[house] = Player("json" if len(seats) % 2 else "msgpack")
            tokens[house] = ask(seats[house], TakeSeat("take", made.room, house, invite=invite)).token
            ask(seats[house], Enter("enter", made.room, token=tokens[house]))
        watcher = Player()
        ask(watcher, Enter("enter", made.room))
        number = 0
        while room.phase != "over":
            number += 1
            house = rng.choice(room.document()["waiting"])
            prompt = msgspec.convert(seats[house].views[made.room]["you"]["prompt"], AnyPrompt)
            answer = AnswerPrompt(f"a{number}", made.room, prompt.id, legal.draw(prompt, rng))
            assert isinstance(ask(seats[house], answer), Ok)
            document = room.document()
            assert watcher.views[made.room] == document
            for each, player in seats.items():
                assert player.views[made.room] == {**document, "you": room.you(each)}
        assert document["result"]["winner"] in tokens
    finally:
        structlog.reset_defaults()
    text = written.getvalue()
    assert "game_started" in text
    for secret in (*ORDERS, *tokens.values(), *made.invites.values(), made.host, document["options"]["seed"]):
        assert f'"{secret}"' not in text
