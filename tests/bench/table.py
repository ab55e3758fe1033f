"""Tables of the real game, with a light player at every seat."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from msgspec import UNSET

from protocol.messages import AnswerPrompt, CreateRoom, Enter, Hello, Leave, TakeSeat
from protocol.patch import apply
from protocol.prompts import AnyPrompt
from protocol.wire import pack
from tests.bench import heard
from tests.bench.link import Socket, connect
from tests.hostile.raw import framed

_numbers = count()


def sent(message: Any) -> bytes:
    """A message as a client writes it."""
    return framed(pack(message))


class Seat:
    """One who plays over a socket: knows what it is asked, and no more."""

    def __init__(self, table: "Table", socket: Socket, house: str) -> None:
        self.table = table
        self.socket = socket
        self.house = house
        self.answered = -1
        """The prompt that it has answered last."""
        self.frames: list[int] = []
        """How large each message was, without the snapshot."""
        self.snapshot = 0
        """How large that was."""
        self.inside: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._you = dict[str, Any]()
        socket.heard = self._hear

    @property
    def prompt(self) -> AnyPrompt | None:
        """What it is asked and has not answered."""
        found = self._you.get("prompt")
        return None if not found or found["id"] == self.answered else heard.prompt_of(self._you)

    def answer(self, prompt: AnyPrompt, answer: Any) -> bytes:
        """The frame of an answer, to be written."""
        self.answered = prompt.id
        return sent(AnswerPrompt(f"a{next(_numbers)}", self.table.room, prompt.id, answer))

    def _hear(self, body: bytes) -> None:
        match message := heard.read(body):
            case heard.Update() | heard.Snapshot() if message.room != self.table.room:
                return  # of the table before
            case heard.Update(patch=patch):
                self.frames.append(len(body))
                self._see(apply(self._you, patch.you) if patch.you is not UNSET else self._you, patch)
            case heard.Snapshot(view=view):
                self.snapshot = len(body)
                self._see(view.you or {}, view)
                if not self.inside.done():
                    self.inside.set_result(None)
            case heard.Private(you=you):
                self.frames.append(len(body))
                self._see(you, heard.View())
            case heard.Error():
                raise AssertionError(f"{self.house} in {self.table.room} was refused: {message}")
            case _:
                self.frames.append(len(body))

    def _see(self, you: dict[str, Any], all_see: heard.View) -> None:
        asked = you is not self._you
        self._you = you
        if all_see.waiting is not UNSET:
            self.table.waiting = all_see.waiting or []
        if all_see.phase == "over":
            self.table.over = True
        if asked or self.table.over:
            self.table.news(self)


class Table:
    """A room and those who sit there. `news(seat)` is called whenever a seat may have been asked, or the game is over."""

    def __init__(self, room: str, news: Callable[[Seat], None]) -> None:
        self.room = room
        self.seats: list[Seat] = []
        self.over = False
        self.waiting: list[str] = []
        """The houses that owe a decision."""
        self.news = news


class Host:
    """Makes rooms, and gives seats in them to sockets."""

    def __init__(self, socket: Socket) -> None:
        self.socket = socket
        self._asked: dict[str, asyncio.Future[Any]] = {}
        socket.heard = self._hear
        socket.write(sent(Hello(1, "bench")))

    async def tables(
        self, sockets: Sequence[Sequence[Socket]], news: Callable[[Seat], None], left: Sequence[str] = ()
    ) -> list[Table]:
        """A table for each group of sockets, with a game that has begun; these leave the rooms where they were before."""
        for sat, room in zip(sockets, left, strict=False):
            for socket in sat:
                socket.write(sent(Leave("leave", room)))
        made = await asyncio.gather(*(self._ask(CreateRoom(f"m{next(_numbers)}", len(sat))) for sat in sockets))
        tables = [Table(one.room, _nobody) for one in made]
        taken = await asyncio.gather(
            *(
                self._ask(TakeSeat(f"t{next(_numbers)}", one.room, house, invite=invite))
                for one in made
                for house, invite in one.invites.items()
            )
        )
        seats = iter(taken)
        for table, sat in zip(tables, sockets, strict=True):
            for socket in sat:
                seat = next(seats)
                table.seats.append(Seat(table, socket, seat.house))
                socket.write(sent(Enter("enter", table.room, seat.token)))
        await asyncio.gather(*(seat.inside for table in tables for seat in table.seats))
        for table in tables:
            table.news = news
        for table in tables:
            for one in table.seats:
                one.frames.clear()
                news(one)
        return tables

    async def _ask(self, message: Any) -> Any:
        reply = self._asked[message.id] = asyncio.get_running_loop().create_future()
        self.socket.write(sent(message))
        return await reply

    def _hear(self, body: bytes) -> None:
        match message := heard.read(body):
            case heard.Created(id=id) | heard.Seated(id=id):
                self._asked.pop(id).set_result(message)
            case heard.Error():
                raise AssertionError(f"the host was refused: {message}")
            case _:
                pass


async def sit(port: int, rooms: int, players: int) -> tuple[Host, list[list[Socket]]]:
    """A host, and sockets for so many tables that have said hello."""
    sockets = await connect(port, 1 + rooms * players)
    for socket in sockets[1:]:
        socket.write(sent(Hello(1, "bench")))
    groups = [sockets[1 + n * players : 1 + (n + 1) * players] for n in range(rooms)]
    return Host(sockets[0]), groups


def _nobody(seat: Seat) -> None:
    """Nobody plays yet."""
