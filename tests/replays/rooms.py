"""Records the room of this folder: a person, bots, a bid taken back, a decision undone. `python -m tests.replays.rooms`."""

from pathlib import Path
from random import Random

from protocol.answers import Bid
from protocol.legal import draw
from protocol.messages import AnswerPrompt, Ok, Retract, Vote
from server.replay.record import Record, write
from server.replay.room import record_of
from tests.rooms.test_bots import Node

FILE = Path(__file__).parent / "rooms" / "3-players.json"


def played(seed: int = 7, *, most: int = 10_000) -> Node:
    """A room that was played to its end, or for so many answers."""
    node, rng = Node(bots=2), Random(seed)
    stark, room = node.sit("stark"), node.made.room
    undone = False
    while node.room.phase == "playing" and node.room.n < most:
        if node.room.play.undoable and not undone and node.room.n > 20:
            undone = isinstance(node.ask(stark, Vote(node.fresh(), room, "undo")), Ok)
        elif "stark" in node.room.play.owing:
            prompt = node.room.play.prompt("stark")
            if prompt.kind == "bid" and node.room.play.owing.keys() != {"stark"}:
                assert isinstance(node.ask(stark, AnswerPrompt(node.fresh(), room, prompt.id, Bid(0))), Ok)
                assert isinstance(node.ask(stark, Retract(node.fresh(), room, prompt.id)), Ok)
            answer = AnswerPrompt(node.fresh(), room, prompt.id, draw(prompt, rng))
            assert isinstance(node.ask(stark, answer), Ok)
        elif node.thinkers.asked:
            node.thinkers.one()
    return node


def exported(node: Node) -> Record:
    """The record of a room by what its log holds."""
    ledger, room = node.ledger, node.made.room
    return record_of(room, ledger.births[room], ledger.entries[room])


if __name__ == "__main__":
    FILE.parent.mkdir(exist_ok=True)
    write(exported(played()), FILE)
