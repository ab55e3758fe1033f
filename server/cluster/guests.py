"""Clients of other nodes in the rooms of this one."""

from protocol.messages import AnswerPrompt
from protocol.wire import Format, Frame
from server.cluster.leased import Leased
from server.cluster.mail import Mail
from server.cluster.nodes import Nodes
from server.cluster.words import Ack, Ask, Gone, Lost, News, Still
from server.rooms.audience import Listener
from server.rooms.desk import Desk


class Guest:
    """A client of another node, in one room: a `Listener` whose frames travel there."""

    def __init__(self, mail: Mail, node: str, place: int, fmt: Format) -> None:
        self.node = node
        self.place = place
        self._mail = mail
        self._format: Format = fmt

    @property
    def format(self) -> Format:
        """The wire format that it speaks."""
        return self._format

    def reply(self, frame: Frame) -> None:
        """Send what must not be lost. If it is, the other node finds out and asks again."""
        self._mail.say(self.node, News.of(self.place, frame, reply=True))

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        """Send news of the room."""
        self._mail.say(self.node, News.of(self.place, frame, fresh=fresh))


class Guests:
    """All clients of other nodes that are in rooms of this one."""

    def __init__(self, desk: Desk, mail: Mail, leased: Leased, nodes: Nodes) -> None:
        self._desk = desk
        self._mail = mail
        self._leased = leased
        self._nodes = nodes
        self._guests: dict[tuple[str, int], Guest] = {}

    def __len__(self) -> int:
        return len(self._guests)

    def ask(self, node: str, asked: Ask) -> None:
        """Serve a message of such a client, if its room is here, or has been given to this node."""
        room, hall = asked.message.room, self._desk.hall
        if hall.living(room) is None and room in self._leased.promised:
            hall.visit(room, lambda living: self._serve(node, asked), lambda refused: self._not_here(node, asked))
        else:
            self._serve(node, asked)

    def _not_here(self, node: str, asked: Ask) -> None:
        self._mail.say(node, Ack(asked.number, taken=False))

    def _serve(self, node: str, asked: Ask) -> None:
        room, key = asked.message.room, (node, asked.place)
        if self._desk.draining or self._desk.hall.living(room) is None or not self._leased.holds(room):
            self._not_here(node, asked)
            return
        guest = self._guests.get(key)
        if asked.inside and guest is None:
            self._not_here(node, asked)
            return
        if guest is None:
            guest = self._guests[key] = Guest(self._mail, node, asked.place, asked.format)
        self._mail.say(node, Ack(asked.number, taken=True))
        self._nodes.answers += isinstance(asked.message, AnswerPrompt)
        self._desk.handle(guest, asked.message)
        if not self._desk.inside(guest):
            self._forget(key)

    def gone(self, node: str, gone: Gone) -> None:
        """Such clients have left."""
        for place in gone.places:
            self._forget((node, place))

    def check_all(self) -> None:
        """Ask all nodes whether their clients are still there."""
        for node in {guest.node for guest in self._guests.values()}:
            self.check(node)

    def check(self, node: str) -> None:
        """Something of that node was lost, perhaps that somebody is gone: ask."""
        if places := [guest.place for guest in self._guests.values() if guest.node == node]:
            self._mail.say(node, Still(places))

    def silent(self, node: str) -> None:
        """Nothing is heard of that node: its clients are gone, or will come back."""
        for key in [key for key in self._guests if key[0] == node]:
            self._forget(key)

    def lost(self, listeners: list[Listener], to: str) -> None:
        """A room of this node is lost, `to` another node if that is known: these were in it."""
        by_node: dict[str, list[int]] = {}
        for guest in listeners:
            if isinstance(guest, Guest):
                by_node.setdefault(guest.node, []).append(guest.place)
                self._forget((guest.node, guest.place))
        for node, places in by_node.items():
            self._mail.say(node, Lost(places, to))

    def _forget(self, key: tuple[str, int]) -> None:
        if guest := self._guests.pop(key, None):
            self._desk.gone(guest)
