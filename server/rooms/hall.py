"""The rooms of a node: those in memory, and those that its archive brings back when they are asked for."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from typing import Any, TypeAlias

import structlog

from protocol.messages import CreateRoom, RoomCreated, RoomLine
from server.eyes.meters import Meters
from server.game.refused import Refused
from server.rooms import image, keys
from server.rooms.archive import Archive, Elsewhere, Memory, Torn, Unavailable
from server.rooms.entries import Birth, Settings, pack_birth
from server.rooms.face import Rules
from server.rooms.requests import Requests
from server.rooms.room import Room

log = structlog.get_logger()

LOBBY_SECONDS = 24 * 3600.0
OVER_SECONDS = 3600.0
"""How long a room without a game to play is kept in memory when nobody is in it."""
KEPT_SECONDS = {"lobby": LOBBY_SECONDS, "over": OVER_SECONDS, "playing": inf}
IDLE_SECONDS = 300.0
"""How long a room that can be brought back is kept in memory when nobody is in it."""
AGAIN = 5000
"""Milliseconds after which a room that could not be brought back is tried again."""

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], None]
Then: TypeAlias = Callable[["Living"], None]
Fail: TypeAlias = Callable[[Refused], None]

NOT_FOUND = Refused("not_found", "There is no such room.", path="room", hint="Look with `list_rooms`.")
UNAVAILABLE = Refused(
    "unavailable", "The server cannot reach its archive.", hint="Nothing has happened; try again soon."
)
ELSEWHERE = Refused(
    "unavailable", "The room is on its way from one server to another.", hint="Nothing has happened; try again soon."
)
QUARANTINED = Refused("quarantined", "This room's log is damaged.", path="room", hint="The operator has been told.")


@dataclass(eq=False)
class Living:
    """A room in memory."""

    room: Room
    requests: Requests
    epoch: int = 1
    pictured: int = 0
    """The entry up to which the archive holds an image."""
    pending: int = 0
    """How many pages are being written."""
    visited: int = 0
    """When somebody last came or went."""
    thinking: dict[str, int] = field(default_factory=dict)
    """By house: the prompt that its bot is thinking about."""
    lost: bool = False
    """Whether it ran ahead of its log, which is the truth: it must be brought back from there."""

    @property
    def about(self) -> dict[str, str | int]:
        """What every line of the log about the room tells: which it is, and since which taking over it is here."""
        return {"room": self.room.id, "epoch": self.epoch}


@dataclass
class _Bringing:
    """A room that is on its way back, and who waits for it."""

    waiting: list[tuple[Then, Fail]] = field(default_factory=list)


class Hall:
    """Makes rooms, finds them and forgets those that nobody needs any more.

    Randomness and time come in from outside: the same of both and the same messages give the same bytes.
    """

    def __init__(
        self,
        rules: Rules,
        entropy: keys.Entropy,
        now: Callable[[], float],
        max_rooms: int,
        archive: Archive | None = None,
        spawn: Spawn | None = None,
        *,
        piloted: bool = False,
        meters: Meters | None = None,
    ) -> None:
        """`entropy` gives random bytes, `now` the time in seconds since 1970, `spawn` runs what takes time.

        `piloted` says whether seats may be given to bots; what happens is counted in `meters`.
        """
        self.meters = meters or Meters()
        self.entropy = entropy
        self.archive: Archive = archive or Memory(self.lines)
        self._spawn = spawn
        self._piloted = piloted
        self._rules = rules
        self._now = now
        self._max_rooms = max_rooms
        self._rooms: dict[str, Living] = {}
        self._bringing: dict[str, _Bringing] = {}
        self._quarantine: set[str] = set()
        self._wakes: list[tuple[int, str]] = []

    def __len__(self) -> int:
        return len(self._rooms)

    def now(self) -> int:
        """The time in milliseconds since 1970."""
        return int(self._now() * 1000)

    # ---- new rooms

    def conceive(self, message: CreateRoom) -> tuple[RoomCreated, Birth]:
        """The reply to who makes a room, and what is kept of it. Raises Refused when there are too many, or only bots."""
        options = message.options
        self._check_bots(message.players, options.bots)
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
        birth = Birth(
            settings=Settings(
                message.players,
                options.tides,
                options.private,
                options.autostart,
                options.clock or None,
                options.bots,
                options.bot_kind,
            ),
            invites={house: keys.digest(invite) for house, invite in invites.items()},
            host=keys.digest(host),
            seed=seed,
            rules=self._rules.version,
            at=self.now(),
        )
        to_give = dict(list(invites.items())[: message.players - options.bots])
        return RoomCreated(message.id, room_id, host, to_give), birth

    def _check_bots(self, players: int, bots: int) -> None:
        if bots and not self._piloted:
            hint = "Seat bots over the socket: `marchwarden bot --invite CODE`."
            raise Refused("not_supported", "This server does not seat bots itself.", path="options.bots", hint=hint)
        if bots >= players:
            hint = "Leave one seat; the host can fill that too afterwards, with the action `bots`."
            raise Refused("bad_message", "There are not so many seats for bots.", path="options.bots", hint=hint)

    def add(self, room_id: str, birth: Birth) -> Living:
        """A room that has just been made."""
        return self._alive(Room(room_id, birth, self._rules))

    async def create(self, room_id: str, birth: Birth) -> None:
        """Makes a room durable and adds it, unless another node has it from the beginning. Raises `Unavailable`."""
        room = Room(room_id, birth, self._rules)
        await self.archive.create(room_id, pack_birth(birth), room.line(), birth.settings.private, birth.at)
        if self.archive.holds(room_id):
            log.info("room_made", **self._alive(room).about)

    def _alive(self, room: Room, epoch: int = 1) -> Living:
        living = Living(room, Requests(room, self.entropy, self.now, piloted=self._piloted), epoch, room.n)
        self._rooms[room.id] = living
        self.wind(living)
        return living

    # ---- finding them

    def find(self, room_id: str) -> Room:
        """A room in memory. Raises Refused."""
        if room_id not in self._rooms:
            raise NOT_FOUND
        return self._rooms[room_id].room

    def visit(self, room_id: str, then: Then, fail: Fail) -> None:
        """Do something in a room, at once or as soon as it has been brought back; `fail` says why that cannot be."""
        if living := self._rooms.get(room_id):
            if self.archive.holds(room_id):
                then(living)
            else:
                fail(ELSEWHERE)
        elif room_id in self._quarantine:
            fail(QUARANTINED)
        elif not self.archive.keeps or self._spawn is None:
            fail(NOT_FOUND)
        elif room_id in self._bringing:
            self._bringing[room_id].waiting.append((then, fail))
        else:
            self._bringing[room_id] = _Bringing([(then, fail)])
            self._spawn(self._bring(room_id))

    async def _bring(self, room_id: str) -> None:
        refused, living = NOT_FOUND, None
        try:
            found = await self.archive.bring(room_id)
            if found:
                room = image.bring_back(room_id, self._rules, found)
                living = self._alive(room, found.epoch)
                living.pictured = room.n - len(found.entries)
                if room.birth.rules != self._rules.version:
                    log.warning("rules_changed", **living.about, made_with=room.birth.rules, now=self._rules.version)
                log.info("room_brought", **living.about, seq=room.seq)
        except Elsewhere:
            refused = ELSEWHERE
        except Unavailable:
            refused = UNAVAILABLE
        except (Torn, image.Differs) as damage:
            refused = QUARANTINED
            self._quarantine.add(room_id)
            log.error("room_quarantined", room=room_id, entry=damage.n, why=str(damage))
        except Exception:
            refused = UNAVAILABLE
            log.exception("room_not_brought", room=room_id)
        if living is None:
            self.archive.release(room_id)
        for then, fail in self._bringing.pop(room_id).waiting:
            if living is None:
                fail(refused)
            else:
                then(living)

    def living(self, room_id: str) -> Living | None:
        """A room, if it is in memory."""
        return self._rooms.get(room_id)

    @property
    def quarantined(self) -> int:
        """How many rooms were found with a damaged log."""
        return len(self._quarantine)

    def in_memory(self) -> list[str]:
        """The rooms in memory."""
        return list(self._rooms)

    def lines(self, phase: str | None) -> list[RoomLine]:
        """The public rooms in memory, newest first."""
        rooms = (living.room for living in reversed(self._rooms.values()))
        return [r.line() for r in rooms if not r.settings.private and (phase is None or r.phase == phase)]

    # ---- letting them go

    def drop(self, living: Living) -> None:
        """A room leaves memory; if it was lost, whoever asks for it next gets it back from its log."""
        if self._rooms.get(living.room.id) is living:
            del self._rooms[living.room.id]
            self.archive.release(living.room.id)
            log.info("room_left_memory", **living.about, seq=living.room.seq)

    def let_go(self, living: Living) -> None:
        """A room that is over leaves memory with the last who was in it: whoever asks for it gets it from the archive."""
        room = living.room
        if self.archive.keeps and room.phase == "over" and not room.audience and not living.pending:
            self.drop(living)

    def sweep(self) -> int:
        """Let rooms go in which nobody has been for long; how many."""
        now, going = self.now(), []
        for living in self._rooms.values():
            room = living.room
            idle = (now - max(room.touched, living.visited)) / 1000
            kept = IDLE_SECONDS if self.archive.keeps else KEPT_SECONDS[room.phase]
            if not room.audience and not living.pending and idle >= kept:
                going.append(living)
        for living in going:
            self.drop(living)
        return len(going)

    # ---- deadlines

    def wind(self, living: Living) -> None:
        """Remember when a room needs somebody to look after it."""
        if (due := living.room.wake) is not None:
            heappush(self._wakes, (due, living.room.id))

    def wake_later(self, room_id: str) -> None:
        """Look after a room in a while that cannot be brought back now."""
        heappush(self._wakes, (self.now() + AGAIN, room_id))

    async def wind_all(self) -> None:
        """Remember the deadlines of all rooms that sleep in the archive. Raises `Unavailable`."""
        for room_id, due in await self.archive.wakes():
            heappush(self._wakes, (due, room_id))

    def due(self) -> list[str]:
        """The rooms in which a deadline may have passed; each is named once."""
        now, rooms = self.now(), dict[str, None]()
        while self._wakes and self._wakes[0][0] <= now:
            rooms[heappop(self._wakes)[1]] = None
        return list(rooms)
