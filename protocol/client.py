"""An asyncio client for bots and tests: it reconnects, catches up, and keeps a copy of what it may see.

async with connect("ws://localhost:8000/ws") as client:
    seat = await client.take_seat(room, "Arya", invite=code)
    table = await client.enter(room, seat.token)
    async for prompt in table.prompts():
        await table.answer(prompt, legal.draw(prompt, rng))
"""

import asyncio
import inspect
import logging
from asyncio import sleep
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias, TypeVar

from msgspec import UNSET, UnsetType

from protocol.answers import AnyAnswer
from protocol.errors import Disconnected, RequestError
from protocol.link import Session, backoff, sessions
from protocol.messages import (
    AnswerPrompt,
    AnyServerMessage,
    BotKind,
    ClockOptions,
    CreateRoom,
    Error,
    Host,
    Leave,
    ListRooms,
    Ok,
    Presence,
    Private,
    Replay,
    Replayed,
    Retract,
    RoomCreated,
    RoomFilter,
    RoomList,
    RoomOptions,
    Said,
    Say,
    Seated,
    Snapshot,
    TakeSeat,
    Update,
    Vote,
)
from protocol.prompts import AnyPrompt
from protocol.table import Table, new_id
from protocol.wire import Format, WireError

Request: TypeAlias = CreateRoom | ListRooms | Replay | TakeSeat | AnswerPrompt | Retract | Say | Vote | Host | Leave
Reply: TypeAlias = Ok | RoomCreated | RoomList | Replayed | Seated
R = TypeVar("R", Ok, RoomCreated, RoomList, Replayed, Seated)
T = TypeVar("T")

CLOSED_MEANWHILE = ("stale_prompt", "not_your_prompt", "room_over")

_log = logging.getLogger("marchwarden.client")


def connect(
    url: str,
    *,
    format: Format = "msgpack",
    reconnect: bool = True,
    name: str = "marchwarden-python",
    delay: Callable[[int], float] = backoff,
    patience: float = 15.0,
    **options: Any,
) -> "Client":
    """A client, to be opened with `async with`; `options` (such as `ssl` or `proxy`) are those of `websockets`.

    With `reconnect` a lost connection is made again, for ever, each time after `delay(attempt)` seconds. The first one
    must succeed: opening raises `OSError` if the server cannot be reached, `RequestError` if it refuses the session.

    What the server refuses as `unavailable` is asked again for `patience` seconds, under the same id, before that is raised.
    """
    return Client(url, format, name, delay if reconnect else None, options, patience)


Choose: TypeAlias = Callable[[AnyPrompt, dict[str, Any]], AnyAnswer | Awaitable[AnyAnswer]]
"""From a prompt and the view of its seat to an answer."""


async def play(
    url: str,
    room: str,
    token: str,
    choose: Choose,
    **how: Any,
) -> dict[str, Any]:
    """Play a seat to the end: `choose(prompt, view)` gives each answer. Returns the last view; `how` is for `connect`.

    Each prompt is answered once, however often the connection is lost; an answer whose prompt was closed while `choose` thought
    is dropped. A `choose` that is not `async` runs in a thread, so that pings are answered however long it thinks.
    Raises `RequestError` if an answer is refused, unless its prompt was closed meanwhile.
    """
    async with connect(url, **how) as client:
        table = await client.enter(room, token)
        async for prompt in table.prompts():
            answer = await _chosen(choose, prompt, table.view)
            if table.prompt is None or table.prompt.id != prompt.id:
                continue
            try:
                await table.answer(prompt, answer)
            except RequestError as error:
                if error.code not in CLOSED_MEANWHILE:
                    raise
        return table.view


async def _chosen(choose: Choose, prompt: AnyPrompt, view: dict[str, Any]) -> AnyAnswer:
    if inspect.iscoroutinefunction(choose):
        answer: AnyAnswer | Awaitable[AnyAnswer] = choose(prompt, view)
    else:
        answer = await asyncio.to_thread(choose, prompt, view)
    return await answer if inspect.isawaitable(answer) else answer


