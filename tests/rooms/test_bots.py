"""Seats that the server's bots play (PROTOCOL.md, "Bots"), without processes: the test says when a bot has thought."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.answers import Bid
from protocol.legal import default, draw
from protocol.messages import (
    AnswerPrompt,
    ClockOptions,
    CreateRoom,
    Enter,
    Error,
    Host,
    Leave,
    Ok,
    Presence,
    RoomOptions,
    TakeSeat,
    Update,
    Vote,
)
from protocol.replica import Replica
from protocol.wire import decode_server
from server.rooms.base_game import BaseGame
from tests.rooms.ledger import Ledger, desk
from tests.rooms.table import Clock, Player, Stream

LIVE = ClockOptions("live", bank=60, increment=5)


class Thinkers:
    """Pilots that think when they are told to. `fail` makes the next answer something that is no legal answer."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, Replica, Callable]] = []
        self.fail: list[object] = []
        self._rng = Random(1)

    def think(self, kind, seat, snapshot, done):
        replica = Replica()
        replica.feed(decode_server(snapshot, "msgpack"))
        self.asked.append((kind, seat, replica, done))

    def one(self):
        """The first of those that were asked answers."""
        _, _, replica, done = self.asked.pop(0)
        done(self.fail.pop() if self.fail else draw(replica.prompt, self._rng))

    def all(self, most=10_000):
        """They answer until nobody is asked any more; how often."""
        n = 0
        while self.asked:
            assert n < most, "bots go on for ever"
            self.one()
            n += 1
        return n


class Node:
    """A node with bots over a ledger, and people who are connected to it."""

    def __init__(self, ledger=None, *, players=3, **options):
        self.ledger, self.now, self.stream = ledger or Ledger(), Clock(), Stream()
        self.tokens: dict[str, str] = {}
        self._requests = 0
        self.start()
        self.host = Player()
        self.made = self.ask(self.host, CreateRoom("make", players, RoomOptions(**options)))

    def start(self):
        self.thinkers = Thinkers()
        self.desk = desk(self.ledger, BaseGame(), self.stream, self.now, self.thinkers)

    def ask(self, player, message):
        before = len(player.ready)
        self.desk.handle(player, message)
        self.ledger.settle()
        return player.ready.pop(before) if len(player.ready) > before else None

    def fresh(self):
        self._requests += 1
        return f"r{self._requests}"

    @property
    def room(self):
        living = self.desk.hall.living(self.made.room)
        assert living
        return living.room

    def command(self, action="bots", **fields):
        return self.ask(self.host, Host(self.fresh(), self.made.room, self.made.host, action, **fields))

    def sit(self, house):
        seated = self.ask(
            Player(), TakeSeat(self.fresh(), self.made.room, house.title(), invite=self.made.invites[house])
        )
        self.tokens[house] = seated.token
        return self.enter(house)

    def enter(self, house=None):
        player = Player()
        token = {"token": self.tokens[house]} if house else {}
        assert isinstance(self.ask(player, Enter(self.fresh(), self.made.room, **token)), Ok)
        return player

    def answer(self, player, rng):
        """The player answers what it is asked; False if it is asked nothing."""
        room = self.made.room
        house = player.views[room]["you"]["house"]
        if house not in (self.room.play.owing if self.room.phase == "playing" else ()):
            return False
        prompt = self.room.play.prompt(house)
        assert isinstance(self.ask(player, AnswerPrompt(self.fresh(), room, prompt.id, draw(prompt, rng))), Ok)
        return True


def events(player):
    return [event["type"] for m in player.heard() if isinstance(m, Update) for event in m.events]


def error(reply):
    assert isinstance(reply, Error), reply
    return reply.code, reply.path


def test_one_person_and_bots_play_a_whole_game():
    node, rng = Node(players=6, bots=5), Random(3)
    assert list(node.made.invites) == ["stark"], "invites are for the seats of people"
    assert node.room.phase == "lobby"
    stark = node.sit("stark")
    assert node.room.phase == "playing", "the last seat that is taken starts the game"
    view = stark.views[node.made.room]
    assert {h: p.get("bot") for h, p in view["houses"].items()} == {
        h: None if h == "stark" else "steward" for h in node.room.seats
    }
    assert view["houses"]["tyrell"]["name"] == "Steward of Tyrell"
    assert view["houses"]["tyrell"]["connected"] is False
    assert view["options"]["bots"] == 5
    while node.room.phase == "playing":
        assert node.answer(stark, rng) or node.thinkers.all(), "nobody is asked and the game is not over"
    assert stark.views[node.made.room]["result"]["winner"]
    assert not node.thinkers.asked


def test_a_bot_is_given_the_document_of_its_seat_and_nothing_else():
    node = Node(bots=2)
    node.sit("stark")
    for kind, seat, replica, _ in node.thinkers.asked:
        house = seat.split(":")[1]
        assert kind == "steward"
        replica.feed(Presence(node.made.room, ["stark"]))
        assert replica.view == {**node.room.document(), "you": node.room.you(house)}
        assert replica.prompt.id == node.room.play.owing[house]


