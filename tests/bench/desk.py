"""What an answer costs the desk: decode, submit, six views, patches, frames for six seats. No sockets, no log, one process."""

import time
from dataclasses import dataclass, field
from random import Random
from typing import Any

from protocol.legal import draw
from protocol.messages import AnswerPrompt, CreateRoom, Enter, RoomCreated, Seated, TakeSeat
from protocol.wire import Format, Frame, decode_client, decode_server, encode
from server.game.game import Game
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall
from tests.bench.bench import Bench
from tests.bench.spread import Figure, alone

GAMES = {"full": 8, "quick": 3, "tiny": 1}


@dataclass(eq=False)
class Seat:
    """A connection without a socket: it counts the bytes that it is sent."""

    format: Format = "msgpack"
    replies: list[Any] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)

    def reply(self, frame: Frame) -> None:
        self.replies.append(frame)
        self.sizes.append(len(frame))

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        self.sizes.append(0 if fresh else len(frame))


@dataclass(frozen=True)
class Played:
    """Of some whole random games."""

    answers: int
    cpu_us_per_answer: float
    bytes_per_answer: float


def measure(bench: Bench) -> list[Figure]:
    games = GAMES[bench.size]
    bench.say("the desk alone")
    served, text = play(games), play(max(1, games // 4), fmt="json")
    return [
        alone("desk_us_per_answer", "the desk alone, no sockets: CPU us an answer", served.cpu_us_per_answer),
        alone("bytes_per_answer_json", "   bytes a client and answer as JSON", text.bytes_per_answer),
    ]


def play(games: int, players: int = 6, fmt: Format = "msgpack") -> Played:
    """Plays random games through the desk; only the desk's own work is timed."""
    cost, sizes, answers = 0.0, 0, 0
    for number in range(games):
        rng = Random(number)
        desk = Desk(Hall(BaseGame(), rng.randbytes, lambda: 0.0, 10))
        seats, room, game = _sit_down(desk, players, fmt)
        before = sum(sum(seat.sizes) for seat in seats.values())
        while not game.over:
            house = rng.choice(game.waiting)
            prompt = game.state.prompts[house]
            frame = encode(AnswerPrompt(f"a{answers}", room, prompt.id, draw(prompt, rng)), fmt)
            start = time.process_time()
            desk.handle(seats[house], decode_client(frame, fmt))
            cost += time.process_time() - start
            answers += 1
        sizes += sum(sum(seat.sizes) for seat in seats.values()) - before
    return Played(answers, cost / answers * 1e6, sizes / answers / players)


def _sit_down(desk: Desk, players: int, fmt: Format) -> tuple[dict[str, Seat], str, Game]:
    host = Seat(fmt)
    desk.handle(host, CreateRoom("make", players))
    made = decode_server(host.replies[-1], fmt)
    assert isinstance(made, RoomCreated)
    seats = {}
    for house, invite in made.invites.items():
        seats[house] = Seat(fmt)
        desk.handle(seats[house], TakeSeat("sit", made.room, house, invite=invite))
        seated = decode_server(seats[house].replies[-1], fmt)
        assert isinstance(seated, Seated)
        desk.handle(seats[house], Enter("enter", made.room, token=seated.token))
    game = desk.hall.find(made.room).play
    assert isinstance(game, Game)
    return seats, made.room, game
