"""Clocks, autopilot and votes in a room (S03, S09, S11, S12, S36, S64, S65, S74)."""

from protocol.answers import PlaceOrders
from protocol.legal import default
from protocol.messages import AnswerPrompt, ClockOptions, Enter, Host, Ok, Vote
from tests.rooms.ledger import Ledger
from tests.rooms.table import Player
from tests.rooms.test_recovery import HOUSES, LIVE, Node


def types(player):
    return [event["type"] for message in player.heard() for event in getattr(message, "events", [])]


def host(node, action, **fields):
    return node.ask(node.host, Host(f"{action}{node.machine.n}", node.room, node.made.host, action, **fields))


def vote(node, house, on, yes=True):
    node.votes = getattr(node, "votes", 0) + 1
    return node.ask(node.players[house], Vote(f"v{node.votes}", node.room, on, yes))


def wait(node, seconds):
    node.now.at += seconds
    node.desk.tick()


def others_answer(node, absent):
    """Everybody else answers until only the absent house holds up the game."""
    while house := next((h for h in node.machine.play.owing if h != absent), None):
        answer(node, house)


def answer(node, house, given=None):
    """A house answers its prompt, with the default if it is not said how."""
    prompt = node.machine.play.prompt(house)
    node.ask(node.players[house], AnswerPrompt(f"p{prompt.id}", node.room, prompt.id, given or default(prompt)))


def reach_the_marches(node):
    """Orders are laid that leave a choice, and the raven has flown: from now on answers can be undone."""
    answer(
        node,
        "stark",
        PlaceOrders({"winterfell": "march-0", "white-harbor": "march-minus-1", "the-shivering-sea": "support"}),
    )
    answer(
        node,
        "lannister",
        PlaceOrders({"lannisport": "march-0", "stoney-sept": "support", "the-golden-sound": "support"}),
    )
    answer(
        node, "baratheon", PlaceOrders({"dragonstone": "support", "kingswood": "march-0", "shipbreaker-bay": "support"})
    )
    answer(node, next(iter(node.machine.play.owing)))


def test_a_prompt_tells_its_deadline_and_everybody_sees_the_clock():
    node = Node(Ledger(), LIVE)
    due = int(node.now.at * 1000) + 65_000
    view = node.players["stark"].views[node.room]
    assert view["you"]["prompt"]["deadline"] == due
    assert view["houses"]["lannister"]["clock"] == {"bank": 60_000, "deadline": due}
    assert view["options"]["clock"] == {"kind": "live", "bank": 60, "increment": 5}


def test_without_a_clock_nobody_is_hurried():
    node = Node(Ledger())
    wait(node, 1e6)
    assert set(node.machine.play.owing) == set(HOUSES)


def test_S11_who_is_absent_goes_on_autopilot_and_comes_back():
    node = Node(Ledger(), LIVE)
    stark = node.players["stark"]
    stark.heard()
    wait(node, 64)
    assert node.machine.clock.hands["stark"].missed == 0
    wait(node, 2)
    assert types(stark).count("deadline_missed") >= 3
    while not node.machine.clock.hands["stark"].autopilot:
        others_answer(node, "stark")
        wait(node, 70)
    view = stark.views[node.room]
    assert view["houses"]["stark"]["autopilot"] is True
    assert "seat_on_autopilot" in types(stark)
    assert "stark" not in node.machine.play.owing
    node.back("stark")
    assert not node.machine.clock.hands["stark"].autopilot
    assert "seat_returned" in types(stark)


def test_a_room_of_absent_players_plays_itself_to_the_end():
    node = Node(Ledger(), ClockOptions("live", bank=0, increment=1, absences=1))
    wait(node, 2)
    assert node.machine.phase == "over"


def test_a_freed_seat_is_played_for_until_somebody_sits_down():
    node = Node(Ledger())
    ok = host(node, "kick", house="stark")
    assert isinstance(ok, Ok)
    assert "stark" not in node.machine.play.owing
    assert node.players["lannister"].views[node.room]["houses"]["stark"]["autopilot"] is True


def test_the_host_pauses_extends_and_resumes():
    node = Node(Ledger(), LIVE)
    before = node.machine.clock.deadlines()
    assert host(node, "resume").code == "too_late"
    assert isinstance(host(node, "extend", minutes=2), Ok)
    assert node.machine.clock.deadlines() == {h: due + 120_000 for h, due in before.items()}
    assert isinstance(host(node, "pause"), Ok)
    wait(node, 10_000)
    assert node.players["stark"].views[node.room]["paused"]
    assert set(node.machine.play.owing) == set(HOUSES)
    assert isinstance(host(node, "resume"), Ok)
    assert node.machine.clock.deadlines() == {h: due + 10_120_000 for h, due in before.items()}


def test_all_seats_pause_by_vote():
    node = Node(Ledger(), LIVE)
    assert isinstance(vote(node, "stark", "pause"), Ok)
    assert isinstance(vote(node, "lannister", "pause"), Ok)
    assert node.machine.votes == {"pause": ["stark", "lannister"]}
    vote(node, "stark", "pause", yes=False)
    vote(node, "baratheon", "pause")
    assert not node.machine.clock.paused
    vote(node, "stark", "pause")
    assert node.machine.clock.paused
    assert node.machine.votes == {}
    assert node.players["stark"].views[node.room].get("votes") is None


def test_a_decision_is_undone_by_consent_of_all():
    node = Node(Ledger())
    assert vote(node, "stark", "undo").code == "too_late"
    reach_the_marches(node)
    before = node.machine.document()["areas"]
    first = next(iter(node.machine.play.owing))
    prompt = node.machine.play.prompt(first)
    answer(node, first)
    assert node.machine.document()["areas"] != before
    for house in HOUSES:
        assert isinstance(vote(node, house, "undo"), Ok)
    assert node.machine.document()["areas"] == before
    assert next(iter(node.machine.play.owing)) == first
    assert node.machine.play.prompt(first).id != prompt.id
    after = node.shown()
    node.kill()
    node.back("stark")
    for house in HOUSES[1:]:
        node.back(house)
    assert node.shown() == after


def test_S74_a_vote_is_for_seats_only():
    node = Node(Ledger(), LIVE)
    watcher = Player()
    node.ask(watcher, Enter("look", node.room))
    assert node.ask(watcher, Vote("v", node.room, "pause")).code == "forbidden"


def test_a_vote_that_lapses_disappears_from_sight_though_another_stands():
    node = Node(Ledger(), LIVE)
    reach_the_marches(node)
    answer(node, next(iter(node.machine.play.owing)))
    assert isinstance(vote(node, "stark", "undo"), Ok)
    assert isinstance(vote(node, "stark", "pause"), Ok)
    assert set(node.players["lannister"].views[node.room]["votes"]) == {"undo", "pause"}
    answer(node, next(iter(node.machine.play.owing)))
    assert node.players["lannister"].views[node.room]["votes"] == {"pause": ["stark"]}
