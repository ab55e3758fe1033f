"""Letters between nodes over NATS, which may lose them: whoever misses one, or hears nothing, is told."""

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import randbits
from typing import Any, Final, Protocol, Self

import msgspec
import nats
import structlog
from nats.aio.client import Client as Nats
from nats.aio.msg import Msg

from server.cluster.leased import clock
from server.cluster.words import (
    VERSION,
    Move,
    Moved,
    Newer,
    News,
    Packed,
    Status,
    TooNew,
    Word,
    pack,
    pack_word,
    unpack,
    unpack_move,
    unpack_status,
)
from server.eyes.meters import Meters
from server.log import explain
from server.rooms.hall import Spawn

log = structlog.get_logger()

CONNECT_SECONDS: Final = 5.0
BEAT_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 3.0
"""Who has not been heard for so long may be dead."""
AWAY_SECONDS: Final = 3.0
"""A node without NATS for so long counts as out of reach."""
MAX_BYTES: Final = 256 * 1024
"""Of words in a letter, unless a single one is longer: NATS carries a mebibyte at most."""
SUBJECT: Final = "marchwarden.node."
STATUS: Final = "marchwarden.status"
WHO: Final = "marchwarden.who"
"""Whoever asks here how the nodes are is told at once."""
MOVE: Final = ".move"


class Bad(Exception):  # noqa: N818 - the address is bad
    """NATS cannot be used as it was asked for; the text says why."""


class Ears(Protocol):
    """Who listens to the other nodes. Nothing may wait or raise."""

    def said(self, node: str, word: Word) -> None:
        """A node says something."""

    def missed(self, node: str) -> None:
        """Something that a node said was lost."""

    def silent(self, node: str) -> None:
        """Nothing more is heard of a node, or it is not there at all, or does not understand us."""

    def heard(self, status: Status) -> None:
        """A node tells how it is."""

    def status(self) -> Status:
        """How this node is."""

    async def move(self, order: Move) -> Moved:
        """An operator has a room moved. This alone may wait."""