@pytest.mark.parametrize("fail", [RuntimeError("x"), Bid(20), Bid(0)])
def test_a_bot_that_fails_or_answers_nonsense_gives_the_default(fail):
    node = Node(bots=2)
    node.sit("stark")
    _, seat, replica, _ = node.thinkers.asked[0]
    house = seat.split(":")[1]
    node.thinkers.fail.append(fail)
    node.thinkers.one()
    assert house not in node.room.play.owing
    orders = node.room.you(house)["orders"]
    assert orders == default(replica.prompt).orders


def test_the_host_fills_free_seats_before_the_start_and_after_it():
    node = Node(players=6)
    stark = node.sit("stark")
    assert isinstance(node.command(house="tyrell", kind="regent"), Ok)
    assert node.room.seats["tyrell"].bot == "regent"
    assert node.room.phase == "lobby"
    assert isinstance(node.command(kind="random"), Ok)
    assert node.room.phase == "playing"
    assert [node.room.seats[h].bot for h in node.room.seats].count("random") == 4
    assert events(stark).count("bot_seated") == 5
    invite = node.command("kick", house="tyrell").invite
    assert node.room.seats["tyrell"].bot == ""
    assert isinstance(node.command(), Ok)
    assert node.room.seats["tyrell"].bot == "steward"
    assert error(node.command()) == ("room_full", "house")
    late = TakeSeat("late", node.made.room, "Late", invite=invite)
    assert error(node.ask(Player(), late))[0] == "seat_taken", "a bot has it"


def test_without_autostart_bots_wait_for_the_host():
    node = Node(bots=2, autostart=False)
    node.sit("stark")
    assert node.room.phase == "lobby"
    assert isinstance(node.command("start"), Ok)
    assert len(node.thinkers.asked) == 2


def test_the_host_gives_an_absent_players_seat_to_a_bot_and_the_player_takes_it_back():
    node, rng = Node(bots=1), Random(1)
    stark, _ = node.sit("stark"), node.sit("greyjoy" if "greyjoy" in node.made.invites else "lannister")
    other = next(h for h in node.tokens if h != "stark")
    assert error(node.command(house="stark")) == ("seat_taken", "house")
    node.desk.gone(stark)
    assert isinstance(node.command(house="stark"), Ok)
    document = node.room.document()["houses"]["stark"]
    assert (document["name"], document["bot"]) == ("Stark", "steward"), "the seat keeps the name of its player"
    node.thinkers.all()
    assert list(node.room.play.owing) == [other]
    back = node.enter("stark")
    assert "bot" not in back.views[node.made.room]["houses"]["stark"]
    assert node.room.seats["stark"].bot == ""
    while "stark" not in node.room.play.owing and node.room.phase == "playing":
        node.thinkers.all()
        person = node.enter(other)
        assert node.answer(person, rng)
    assert "stark" not in [seat.split(":")[1] for _, seat, _, _ in node.thinkers.asked]
    assert node.answer(back, rng)


def test_a_player_on_autopilot_who_is_connected_takes_the_seat_back_by_answering():
    node = Node(bots=2, clock=ClockOptions("live", bank=0, increment=1, absences=1))
    stark = node.sit("stark")
    node.thinkers.all()
    node.now.at += 3
    node.desk.tick()
    assert node.room.clock.hands["stark"].autopilot
    assert isinstance(node.command(house="stark"), Ok)
    assert not node.room.clock.hands["stark"].autopilot
    prompt = node.room.play.owing.get("stark", 1)
    node.ask(stark, AnswerPrompt("back", node.made.room, prompt, Bid(0)))
    assert node.room.seats["stark"].bot == ""
    assert "seat_returned" in events(stark)


def test_an_answer_that_comes_when_the_player_is_back_counts_for_nothing():
    node = Node(bots=1)
    stark = node.sit("stark")
    node.sit(next(h for h in node.made.invites if h != "stark"))
    node.desk.gone(stark)
    node.command(house="stark")
    assert any(seat.endswith("stark") for _, seat, _, _ in node.thinkers.asked)
    node.enter("stark")
    node.thinkers.all()
    assert "stark" in node.room.play.owing


def test_bots_rest_while_no_person_has_a_seat_and_nobody_looks_on():
    node = Node(bots=2)
    stark = node.sit("stark")
    node.ask(stark, Leave("leave", node.made.room))
    node.command(house="stark")
    node.thinkers.all()
    n = node.room.n
    assert node.room.phase == "playing"
    assert node.room.wake is None
    node.desk.tick()
    assert not node.thinkers.asked
    node.enter()
    assert node.thinkers.asked, "somebody looks on"
    for _ in range(5):
        node.thinkers.one()
    assert node.room.n > n


