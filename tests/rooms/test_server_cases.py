"""Cases of other servers that no other file tells of."""

import gc
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from protocol.answers import Bid
from protocol.link import backoff
from protocol.messages import AnswerPrompt, CreateRoom, Enter, Host, Ok, Presence, Snapshot, TakeSeat, Update
from server.rooms.room import Room
from tests.rooms.ledger import Ledger, desk
from tests.rooms.table import HOUSES, Clock, Player, SmallGame, SmallRules, Stream, Table
from tests.rooms.test_recovery import Node


def test_S14_what_happened_and_the_next_prompt_come_in_one_frame() -> None:
    table = Table()
    players = table.full()
    for player in players[:2]:
        table.bid(player, 1)
    for player in players:
        player.heard()
    table.bid(players[2], 1)
    heard = [player.heard() for player in players]
    for player, messages in zip(players, heard, strict=True):
        (update,) = (message for message in messages if isinstance(message, Update))
        assert update.events
        assert update.patch["round"] == 2
        assert update.patch["you"]["prompt"]["id"] == player.views[table.room]["you"]["prompt"]["id"]
        assert isinstance(table.bid(player, 2), Ok)


def test_S38_a_seat_is_its_owners_however_long_nobody_was_there() -> None:
    node = Node(Ledger())
    for player in node.players.values():
        node.desk.gone(player)
    node.now.at += 40 * 86_400
    node.desk.hall.sweep()
    node.desk.tick()
    assert len(node.desk.hall) == 0
    stark = node.back("stark")
    assert stark.views[node.room]["you"]["prompt"]


def test_S39_whoever_comes_back_is_told_who_is_there() -> None:
    table = Table()
    stark, lannister, baratheon = table.full()
    seq = stark.views[table.room]["seq"]
    for player in (stark, lannister):
        table.desk.gone(player)
    baratheon.heard()
    table.enter(stark, "stark", since=seq)
    there = [message.connected for message in stark.heard() if isinstance(message, Presence)]
    assert there == [["stark", "baratheon"]]
    fresh = Player()
    table.enter(fresh)
    (snapshot,) = (message for message in fresh.heard() if isinstance(message, Snapshot))
    assert [h for h in HOUSES[:3] if snapshot.view["houses"][h].get("connected")] == ["stark", "baratheon"]


@given(st.integers(0, 1000))
def test_S44_clients_come_back_at_random_and_for_ever(attempt: int) -> None:
    assert all(0 <= backoff(attempt) <= min(30, 0.5 * 2 ** min(attempt, 10)) for _ in range(20))
    assert len({backoff(attempt) for _ in range(20)}) > 1


def test_S63_the_time_of_an_answer_is_when_it_arrives() -> None:
    """No message holds a time of the client: what is late is late."""
    times = {"at", "time", "now", "lag", "sent", "elapsed"}
    assert not times & {field for message in (AnswerPrompt, Enter, TakeSeat) for field in message.__struct_fields__}


class Kept:
    """Small games on a node over a ledger."""

    def __init__(self, ledger: Ledger, rules: SmallRules) -> None:
        self.ledger = ledger
        self.node = desk(ledger, rules, Stream(), Clock())

    def ask(self, player: Player, message: Any) -> Any:
        before = len(player.ready)
        self.node.handle(player, message)
        self.ledger.settle()
        return player.ready.pop(before)

    def play(self) -> str:
        """A room that is made, played for some answers, closed and left by all."""
        host = Player()
        made, players = self.ask(host, CreateRoom("make", 3)), list[Player]()
        for house, invite in made.invites.items():
            player = Player()
            seated = self.ask(player, TakeSeat(house, made.room, house, invite=invite))
            self.ask(player, Enter("e", made.room, token=seated.token))
            players.append(player)
        for n in range(2):
            for player in players:
                prompt = player.views[made.room]["you"]["prompt"]["id"]
                self.ask(player, AnswerPrompt(f"a{n}", made.room, prompt, Bid(n)))
        for player in players:
            self.node.gone(player)
        self.ask(host, Host("close", made.room, made.host, "close"))
        self.node.gone(host)
        return made.room


def test_S72_of_rooms_that_are_over_and_left_nothing_stays() -> None:
    rules = SmallRules()
    kept = Kept(Ledger(), rules)
    for _ in range(20):
        kept.play()
    gc.collect()
    assert len(kept.node.hall) == 0
    assert not kept.node._visits
    assert len(kept.node._delivery._crowds) == 0
    assert kept.node.hall._wakes == []
    assert not [each for each in gc.get_objects() if isinstance(each, Room) and each.rules is rules]


class NewGame(SmallGame):
    def dump(self) -> bytes:
        return super().dump() + b"changed"


class SameRules(SmallRules):
    version = 2


class NewRules(SameRules):
    """Another version, in which a game is another after the same answers."""

    def new(self, players: int, seed: bytes, tides: bool) -> SmallGame:
        return NewGame(players)


def test_S85_a_game_that_changed_rules_would_play_otherwise_stops_with_the_place() -> None:
    kept = Kept(Ledger(), SmallRules())
    room = kept.play()
    with capture_logs() as logged:
        assert Kept(kept.ledger, NewRules()).ask(Player(), Enter("1", room)).code == "quarantined"
    (told,) = (line for line in logged if line["event"] == "room_quarantined")
    assert (told["room"], told["entry"]) == (room, 8)


def test_S85_a_game_that_changed_rules_play_the_same_goes_on_and_it_is_told() -> None:
    kept = Kept(Ledger(), SmallRules())
    room = kept.play()
    with capture_logs() as logged:
        assert isinstance(Kept(kept.ledger, SameRules()).ask(Player(), Enter("1", room)), Ok)
    (told,) = (line for line in logged if line["event"] == "rules_changed")
    assert (told["room"], told["made_with"], told["now"]) == (room, 1, 2)
