"""The game of a room as a record, from the room's log."""

from collections.abc import Iterable
from typing import cast

from protocol.answers import Answer, AnyAnswer
from server.game.game import Event, Game
from server.game.state import State
from server.replay.record import FORMAT, Checkpoint, Input, Record, Recorder, checkpoint
from server.rooms.base_game import BaseGame
from server.rooms.entries import unpack, unpack_birth
from server.rooms.image import Differs
from server.rooms.room import Room


class _Noting(Game):
    """A game that notes its inputs."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.inputs: list[Input] = []

    def submit(self, house: str, prompt: int, answer: Answer) -> list[Event]:
        events = super().submit(house, prompt, answer)
        self.inputs.append(Input(house, prompt, cast("AnyAnswer", answer)))
        return events

    def retract(self, house: str, prompt: int) -> list[Event]:
        events = super().retract(house, prompt)
        self.inputs.append(Input(house, prompt))
        return events

    def undo(self) -> list[Event]:
        events = super().undo()
        self.inputs.append(Input("", 0))
        return events


class _Rules(BaseGame):
    def new(self, players: int, seed: bytes, tides: bool) -> Game:
        return _Noting.new(players, seed, tides=tides)


def record_of(room_id: str, birth: bytes, entries: Iterable[bytes]) -> Record:
    """The game that follows from a room's birth and all its entries.

    Raises `image.Differs` where an entry cannot be applied again, or the game is not the one whose hash is in the log.
    """
    room = Room(room_id, unpack_birth(birth), _Rules())
    marks: list[Checkpoint] = []
    for body in entries:
        try:
            entry, state = unpack(body)
            room.apply(entry)
        except Exception as fault:
            raise Differs(room.n + 1, f"entry {room.n + 1} cannot be applied again ({type(fault).__name__})") from fault
        game = room.play
        if state and (game is None or game.hash() != state):
            raise Differs(room.n, f"after entry {room.n} the game is another one")
        if isinstance(game, _Noting) and len(game.inputs) // Recorder.EVERY > len(marks):
            marks.append(checkpoint(len(game.inputs), game))
    inputs = room.play.inputs if isinstance(room.play, _Noting) else []
    if isinstance(room.play, Game) and not (marks and marks[-1].inputs == len(inputs)):
        marks.append(checkpoint(len(inputs), room.play))
    settings, seats = room.settings, [room.seats[house] for house in room.seats]
    return Record(
        FORMAT,
        room.birth.rules,
        settings.players,
        room.birth.seed.hex(),
        inputs,
        marks,
        settings.tides,
        room=room_id,
        made=room.birth.at,
        names={seat.house: seat.name for seat in seats if seat.name},
        bots={seat.house: seat.bot for seat in seats if seat.bot},
    )