def test_a_room_of_bots_plays_to_its_end_while_somebody_looks_on():
    node = Node()
    watcher = node.enter()
    node.command()
    assert node.thinkers.all() > 50
    assert watcher.views[node.made.room]["phase"] == "over"


def test_a_bot_has_no_deadline_and_rests_while_the_clocks_are_paused():
    node = Node(bots=2, clock=LIVE)
    stark = node.sit("stark")
    view = stark.views[node.made.room]
    assert "clock" in view["houses"]["stark"]
    bot = next(h for h in view["houses"] if h != "stark")
    assert "clock" not in view["houses"][bot]
    assert all("deadline" not in replica.view["you"]["prompt"] for _, _, replica, _ in node.thinkers.asked)
    node.now.at += 60
    node.desk.tick()
    assert bot in node.room.play.owing, "nobody answers in its place"
    node.command("pause")
    node.thinkers.all()
    assert bot in node.room.play.owing
    node.command("resume")
    node.thinkers.all()
    assert bot not in node.room.play.owing


def test_no_vote_waits_for_bots():
    node = Node(bots=2, clock=LIVE)
    stark = node.sit("stark")
    assert isinstance(node.ask(stark, Vote("v", node.made.room, "pause")), Ok)
    assert node.room.clock.paused


@pytest.mark.parametrize("away", ["bots", "kick"])
def test_a_vote_is_counted_again_when_one_less_is_asked(away):
    node = Node(bots=1, clock=LIVE)
    other = next(house for house in node.made.invites if house != "stark")
    stark, absent = node.sit("stark"), node.sit(other)
    assert isinstance(node.ask(stark, Vote("v", node.made.room, "pause")), Ok)
    assert not node.room.clock.paused
    node.desk.gone(absent)
    stark.heard()
    assert isinstance(node.command(away, house=other), Ok)
    assert node.room.clock.paused
    assert events(stark)[-1] == "clocks_paused"
    assert "votes" not in stark.views[node.made.room]


def test_what_cannot_be_is_said_and_changes_nothing():
    node = Node()
    too_many = CreateRoom("all", 3, RoomOptions(bots=3))
    assert error(node.ask(node.host, too_many)) == ("bad_message", "options.bots")
    assert error(node.command(house="tyrell")) == ("not_found", "house"), "no such house with three players"
    wrong = Host("w", node.made.room, "guess", "bots")
    assert error(node.ask(node.host, wrong)) == ("bad_token", "token")
    assert node.room.n == 0


def test_the_same_request_seats_bots_once():
    node = Node(players=6)
    message = Host("once", node.made.room, node.made.host, "bots", house="tyrell")
    first = node.ask(node.host, message)
    n = node.room.n
    node.start()
    assert node.ask(node.host, message) == first, "after a restart too"
    assert node.room.n == n


def test_a_room_that_ran_ahead_of_its_log_asks_its_bots_again():
    node = Node(bots=2)
    node.sit("stark")
    late, node.thinkers.asked = node.thinkers.asked, []
    node.ledger.broken = True
    _, _, replica, done = late[0]
    done(draw(replica.prompt, Random(1)))
    node.desk.tick()
    assert not node.thinkers.asked, "the archive is away"
    node.ledger.broken = False
    node.now.at += 10
    node.desk.tick()
    asked = len(node.thinkers.asked)
    assert asked == 2, "nothing of it was kept"
    before = node.room.n
    late[1][3](draw(late[1][2].prompt, Random(1)))
    assert node.room.n == before, "an answer for the room as it was counts for nothing"


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32))
def test_killed_at_any_input_a_room_with_bots_goes_on(number):
    rng = Random(number)
    node = Node(bots=1)
    people = [node.sit(house) for house in list(node.made.invites)]
    while node.room.phase == "playing":
        chance = rng.random()
        if chance < 0.03:
            before = (node.room.seq, node.room.play.hash(), {h: node.room.seats[h].bot for h in node.room.seats})
            node.start()
            node.desk.tick()
            if not node.desk.hall.living(node.made.room):
                node.enter()
            assert before == (
                node.room.seq,
                node.room.play.hash(),
                {h: node.room.seats[h].bot for h in node.room.seats},
            )
            people = [node.enter(h) if not node.room.seats[h].bot else None for h in node.tokens]
        elif chance < 0.06 and all(people):
            gone = rng.randrange(len(people))
            node.desk.gone(people[gone])
            people[gone] = None
            node.command(house=list(node.tokens)[gone], kind=rng.choice(["random", "steward"]))
        elif chance < 0.2 and None in people:
            house = list(node.tokens)[people.index(None)]
            people[people.index(None)] = node.enter(house)
        elif node.thinkers.asked and rng.random() < 0.6:
            node.thinkers.one()
        else:
            player = rng.choice(people)
            if player:
                node.answer(player, rng)
    assert node.room.play.over
