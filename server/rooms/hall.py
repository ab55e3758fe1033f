"""All rooms of a node."""

from collections.abc import Callable
from itertools import islice

from msgspec import UNSET

from protocol.messages import CreateRoom, ListRooms, RoomCreated, RoomList
from server.game.refused import Refused
from server.rooms import keys
from server.rooms.effects import Effects
from server.rooms.face import Rules
from server.rooms.room import Room, Settings
from server.rooms.seats import Seat

PAGE = 50
LOBBY_SECONDS = 24 * 3600
OVER_SECONDS = 3600
"""How long a room without a game to play is kept when nobody is in it."""


class Hall:
    """Makes rooms, finds them and forgets those that nobody needs any more.

    Randomness and time come in from outside: the same of both and the same messages give the same bytes.
    """

    def __init__(self, rules: Rules, entropy: keys.Entropy, now: Callable[[], float], max_rooms: int) -> None:
        """`entropy` gives random bytes, `now` the time in seconds since 1970."""
        self.entropy = entropy
        self._rules = rules
        self._now = now
        self._max_rooms = max_rooms
        self._rooms: dict[str, Room] = {}

    def __len__(self) -> int:
        return len(self._rooms)

    def create(self, message: CreateRoom) -> Effects:
        """Make a room. Raises Refused when there are too many."""
        if len(self._rooms) >= self._max_rooms:
            self.sweep()
        if len(self._rooms) >= self._max_rooms:
            raise Refused("too_many_rooms", "This server holds no more rooms.", hint="Try again later.")
        room_id = keys.new_room_id(self.entropy)
        while room_id in self._rooms:
            room_id = keys.new_room_id(self.entropy)
        seed = self.entropy(32)
        host = keys.new_key(self.entropy)
        invites = {house: keys.new_key(self.entropy) for house in self._rules.houses(message.players)}
        self._rooms[room_id] = Room(
            room_id,
            settings=Settings(
                message.players, message.options.tides, message.options.private, message.options.autostart
            ),
            seats=[Seat(house, keys.digest(invite)) for house, invite in invites.items()],
            host=keys.digest(host),
            seed=seed,
            rules=self._rules,
            now=self._now,
        )
        return Effects(RoomCreated(message.id, room_id, host, invites))

    def find(self, room_id: str) -> Room:
        """The room with this id. Raises Refused."""
        if room_id not in self._rooms:
            raise Refused("not_found", "There is no such room.", path="room", hint="Look with `list_rooms`.")
        return self._rooms[room_id]

    def list(self, message: ListRooms) -> Effects:
        """A page of the public rooms, newest first."""
        wanted = message.filter.phase
        rooms = (
            room
            for room in reversed(self._rooms.values())
            if not room.settings.private and (wanted is UNSET or room.phase == wanted)
        )
        start = message.filter.page * PAGE
        page = [room.line() for room in islice(rooms, start, start + PAGE)]
        return Effects(RoomList(message.id, page, more=next(rooms, None) is not None))

    def sweep(self) -> int:
        """Forget rooms that are over, or never started, and in which nobody has been for long; how many."""
        keep = {"lobby": LOBBY_SECONDS, "over": OVER_SECONDS}
        now = self._now()
        stale = [
            room.id
            for room in self._rooms.values()
            if room.phase in keep and not room.audience and now - room.touched >= keep[room.phase]
        ]
        for room_id in stale:
            del self._rooms[room_id]
        return len(stale)