@dataclass
class _Peer:
    """Another node."""

    waiting: deque[Word] = field(default_factory=deque)
    sent: int = field(default_factory=lambda: randbits(48))
    """The number of the last letter to it; the first is any, so that nobody takes it for one of before."""
    heard: int | None = None
    """The number of the last letter of it."""
    last: float = 0.0
    """When that came."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    gone: bool = False


class Mail:
    """The letters of one node. `async with` connects, and closes at the end.

    What is said to a node in one turn of the event loop goes out as one letter, in order.
    """

    def __init__(self, url: str, node: str, spawn: Spawn, meters: Meters | None = None) -> None:
        """What is sent and what is missed is counted in `meters`."""
        self.node = node
        self.meters = meters or Meters()
        self.ears: Ears
        self._url = url
        self._spawn = spawn
        self._peers: dict[str, _Peer] = {}
        self._too_new: set[str] = set()
        self._nats = Nats()
        self._away_since: float | None = None
        self._closing = False

    async def __aenter__(self) -> Self:
        """Connect. Raises `Bad`."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._connect()
        except (OSError, ValueError, nats.errors.Error, TimeoutError) as error:
            await self._nats.close()
            raise Bad(f"NATS cannot be reached: {str(error) or type(error).__name__}") from None
        self._spawn(self._beat())
        return self

    async def _connect(self) -> None:
        await self._nats.connect(
            self._url.split(","),
            name=self.node,
            allow_reconnect=True,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.25,  # type: ignore[arg-type]  # it only sleeps so long
            connect_timeout=2,
            ping_interval=1,
            max_outstanding_pings=2,
            error_cb=self._fault,
            disconnected_cb=self._disconnected,
            reconnected_cb=self._reconnected,
        )
        await self._nats.subscribe(SUBJECT + self.node, cb=self._open)
        await self._nats.subscribe(SUBJECT + self.node + ".nobody.*", cb=self._nobody)
        await self._nats.subscribe(SUBJECT + self.node + MOVE, cb=self._ordered)
        await self._nats.subscribe(STATUS, cb=self._heard)
        await self._nats.subscribe(WHO, cb=self._asked)
        await self._nats.flush()

    async def __aexit__(self, *exc: object) -> None:
        self._closing = True
        await self._nats.close()

    def away(self) -> float:
        """For how many seconds there has been no connection to NATS; 0 if there is one."""
        if self._nats.is_connected:
            return 0.0
        self._away_since = self._away_since or clock()
        return clock() - self._away_since

    def reachable(self) -> bool:
        """Whether other nodes can reach this one, or could a moment ago."""
        return self.away() <= AWAY_SECONDS

    def say(self, node: str, word: Word) -> None:
        """Tell a node something. It may be lost."""
        peer = self._peers.get(node)
        if peer is None:
            peer = self._peers[node] = _Peer(last=clock())
            self._spawn(self._send(node, peer))
        last = peer.waiting[-1] if peer.waiting else None
        if isinstance(word, News) and isinstance(last, News) and last.same(word):
            last.places.extend(word.places)
        else:
            peer.waiting.append(word)
        peer.wake.set()

    def headers(self, words: Sequence[Word]) -> dict[str, str] | None:
        """What a letter says besides its words: nothing, unless traces are on."""
        return None

    def hear(self, node: str, word: Word, headers: Mapping[str, str] | None) -> None:
        """A node says something, in a letter with these headers."""
        self._tell(self.ears.said, node, word)

    async def announce(self) -> None:
        """Tell all nodes how this one is. It may be lost."""
        await self._publish(STATUS, pack(self.ears.status()))

    async def ask_all(self) -> None:
        """Have all nodes tell how they are, now."""
        await self._publish(WHO, b"", reply=STATUS)

    async def flush(self) -> None:
        """Return when all that was said is on its way."""
        for node, peer in list(self._peers.items()):
            await self._post(node, peer)
        try:
            await self._nats.flush(timeout=1)
        except (nats.errors.Error, OSError, TimeoutError):
            log.warning("nats_not_flushed")

    # ---- sending

    async def _send(self, node: str, peer: _Peer) -> None:
        while not peer.gone:
            await peer.wake.wait()
            peer.wake.clear()
            await self._post(node, peer)

    async def _post(self, node: str, peer: _Peer, *, beat: bool = False) -> None:
        while peer.waiting or beat:
            beat = False
            words, taken, size, sent = list[msgspec.Raw](), list[Word](), 0, False
            while peer.waiting and size < MAX_BYTES:
                word = pack_word(peer.waiting[0])
                size += len(memoryview(word))
                if words and size > MAX_BYTES:
                    break
                words.append(word)
                taken.append(peer.waiting.popleft())
            peer.sent += 1
            if self._nats.is_connected:  # what comes late is of no use; the gap in the numbers tells
                letter = pack(Packed(VERSION, self.node, peer.sent, words))
                reply = f"{SUBJECT}{self.node}.nobody.{node}"
                sent = await self._publish(SUBJECT + node, letter, reply, self.headers(taken))
            self.meters.letters["sent" if sent else "not_sent"] += 1

    async def _publish(self, subject: str, data: bytes, reply: str = "", headers: dict[str, str] | None = None) -> bool:
        """Whether it is on its way."""
        if not self._nats.is_connected:
            return False
        try:
            await self._nats.publish(subject, data, reply=reply, headers=headers)
        except Exception as error:
            log.warning("nats_not_sent", to=subject.removeprefix(SUBJECT), **explain(error))
            return False
        return True

    async def _beat(self) -> None:
        """Give a sign of life to every node that something was said to, and see who gives none any more."""
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            now = clock()
            for node, peer in list(self._peers.items()):
                await self._post(node, peer, beat=True)
                if now - peer.last > SILENT_SECONDS:
                    self._drop(node)

    def _drop(self, node: str) -> None:
        if peer := self._peers.pop(node, None):
            self.meters.silent += 1
            log.warning("node_silent", silent=node)
            peer.gone = True
            peer.wake.set()
            self._tell(self.ears.silent, node)

    # ---- hearing

    async def _open(self, msg: Msg) -> None:
        try:
            letter = unpack(msg.data)
        except Newer as error:
            if error.node not in self._too_new:
                self._too_new.add(error.node)
                log.error("letter_too_new", why=str(error))
            self.say(error.node, TooNew(VERSION))
            return
        except msgspec.MsgspecError as error:
            log.error("letter_not_read", **explain(error))
            return
        peer = self._peers.get(letter.node)
        if peer is None:
            if not letter.words:
                return  # a sign of life of somebody who is nothing to us
            peer = self._peers[letter.node] = _Peer(heard=letter.number - 1)
            self._spawn(self._send(letter.node, peer))
        missed = peer.heard is not None and letter.number != peer.heard + 1
        peer.heard, peer.last = letter.number, clock()
        if missed:
            self.meters.letters["missed"] += 1
            log.info("letters_missed", of=letter.node)
            self._tell(self.ears.missed, letter.node)
        for word in letter.words:
            if isinstance(word, TooNew):
                log.error("letter_refused", by=letter.node, reads=word.version)
                self._drop(letter.node)
            else:
                self.hear(letter.node, word, msg.headers)

    async def _nobody(self, msg: Msg) -> None:
        """NATS itself says that a node is not there."""
        self._drop(msg.subject.rpartition(".")[2])

    async def _heard(self, msg: Msg) -> None:
        try:
            status = unpack_status(msg.data)
        except msgspec.MsgspecError as error:
            log.error("status_not_read", **explain(error))
            return
        if status.node != self.node:
            self._tell(self.ears.heard, status)

    async def _asked(self, msg: Msg) -> None:
        await self._publish(msg.reply, pack(self.ears.status()))

    async def _ordered(self, msg: Msg) -> None:
        try:
            order = unpack_move(msg.data)
        except msgspec.MsgspecError:
            await self._publish(
                msg.reply, pack(Moved("the node does not understand this command: it is of another version"))
            )
            return
        self._spawn(self._carry_out(order, msg.reply))  # what comes next must not wait

    async def _carry_out(self, order: Move, reply: str) -> None:
        await self._publish(reply, pack(await self.ears.move(order)))

    def _tell(self, what: Callable[..., None], *about: Any) -> None:
        try:
            what(*about)
        except Exception as fault:
            self.meters.faults += 1
            log.error("fault", **explain(fault))

    # ---- the connection

    async def _fault(self, error: Exception) -> None:
        log.debug("nats", why=type(error).__name__)

    async def _disconnected(self) -> None:
        self._away_since = self._away_since or clock()
        if not self._closing:
            log.warning("nats_away")

    async def _reconnected(self) -> None:
        self._away_since = None
        log.info("nats_back")
