"""What an answer costs the server: decode, submit, six views, patches, frames for six seats. No sockets, one process."""

import time
from dataclasses import dataclass, field
from random import Random
from statistics import median
from typing import Any

from protocol.legal import draw
from protocol.messages import AnswerPrompt, CreateRoom, Enter, RoomCreated, Seated, TakeSeat
from protocol.wire import Format, Frame, decode_client, decode_server, encode
from server.game.game import Game
from server.rooms.base_game import BaseGame
from server.rooms.desk import Desk
from server.rooms.hall import Hall


@dataclass(eq=False)
class Seat:
    """A connection without a socket: it counts the bytes that it is sent."""

    format: Format = "msgpack"
    replies: list[Any] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    snapshots: list[int] = field(default_factory=list)

    def reply(self, frame: Frame) -> None:
        self.replies.append(frame)
        self.sizes.append(len(frame))

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        (self.snapshots if fresh else self.sizes).append(len(frame))


@dataclass(frozen=True)
class Figures:
    """Of some whole random games."""

    answers: int
    cpu_us_per_answer: float
    bytes_per_answer: float
    snapshot_bytes: float
    cpu_s_per_game: float


def measure(games: int, players: int = 6, fmt: Format = "msgpack") -> Figures:
    """Plays random games through the desk; only the desk's own work is timed."""
    costs, sizes, snapshots, answers = [], [], [], 0
    for number in range(games):
        rng = Random(number)
        desk = Desk(Hall(BaseGame(), rng.randbytes, lambda: 0.0, 10))
        seats, room, game = _sit_down(desk, players, fmt)
        cpu, before = 0.0, sum(sum(seat.sizes) for seat in seats.values())
        while not game.over:
            house = rng.choice(game.waiting)
            prompt = game.state.prompts[house]
            frame = encode(AnswerPrompt(f"a{answers}", room, prompt.id, draw(prompt, rng)), fmt)
            start = time.process_time()
            desk.handle(seats[house], decode_client(frame, fmt))
            cpu += time.process_time() - start
            answers += 1
        costs.append(cpu)
        sizes.append(sum(sum(seat.sizes) for seat in seats.values()) - before)
        last = next(iter(seats.values()))
        desk.handle(last, Enter("again", room))
        snapshots.append(last.snapshots[-1])
    return Figures(
        answers=answers,
        cpu_us_per_answer=sum(costs) / answers * 1e6,
        bytes_per_answer=sum(sizes) / answers / players,
        snapshot_bytes=median(snapshots),
        cpu_s_per_game=median(costs),
    )


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
