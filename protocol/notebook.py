"""The client without `async`: for notebooks, shells and plain scripts.

with connect_sync("ws://localhost:8000/ws") as client:
    seat = client.take_seat(room, "Arya", invite=code)
    table = client.enter(room, seat.token)
    for prompt in table.prompts():
        table.answer(prompt, legal.draw(prompt, rng))

It may be used where an event loop is running already, as in Jupyter. Without `with`, `close` it at the end.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from threading import Thread
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from protocol.client import Client, connect
from protocol.errors import Disconnected
from protocol.prompts import AnyPrompt
from protocol.table import News, Table

P = ParamSpec("P")
T = TypeVar("T")
Inner = TypeVar("Inner")


class _Loop:
    """An event loop in a thread of its own; other threads wait for what they have it do."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="marchwarden-client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the work. What interrupts the waiting, such as Ctrl-C, ends the work too."""
        if self._loop.is_closed():
            work.close()
            raise Disconnected("this client was closed")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        finally:
            future.cancel()

    def close(self) -> None:
        """Ends the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class _Face(Generic[Inner]):
    """What is done by `async` methods of `inner`, from any thread."""

    def __init__(self, inner: Inner, loop: _Loop) -> None:
        self._inner = inner
        self._loop = loop


def _waiting(
    method: Callable[Concatenate[Inner, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[_Face[Inner], P], T]:
    @wraps(method)
    def call(self: _Face[Inner], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._loop.run(method(self._inner, *args, **kwargs))

    return call


def _waiting_iterator(face: _Face[Inner], source: AsyncIterator[T]) -> Iterator[T]:
    async def following() -> T:
        return await anext(source)

    while True:
        try:
            yield face._loop.run(following())
        except StopAsyncIteration:
            return


class SyncTable(_Face[Table]):
    """A room that the client has entered, kept current while you think; see `protocol.table.Table`."""

    changed = _waiting(Table.changed)
    answer = _waiting(Table.answer)
    retract = _waiting(Table.retract)
    say = _waiting(Table.say)
    vote = _waiting(Table.vote)

    @property
    def room(self) -> str:
        """The room's id."""
        return self._inner.room

    @property
    def view(self) -> dict[str, Any]:
        """The document as this viewer sees it now. It is replaced by every change; treat it as frozen."""
        return self._inner.view

    @property
    def seq(self) -> int | None:
        """The number of the last change."""
        return self._inner.seq

    @property
    def events(self) -> list[dict[str, Any]]:
        """What happened in the last change."""
        return self._inner.events

    @property
    def prompt(self) -> AnyPrompt | None:
        """What the seat is asked now, if anything."""
        return self._inner.prompt

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._inner.over

    def prompts(self) -> Iterator[AnyPrompt]:
        """Each prompt of the seat once, if it is still open when it is asked for; ends with the game."""
        return _waiting_iterator(self, self._inner.prompts())

    def updates(self) -> Iterator[News]:
        """Everything the room tells from now on, in order; ends with the game."""
        return _waiting_iterator(self, self._inner.updates())


class SyncClient(_Face[Client]):
    """A connection, made again when it is lost; see `protocol.client.Client`. Made by `connect_sync`."""

    create_room = _waiting(Client.create_room)
    list_rooms = _waiting(Client.list_rooms)
    take_seat = _waiting(Client.take_seat)
    host = _waiting(Client.host)
    leave = _waiting(Client.leave)

    def enter(self, room: str, token: str | None = None) -> SyncTable:
        """Enter a room as the seat of `token`, or watch it; returns when its document is there."""
        return SyncTable(self._loop.run(self._inner.enter(room, token)), self._loop)

    def close(self) -> None:
        """Close the connection; whoever still waits for something gets `Disconnected`."""
        try:
            self._loop.run(self._inner.close())
        finally:
            self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def connect_sync(url: str, **how: Any) -> SyncClient:
    """An open client; `how` is for `connect`. Raises `OSError` if the server cannot be reached, `RequestError` if it refuses."""
    loop = _Loop()

    async def opened() -> Client:
        return await connect(url, **how).__aenter__()

    try:
        return SyncClient(loop.run(opened()), loop)
    except BaseException:
        loop.close()
        raise