class Client:
    """A connection, made again when it is lost, that may hold many rooms: one viewer in each.

    Every request raises `RequestError` if the server refuses it and `Disconnected` if the connection is gone for good.
    """

    def __init__(
        self,
        url: str,
        format: Format,
        name: str,
        delay: Callable[[int], float] | None,
        options: dict[str, Any],
        patience: float = 15.0,
    ) -> None:
        self._sessions = sessions(url, format, name, delay, options)
        self._comes_back = delay is not None
        self._patience = patience
        self._waits: dict[str, float] = {}  # how long was waited for what was unavailable, by request, or room to enter
        self._session: Session | None = None
        self._settled = asyncio.Event()  # set while there is a session, and for good when there will be none
        self._error: Exception | None = None
        self._sent: dict[str, tuple[Request, asyncio.Future[Reply]]] = {}  # requests without a reply
        self._entering: dict[str, Table] = {}
        self._tables: dict[str, Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._spawn(self._run())
        try:
            await self._ready()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection; whoever still waits for something gets `Disconnected`."""
        if tasks := list(self._tasks):
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
        self._end(Disconnected("this client was closed"))

    async def create_room(
        self,
        players: int,
        *,
        tides: bool = False,
        private: bool = False,
        autostart: bool = True,
        clock: ClockOptions | None = None,
        bots: int = 0,
        bot_kind: BotKind = "steward",
    ) -> RoomCreated:
        """Make a room; the reply holds the host's token and an invite for each house that no bot plays."""
        options = RoomOptions(tides, private, autostart, _maybe(clock), bots, bot_kind)
        return await self._ask(CreateRoom(new_id(), players, options), RoomCreated)

    async def list_rooms(self, phase: Literal["lobby", "playing", "over"] | None = None, page: int = 0) -> RoomList:
        """A page of the public rooms."""
        return await self._ask(ListRooms(new_id(), RoomFilter(_maybe(phase), page)), RoomList)

    async def replay(
        self, room: str, viewer: str | None = None, after: int | None = None, count: int = 200
    ) -> Replayed:
        """A page of a game that is over, as a house saw it, as "all" seats together or as a spectator (None)."""
        return await self._ask(Replay(new_id(), room, _maybe(viewer), _maybe(after), count), Replayed)

    async def take_seat(self, room: str, name: str, *, invite: str | None = None, house: str | None = None) -> Seated:
        """Take a seat by its invite, or in a public room by its house; keep the token of the reply."""
        return await self._ask(TakeSeat(new_id(), room, name, _maybe(invite), _maybe(house)), Seated)

    async def host(
        self,
        room: str,
        token: str,
        action: Literal["start", "bots", "pause", "resume", "extend", "kick", "close"],
        house: str | None = None,
        minutes: int | None = None,
        kind: BotKind | None = None,
    ) -> Ok:
        """What only the holder of the host's token may do."""
        return await self._ask(Host(new_id(), room, token, action, _maybe(house), _maybe(minutes), _maybe(kind)), Ok)

    async def enter(self, room: str, token: str | None = None) -> Table:
        """Enter a room as the seat of `token`, or watch it; returns when its document is there."""
        if room in self._tables:
            raise ValueError(f"this client is in room {room} already; for another seat there open another client")
        session = await self._ready()
        table = self._tables[room] = Table(room, token, self._ask_ok)
        try:
            await self._enter(table, session)
            while table.seq is None:
                await table.changed()
        except BaseException:
            self._tables.pop(room, None)
            raise
        return table

    async def leave(self, room: str) -> Ok:
        """Stop receiving a room; its table ends with `Disconnected`."""
        reply = await self._ask(Leave(new_id(), room), Ok)
        if table := self._tables.pop(room, None):
            table.end(Disconnected(f"left room {room}"))
        return reply

    async def _ask_ok(self, request: AnswerPrompt | Retract | Say | Vote) -> Ok:
        return await self._ask(request, Ok)

    async def _ask(self, request: Request, kind: type[R]) -> R:
        session = await self._ready()
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._sent[request.id] = request, future
        try:
            await session.send(request)
            reply = await future
        finally:
            del self._sent[request.id]
            self._waits.pop(request.id, None)
        if not isinstance(reply, kind):
            raise WireError("bad_message", f"The reply to {type(request).__name__} is {type(reply).__name__}.")
        return reply

    async def _ready(self) -> Session:
        while self._session is None:
            if self._error:
                raise self._error
            await self._settled.wait()
        return self._session

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self) -> None:
        """The one task that connects and reads."""
        try:
            async with aclosing(self._sessions) as each:
                async for session in each:
                    await self._resume(session)
                    self._session = session
                    self._settled.set()
                    async for message in session.messages():
                        await self._receive(message, session)
                    self._session = None
                    self._settled.clear()
        except Exception as error:
            self._session = None
            self._end(error)

    async def _resume(self, session: Session) -> None:
        """Enter every room again where it was left, then ask again, with the same ids, what was not answered."""
        self._entering.clear()
        for table in list(self._tables.values()):
            await self._enter(table, session)
        for request, _ in list(self._sent.values()):
            await session.send(request)

    async def _enter(self, table: Table, session: Session) -> None:
        request = table.entry()
        self._entering[request.id] = table
        await session.send(request)

    async def _receive(self, message: AnyServerMessage, session: Session) -> None:
        match message:
            case Snapshot() | Update() | Private() | Presence() | Said():
                table = self._tables.get(message.room)
                if table and not table.feed(message) and table not in self._entering.values():
                    await self._enter(table, session)
            case Ok() | RoomCreated() | RoomList() | Replayed() | Seated():
                if table := self._entering.pop(message.id, None):
                    self._waits.pop(table.room, None)
                self._settle(message.id, message)
            case Error(code="server_draining") if self._comes_back:
                pass  # the server closes soon; then this is asked again on the next connection
            case Error(code="rate_limited", id=str(id)):
                self._spawn(self._ask_later(id, session, 1 + backoff(0)))
            case Error(code="unavailable", id=str(id)) if pause := self._patient(id):
                self._spawn(self._ask_later(id, session, pause))
            case Error(id=str(id)):
                if table := self._entering.pop(id, None):
                    self._tables.pop(table.room, None)
                    table.end(RequestError(message))
                self._settle(id, RequestError(message))
            case Error():
                _log.warning("the server says %s: %s", message.code, message.message)

    def _patient(self, id: str) -> float:
        """How long to wait before something that is unavailable is asked again: at first a moment; 0 to give it up."""
        what = self._entering[id].room if id in self._entering else id
        waited = self._waits.get(what, 0.0)
        if waited >= self._patience:
            self._waits.pop(what, None)
            return 0.0
        pause = min(0.2 + waited / 2 + backoff(0), self._patience - waited)
        self._waits[what] = waited + pause
        return pause

    async def _ask_later(self, id: str, session: Session, pause: float) -> None:
        """Once more what could not be done now; on a later connection it has been asked again already."""
        await sleep(pause)
        if table := self._entering.pop(id, None):
            await self._enter(table, session)
        elif id in self._sent:
            await session.send(self._sent[id][0])

    def _settle(self, id: str, reply: Reply | RequestError) -> None:
        if id not in self._sent or (future := self._sent[id][1]).done():
            return
        if isinstance(reply, RequestError):
            future.set_exception(reply)
        else:
            future.set_result(reply)

    def _end(self, error: Exception) -> None:
        if self._error:
            return
        self._error = error
        self._settled.set()
        for _, future in self._sent.values():
            if not future.done():
                future.set_exception(error)
        for table in self._tables.values():
            table.end(error)


def _maybe(value: T | None) -> T | UnsetType:
    return UNSET if value is None else value
