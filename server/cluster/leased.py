"""The store as the archive of one node among several: a room is in memory only under a lease."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

import structlog

from server.eyes.meters import Meters
from server.rooms import archive
from server.rooms.archive import Found
from server.rooms.stored import Stored
from server.store import errors, records
from server.store.journal import Journal
from server.store.leases import Leases
from server.store.store import Store

log = structlog.get_logger()

LEASE_SECONDS: Final = 6
GUARD_SECONDS: Final = 0.5
"""By so much a node believes its leases shorter than they are: clocks may run a little faster or slower."""
RENEW_SECONDS: Final = 1.5
GATHER_SECONDS: Final = 0.02
"""For so long rooms gather that are given back together."""
MOST_KNOWN: Final = 100_000
ANSWER_SECONDS: Final = 3
"""After so long without an answer the database counts as out of reach."""


def clock() -> float:
    """Seconds that also pass while this process, or the machine, stands still."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class _Held(NamedTuple):
    epoch: int
    until: float
    """By `clock`."""
    since: float
    """Since when this node has it, by `clock`."""


class Whereabouts(NamedTuple):
    """Which node has a room."""

    node: str
    until: int = 0
    """Until when, by the clock of the database: it has got further if the node has renewed its lease meanwhile."""


class Leased(Stored):
    """Brings rooms back under leases, renews those, and knows from its own clock alone when they are over.

    The time of a lease is counted from before it was asked for: it ends here before it ends in the database, whatever
    the clocks say, and however long this process was frozen meanwhile.
    """

    def __init__(
        self,
        store: Store,
        journal: Journal,
        leases: Leases,
        reachable: Callable[[], bool],
        now: Callable[[], float] = clock,
        meters: Meters | None = None,
    ) -> None:
        """`reachable` says whether other nodes can reach this one: only then it takes rooms."""
        super().__init__(store, journal)
        self._meters = meters or Meters()
        self._leases = leases
        self._reachable = reachable
        self._now = now
        self.where: dict[str, Whereabouts] = {}
        """Which node had a room when it was last asked for here."""
        self.promised: set[str] = set()
        """The rooms that another node has given to this one, until they are in memory."""
        self.birthplace: Callable[[str], str] = lambda room: ""
        """Which node shall have a room that is being made; empty for this one."""
        self.born: Callable[[str, str], None] = lambda room, node: None
        """Told of a room that was made, and of the other node that has it."""
        self.away = False
        """Whether the database is out of reach."""
        self._held: dict[str, _Held] = {}
        self._released: dict[str, int] = {}
        self._letting_go = asyncio.Event()

    def holds(self, room: str) -> bool:
        """Whether the lease of a room is not over."""
        held = self._held.get(room)
        return held is not None and self._now() < held.until

    def since(self, room: str) -> float | None:
        """For how many seconds this node has had a room; None if it has not."""
        held = self._held.get(room)
        return self._now() - held.since if held else None

    def over(self) -> list[str]:
        """The rooms whose lease is over."""
        now = self._now()
        return [room for room, held in self._held.items() if held.until <= now]

    def release(self, room: str) -> None:
        """The room has left memory: any node may have it, soon."""
        self.promised.discard(room)
        if held := self._held.pop(room, None):
            if held.until <= self._now():
                self._meters.leases["lost"] += 1
                log.warning("lease_lost", room=room, epoch=held.epoch)
            self._released[room] = held.epoch
            self._letting_go.set()

    async def keep(self) -> None:
        """Renew the leases, and give back those that are not needed, until cancelled."""
        renewed = self._now()
        while True:
            self._letting_go.clear()
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    await self.give_back()
                    if self._now() - renewed >= RENEW_SECONDS:
                        renewed = self._now()
                        await self.renew()
            except (errors.Unavailable, TimeoutError):
                self._meters.renewals_failed += 1
                log.warning("leases_not_renewed", rooms=len(self._held))
            except Exception:
                self._meters.renewals_failed += 1
                self._meters.faults += 1
                log.exception("leases_not_renewed", rooms=len(self._held))
            with suppress(TimeoutError):
                async with asyncio.timeout(RENEW_SECONDS):
                    await self._letting_go.wait()
            await asyncio.sleep(GATHER_SECONDS)

    async def renew(self) -> None:
        """Renew all leases. One that could not be renewed is over at once."""
        epochs = {room: held.epoch for room, held in self._held.items()}
        if not epochs:
            return
        asked = self._now()
        kept = await self._leases.renew(epochs)
        for room, epoch in epochs.items():
            held = self._held.get(room)
            if held and held.epoch == epoch:
                until = asked + LEASE_SECONDS - GUARD_SECONDS if room in kept else asked
                self._held[room] = held._replace(until=until)

    async def hand(self, heirs: Mapping[str, str]) -> set[str]:
        """Give rooms to other nodes, by name; those that are theirs now. At once nothing of them is taken or shown here."""
        held = {room: self._held.pop(room).epoch for room in heirs if room in self._held}
        for room in held:
            self.where[room] = Whereabouts(heirs[room])
        if not held:
            return set()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                theirs = await self._leases.hand(held, heirs)
        except (errors.Unavailable, TimeoutError):
            log.warning("leases_not_handed", rooms=len(held))
            self._released |= held  # whoever asks finds out
            self._letting_go.set()
            return set()
        for room in theirs:
            self._meters.leases["given"] += 1
            log.info("lease_given", room=room, epoch=held[room], to=heirs[room])
        return theirs

    async def leave(self) -> None:
        """The process ends: whatever is this node's still, or was given to it too late, is anybody's."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._leases.leave()
        except (errors.Unavailable, TimeoutError):
            log.warning("leases_not_released")

    async def give_all_back(self) -> None:
        """Let all rooms go that have left memory, if that is possible now; else their leases run out."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self.give_back()
        except (errors.Unavailable, TimeoutError):
            log.warning("leases_not_released", rooms=len(self._released))

    async def give_back(self) -> None:
        """Let the rooms go that have left memory."""
        while self._released:
            released, self._released = self._released, {}
            try:
                await self._leases.release(released)
                for room, epoch in released.items():
                    self._meters.leases["given"] += 1
                    log.info("lease_given_back", room=room, epoch=epoch)
            except BaseException:
                self._released = released | self._released
                raise

    async def watch(self, limit: int) -> list[str]:
        """The rooms that this node shall look after though nobody asks for them: none unless it is the one that does."""
        if not self._reachable():
            return []
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                due = await self._leases.due(limit) if await self._leases.watch() else []
        except (errors.Unavailable, TimeoutError):
            self.away = True
            return []
        self.away = False
        return due

    async def wakes(self) -> list[tuple[str, int]]:
        """None: the deadlines of rooms that sleep are looked after by `watch`."""
        return []

    async def bring(self, room: str) -> Found | None:
        """A room, under a lease; None if there is none. Raises `Torn`, `Unavailable`, `Elsewhere`."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                found = await super().bring(room)
            if found and not self.holds(room):  # the process stood still meanwhile
                raise archive.Unavailable
            return found
        except errors.Elsewhere as error:
            self._know(room, Whereabouts(error.node, error.until))
            raise archive.Elsewhere(error.node) from error
        except TimeoutError as error:
            self.release(room)
            raise archive.Unavailable from error
        except BaseException:
            self.release(room)
            raise

    async def _claim(self, room: str) -> records.Stored:
        if not self._reachable():
            raise errors.Unavailable("no other node can reach this one")
        asked = self._now()
        stored = await self._leases.claim(room)
        self._hold(room, stored.epoch, asked)
        return stored

    async def _create(self, birth: bytes, line: records.Line) -> None:
        if not self._reachable():
            raise errors.Unavailable("no other node can reach this one")
        asked, node = self._now(), self.birthplace(line.room)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._leases.create(birth, line, node)
        except TimeoutError as error:
            raise errors.Unavailable("the store does not answer") from error
        if node:
            self._know(line.room, Whereabouts(node))
            self.born(line.room, node)
        else:
            self._hold(line.room, 1, asked)

    def _know(self, room: str, where: Whereabouts) -> None:
        if len(self.where) >= MOST_KNOWN:
            self.where.clear()
        self.where[room] = where

    def _hold(self, room: str, epoch: int, asked: float) -> None:
        self._released.pop(room, None)
        self.where.pop(room, None)
        self.promised.discard(room)
        self._held[room] = _Held(epoch, asked + LEASE_SECONDS - GUARD_SECONDS, asked)
        self._meters.leases["taken"] += 1
        log.info("lease_taken", room=room, epoch=epoch)
