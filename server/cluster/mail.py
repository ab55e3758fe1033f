"""Letters between nodes over NATS, which may lose them: whoever misses one, or hears nothing, is told."""

import asyncio
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
from server.cluster.words import Letter, News, Word, pack, unpack
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
"""Of words in a letter, about: NATS carries a mebibyte at most."""
SUBJECT: Final = "marchwarden.node."


class Bad(Exception):  # noqa: N818 - the address is bad
    """NATS cannot be used as it was asked for; the text says why."""


class Ears(Protocol):
    """Who listens to the other nodes. Nothing may wait or raise."""

    def said(self, node: str, word: Word) -> None:
        """A node says something."""

    def missed(self, node: str) -> None:
        """Something that a node said was lost."""

    def silent(self, node: str) -> None:
        """Nothing more is heard of a node, or it is not there at all."""


@dataclass
class _Peer:
    """Another node."""

    waiting: list[Word] = field(default_factory=list)
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
            raise Bad(f"NATS cannot be reached: {error or type(error).__name__}") from None
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
            words, size = list[Word](), 0
            while peer.waiting and size < MAX_BYTES:
                word = peer.waiting.pop(0)
                words.append(word)
                size += len(word.body) if isinstance(word, News) else 100
            peer.sent += 1
            if not self._nats.is_connected:
                self.meters.letters["not_sent"] += 1
                continue  # what comes late is of no use; the gap in the numbers tells
            letter = pack(Letter(self.node, peer.sent, words))
            try:
                reply, headers = f"{SUBJECT}{self.node}.nobody.{node}", self.headers(words)
                await self._nats.publish(SUBJECT + node, letter, reply=reply, headers=headers)
            except Exception as error:
                self.meters.letters["not_sent"] += 1
                log.warning("nats_not_sent", to=node, **explain(error))
            else:
                self.meters.letters["sent"] += 1

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
            self.hear(letter.node, word, msg.headers)

    async def _nobody(self, msg: Msg) -> None:
        """NATS itself says that a node is not there."""
        self._drop(msg.subject.rpartition(".")[2])

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
