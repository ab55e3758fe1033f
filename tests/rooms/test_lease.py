"""A room whose lease is over: nobody is shown anything of what is in memory, and who was in it is followed elsewhere."""

from random import Random

from protocol.legal import draw
from protocol.messages import AnswerPrompt, Enter, Error, Say
from tests.rooms.ledger import Ledger
from tests.rooms.test_recovery import Node


def followed(node: Node) -> list[tuple[str, int]]:
    lost: list[tuple[str, int]] = []
    node.desk.follow(lambda room, listeners: lost.append((room, len(listeners))))
    return lost


def test_a_node_whose_lease_is_over_answers_nothing_from_memory():
    node = Node(Ledger())
    lost = followed(node)
    before = {house: len(player.ready) for house, player in node.players.items()}
    node.ledger.taken.add(node.room)
    stranger = node.ask(node.host, Enter("look", node.room))
    assert isinstance(stranger, Error) and stranger.code == "unavailable"
    refused = node.ask(node.players["stark"], Say("say", node.room, "all", "winter"))
    assert isinstance(refused, Error) and refused.code == "unavailable"
    assert node.desk.refresh(node.players["stark"], node.room)
    assert node.desk.hall.living(node.room) is None
    assert lost == [(node.room, 3)] and node.ledger.released == [node.room]
    told = {house: [type(m).__name__ for m in p.ready[before[house] :]] for house, p in node.players.items()}
    assert told == {"stark": [], "lannister": [], "baratheon": []}


def test_what_was_written_when_the_lease_ran_out_is_not_shown():
    node = Node(Ledger(slow=True))
    lost = followed(node)
    stark = node.players["stark"]
    prompt = node.machine.started.prompt("stark")
    heard = {house: len(player.ready) for house, player in node.players.items()}
    node.desk.handle(stark, AnswerPrompt("a", node.room, prompt.id, draw(prompt, Random(1))))
    node.ledger.taken.add(node.room)
    node.ledger.settle()
    assert [type(m).__name__ for m in stark.ready[heard["stark"] :]] == ["Error"]
    assert len(node.players["lannister"].ready) == heard["lannister"]
    assert len(lost) == 1


def test_a_room_that_is_given_away_leaves_memory_and_its_people_are_followed():
    node = Node(Ledger())
    lost = followed(node)
    node.desk.lose(node.room)
    node.desk.lose(node.room)
    assert lost == [(node.room, 3)] and len(node.desk.hall) == 0
    assert not any(node.desk.inside(player) for player in node.players.values())
