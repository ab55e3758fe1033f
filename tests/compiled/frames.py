"""Plays random games through a desk and prints a hash of every frame that anybody got: `python frames.py GAMES`."""

import hashlib
import sys
from random import Random

import server.rooms.room
from protocol.legal import draw
from protocol.messages import AnswerPrompt, CreateRoom, Enter, TakeSeat
from protocol.wire import decode_server
from server.log import configure
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall


class Seat:
    """A connection without a socket: it keeps what it is sent."""

    def __init__(self, fmt: str) -> None:
        self.format = fmt
        self.frames: list[bytes | str] = []

    def reply(self, frame) -> None:
        self.frames.append(frame)

    def post(self, room: str, frame, fresh: bool) -> None:
        self.frames.append(frame)


def play(number: int) -> str:
    """One game of three to six, its answers in turns as they come in one turn of the event loop."""
    rng, turns, heard = Random(number), [], hashlib.sha256()
    desk = Desk(Hall(BaseGame(), rng.randbytes, lambda: 0.0, 10), soon=turns.append)
    host = Seat("msgpack")
    desk.handle(host, CreateRoom("make", 3 + number % 4))
    made = decode_server(host.frames[-1], "msgpack")
    seats = {house: Seat(rng.choice(["msgpack", "json"])) for house in made.invites}
    for house, seat in seats.items():
        desk.handle(seat, TakeSeat("sit", made.room, house, invite=made.invites[house]))
        token = decode_server(seat.frames[-1], seat.format).token
        desk.handle(seat, Enter("enter", made.room, token=token))
    desk.handle(host, Enter("watch", made.room))
    game = desk.hall.find(made.room).play
    while not game.over:
        for house in rng.sample(game.waiting, rng.randint(1, len(game.waiting))):
            prompt = game.state.prompts[house]
            answer = draw(prompt, rng)
            desk.handle(seats[house], AnswerPrompt(f"a{prompt.id}", made.room, prompt.id, answer))
            if rng.random() < 0.05:  # what is refused, too
                desk.handle(seats[house], AnswerPrompt(f"b{prompt.id}", made.room, prompt.id + 1000, answer))
        due, turns[:] = list(turns), []
        for work in due:
            work()
    for seat in [host, *seats.values()]:
        for frame in seat.frames:
            heard.update(frame.encode() if isinstance(frame, str) else frame)
    return heard.hexdigest()


if __name__ == "__main__":
    configure("error")
    print(server.rooms.room.__file__)
    for number in range(int(sys.argv[1])):
        print(play(number))
