"""One connection without its socket: frames go in, replies and letters pile up in its outbox."""

from collections.abc import Callable
from importlib.metadata import version
from typing import Final

import structlog
from msgspec import UNSET

from protocol.explain import clip
from protocol.messages import VERSION, CreateRoom, Error, GoingAway, Hello, Limits, Welcome
from protocol.wire import MAX_CLIENT_FRAME, Format, Frame, WireError, decode_client, encode
from server.bucket import Bucket
from server.config import Config
from server.gateway.door import Door
from server.gateway.front import Front
from server.gateway.outbox import Outbox
from server.rooms.desk import MAX_ENTERED

log = structlog.get_logger()

MAX_ID: Final = 36
CALM: Final = 20
"""Who has asked more than this, over what its pace gives back, is busy."""
SERVER: Final = f"marchwarden {version('marchwarden')}"


class Session:
    """What a connection may do and when: first `hello`, then anything, at a bounded pace.

    It is a `Listener` of the rooms. Once its outbox is closing, whatever still comes in is ignored.
    """

    def __init__(
        self,
        desk: Front,
        outbox: Outbox,
        format: Format,
        config: Config,
        door: Door,
        address: str,
        *,
        clock: Callable[[], float],
        now: Callable[[], float],
    ) -> None:
        """`address` is where it comes from; `clock` never runs backwards, `now` is the time since 1970; both in seconds."""
        self.format = format
        self.outbox = outbox
        outbox.guard = desk.guard(self)
        self.opened = False
        self._desk = desk
        self._config = config
        self._door = door
        self._address = address
        self._now = now
        self._pace = Bucket(config.rate, config.burst, clock)
        # Patience with those who go on too fast or make no sense: as much again, and some mistakes.
        self._floods = Bucket(1, config.burst, clock)
        self._blunders = Bucket(0.1, 20, clock)

    # ---- as the rooms see it

    def reply(self, frame: Frame) -> None:
        """Take the answer to something this connection asked, or talk: it is never dropped."""
        self.outbox.reply(frame)

    def post(self, room: str, frame: Frame, fresh: bool) -> None:
        """Take news of a room."""
        self.outbox.post(room, frame, fresh)

    # ---- as the socket sees it

    @property
    def busy(self) -> bool:
        """Whether it asks so much that others, who ask little, should be served between."""
        return self._pace.spent > CALM

    def receive(self, frame: Frame) -> None:
        """Take one frame of the client. Whatever is wrong with it ends in an error for this client alone."""
        if self.outbox.closing is not None:
            return
        if not self._pace.take() or not self._door.may_send(self._address):
            self._too_fast(frame)
            return
        try:
            message = decode_client(frame, self.format)
        except WireError as error:
            self._malformed(frame, error)
            return
        if isinstance(message, Hello):
            self._hello(message)
        elif not self.opened:
            self._refuse("forbidden", "Send `hello` first.", message.id)
            self.outbox.close(1008, "hello must come first")
        elif isinstance(message, CreateRoom) and not self._door.may_make_room(self._address):
            why = "Your address has made as many rooms as it may for now."
            self._refuse("too_many_rooms", why, message.id, hint="Play in one of them, or wait some minutes.")
        else:
            self._desk.handle(self, message)

    def refresh(self, room: str) -> None:
        """Have a snapshot sent of a room that lost letters."""
        if not self._desk.refresh(self, room):
            self.outbox.forget(room)

    def hello_is_due(self) -> None:
        """Time is up for a client that has not said hello."""
        if not self.opened:
            self.outbox.close(1008, f"no hello in {self._config.hello_timeout:g} seconds")

    def going_away(self, retry_after: int) -> None:
        """Tell the client that the server stops, and close."""
        self._send(GoingAway(retry_after))
        self.outbox.close(1012, "the server restarts")

    def lost(self) -> None:
        """The socket is closed."""
        self._desk.gone(self)
        self.outbox.guard = None  # it knows this session, and nothing is written any more

    def _hello(self, hello: Hello) -> None:
        if hello.protocol != VERSION:
            self._refuse("unsupported_protocol", f"This server speaks protocol {VERSION}.", path="protocol")
            self.outbox.close(1002, "unsupported protocol")
        elif self.opened:
            self._refuse("bad_message", "The session is open already.", path="type")
        else:
            self.opened = True
            self._send(Welcome(VERSION, SERVER, int(self._now() * 1000), _limits(self._config)))
            log.info("session_opened", client=clip(hello.client), format=self.format)

    def _malformed(self, frame: Frame, error: WireError) -> None:
        self._send(error.to_message())
        self._desk.hall.meters.refusals["unread", error.code] += 1
        log.debug("malformed", code=error.code)
        if isinstance(frame, str) != (self.format == "json"):
            self.outbox.close(1003, f"wrong kind of frame for marchwarden.v1.{self.format}")
        elif error.code == "too_large":
            self.outbox.close(1009, "frame too large")
        elif not self.opened:
            self.outbox.close(1008, "hello must come first")
        elif not self._blunders.take():
            self.outbox.close(1008, "too many malformed frames")

    def _too_fast(self, frame: Frame) -> None:
        try:
            message = decode_client(frame, self.format)
            request = None if isinstance(message, Hello) else message.id
        except WireError as error:
            request = error.id
        self._refuse(
            "rate_limited", "Too many messages; this one was not looked at.", request, hint="Send it again later."
        )
        if not self._floods.take():
            self.outbox.close(1008, "too many messages")

    def _refuse(self, code: str, message: str, request: str | None = None, path: str = "", hint: str = "") -> None:
        self._desk.hall.meters.refusals["unread", code] += 1
        self._send(Error(code, message, id=request or UNSET, path=path or UNSET, hint=hint or UNSET))

    def _send(self, message: Error | Welcome | GoingAway) -> None:
        self.outbox.reply(encode(message, self.format))


def _limits(config: Config) -> Limits:
    """What a client is told of the settings; fractions are rounded down, as there are none on the wire."""
    return Limits(
        frame_bytes=MAX_CLIENT_FRAME,
        id_length=MAX_ID,
        hello_seconds=int(config.hello_timeout),
        messages_per_minute=int(config.rate * 60),
        messages_at_once=int(config.burst),
        seat_messages_per_minute=int(config.seat_rate * 60),
        seat_messages_at_once=int(config.seat_burst),
        rooms_entered=MAX_ENTERED,
        rooms_per_hour=int(config.address_rooms),
    )
