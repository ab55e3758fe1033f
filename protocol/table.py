"""A room that a client has entered: its document, its prompts, and what a seat can do there."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Literal, TypeAlias

from msgspec import UNSET

from protocol.answers import AnyAnswer
from protocol.messages import AnswerPrompt, Enter, Ok, Retract, Said, Say, Update, Vote
from protocol.prompts import AnyPrompt
from protocol.replica import Change, Replica

News: TypeAlias = Change | Said
"""What a room tells: changes of the document, and press."""


def new_id() -> str:
    """An id for a request: random, so that it is unique however many clients play a seat."""
    return secrets.token_urlsafe(12)


class Table:
    """One room as one viewer sees it, kept current while the client is connected. Made by `Client.enter`."""

    def __init__(
        self, room: str, token: str | None, send: Callable[[AnswerPrompt | Retract | Say | Vote], Awaitable[Ok]]
    ) -> None:
        self.room = room
        self.events: list[dict[str, Any]] = []
        """What happened in the last change."""
        self._token = token
        self._send = send
        self._replica = Replica()
        self._changed = asyncio.Event()
        self._readers: list[asyncio.Queue[News | Exception]] = []
        self._error: Exception | None = None
        self._heard: int | None = None

    @property
    def view(self) -> dict[str, Any]:
        """The document as this viewer sees it. It is replaced by every change; treat it as frozen."""
        return self._replica.view

    @property
    def seq(self) -> int | None:
        """The number of the last change; None before the first snapshot."""
        return self._replica.seq

    @property
    def prompt(self) -> AnyPrompt | None:
        """What the seat is asked now, if anything."""
        return self._replica.prompt

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._replica.over

    async def changed(self) -> None:
        """Wait for the next change; raises what ended the table (`Disconnected`, `RequestError`)."""
        if not self._error:
            await self._changed.wait()
        if self._error:
            raise self._error

    async def prompts(self) -> AsyncIterator[AnyPrompt]:
        """Each prompt of the seat once, if it is still open when it is asked for; ends with the game."""
        last = None
        while not self.over:
            prompt = self.prompt
            if prompt and prompt.id != last:
                last = prompt.id
                yield prompt
            else:
                await self.changed()

    def updates(self) -> AsyncIterator[News]:
        """Everything the room tells from now on, in order; ends with the game."""
        queue: asyncio.Queue[News | Exception] = asyncio.Queue()
        self._readers.append(queue)
        return self._drain(queue)

    async def _drain(self, queue: asyncio.Queue[News | Exception]) -> AsyncIterator[News]:
        try:
            while not (self.over and queue.empty()):
                news = await queue.get()
                if isinstance(news, Exception):
                    raise news
                yield news
        finally:
            self._readers.remove(queue)

    async def answer(self, prompt: AnyPrompt, answer: AnyAnswer) -> Ok:
        """Answer a prompt; returns when it has taken effect. Raises `RequestError`, and then the prompt stays open."""
        return await self._send(AnswerPrompt(new_id(), self.room, prompt.id, answer))

    async def retract(self, prompt: AnyPrompt) -> Ok:
        """Take back the answer to a secret prompt, until it is revealed; raises `RequestError` (`too_late`)."""
        return await self._send(Retract(new_id(), self.room, prompt.id))

    async def say(self, text: str, to: Literal["all"] | list[str] = "all") -> Ok:
        """Press: to all, or to some houses; raises `RequestError`."""
        return await self._send(Say(new_id(), self.room, to, text))

    async def vote(self, on: Literal["undo", "pause", "resume", "extend"], yes: bool = True) -> Ok:
        """Be for something, or no longer; it happens when all seats are. Raises `RequestError`."""
        return await self._send(Vote(new_id(), self.room, on, yes))

    def entry(self) -> Enter:
        """The request that brings this table up to date."""
        since = UNSET if self.seq is None else self.seq
        heard = UNSET if self._heard is None else self._heard
        return Enter(new_id(), self.room, self._token or UNSET, since, heard)

    def feed(self, news: News) -> bool:
        """Follow a message of the room; False if one before it is missing."""
        if not isinstance(news, Said):
            found = self._replica.feed(news)
            if found != "new":
                return found == "old"
            self.events = news.events if isinstance(news, Update) else []
        else:
            self._heard = news.at
        self._tell(news)
        return True

    def end(self, error: Exception) -> None:
        """No more news will come; whoever waits gets `error`."""
        self._error = error
        self._tell(error)

    def _tell(self, news: News | Exception) -> None:
        for queue in self._readers:
            queue.put_nowait(news)
        self._changed.set()
        self._changed = asyncio.Event()
