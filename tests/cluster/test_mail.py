"""Letters: those of a newer version are refused and not misread, long ones are cut, and who cannot be understood is given up."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import nats
import pytest

from protocol.answers import PlaceOrders
from protocol.client import connect
from protocol.errors import RequestError
from protocol.messages import AnswerPrompt
from server.cluster import asks
from server.cluster.mail import STATUS, SUBJECT, Mail
from server.cluster.words import VERSION, Ask, Gone, Letter, Move, Moved, Newer, Status, TooNew, Word, pack, unpack
from server.config import Config
from server.gateway.node import Tasks, open_node
from server.gateway.server import Gateway
from tests.cluster.process import NatsServer


class Ears:
    """Hears whatever comes."""

    def __init__(self, node: str) -> None:
        self.node = node
        self.words: list[tuple[str, Word]] = []
        self.lost: list[str] = []
        self.gone: list[str] = []
        self.statuses: list[Status] = []

    def said(self, node: str, word: Word) -> None:
        self.words.append((node, word))

    def missed(self, node: str) -> None:
        self.lost.append(node)

    def silent(self, node: str) -> None:
        self.gone.append(node)

    def heard(self, status: Status) -> None:
        self.statuses.append(status)

    def status(self) -> Status:
        return Status(VERSION, self.node, True, 1, 0.0, 0.0, 0.0)

    async def move(self, order: Move) -> Moved:
        return Moved("not here")


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - a server makes it so
            await asyncio.sleep(0.01)


def a_mail(stack: Tasks, server: NatsServer, node: str) -> tuple[Mail, Ears]:
    mail, ears = Mail(server.url, node, stack.spawn), Ears(node)
    mail.ears = ears
    return mail, ears


async def test_a_letter_of_a_newer_version_is_refused_by_its_name(nats_server: NatsServer) -> None:
    tasks, answers = Tasks(), list[Letter]()
    mail, ears = a_mail(tasks, nats_server, "old")
    client = await nats.connect(nats_server.url)

    async def hear(msg) -> None:
        answers.append(unpack(msg.data))

    async with mail:
        await client.subscribe(SUBJECT + "new", cb=hear)
        words = [["a word of later", {"of": "another shape"}], ["gone", [1]]]
        await client.publish(SUBJECT + "old", msgspec.msgpack.encode([VERSION + 1, "new", 7, words, "more"]))
        await until(lambda: answers)
        assert answers[0].words == [TooNew(VERSION)]
        # A status of later has more behind what is known; it is understood as far as that goes.
        await client.publish(STATUS, msgspec.msgpack.encode([VERSION + 1, "new", True, 3, 0.5, 0.1, 0.0, "more"]))
        await until(lambda: ears.statuses)
        assert (ears.statuses[0].version, ears.statuses[0].rooms) == (VERSION + 1, 3)
        assert not ears.words and not ears.lost
        # And who is told so gives the other one up at once, and does not wait for replies.
        await client.publish(SUBJECT + "old", pack(Letter(VERSION, "other", 1, [TooNew(VERSION - 1)])))
        await until(lambda: ears.gone)
        assert ears.gone == ["other"] and not ears.words
        await tasks.stop()
    await client.close()


def test_a_newer_letter_is_known_by_its_first_field() -> None:
    for words in ([["gone", [1]]], [["unheard of"]], "nothing like words"):
        with pytest.raises(Newer) as caught:
            unpack(msgspec.msgpack.encode([VERSION + 1, "new", 7, words]))
        assert (caught.value.node, caught.value.version) == ("new", VERSION + 1)
    with pytest.raises(msgspec.MsgspecError):
        unpack(msgspec.msgpack.encode([VERSION, "new", 7, [["unheard of"]]]))


async def test_long_words_that_are_said_together_all_arrive(nats_server: NatsServer) -> None:
    tasks = Tasks()
    (one, _), (two, ears) = (a_mail(tasks, nats_server, name) for name in ("one", "two"))
    async with one, two:
        orders = {f"{n:040}": "m" * 40 for n in range(60)}
        words = [Ask(n, n, "json", True, AnswerPrompt(str(n), "r", 1, PlaceOrders(orders))) for n in range(400)]
        for word in words:  # more than NATS carries in one message
            one.say("two", word)
        one.say("two", Gone([1]))
        await until(lambda: len(ears.words) > len(words))
        assert [word for _, word in ears.words] == [*words, Gone([1])]
        assert not ears.lost
        await tasks.stop()


async def test_a_node_that_has_a_room_and_never_answers_is_given_up_while_it_is_alive(
    postgres_url: str, nats_server: NatsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, tasks = Mail._open, Tasks()

    async def deaf(self: Mail, msg) -> None:
        if not self.node.startswith("n0"):
            await read(self, msg)

    monkeypatch.setattr(asks, "ACK_SECONDS", 0.1)
    monkeypatch.setattr(Mail, "_open", deaf)
    here, there = (
        Config(port=0, data=tmp_path, store=postgres_url, nats=nats_server.url, node=name) for name in ("n0", "n1")
    )
    async with (
        asyncio.timeout(20),
        open_node(here, tasks) as (desk, _, _),
        Gateway(here, desk) as gateway,
        open_node(there, tasks) as (other, _, _),
        Gateway(there, other) as far,
        connect(f"ws://127.0.0.1:{gateway.port}/ws") as maker,
        connect(f"ws://127.0.0.1:{far.port}/ws", patience=0) as client,
    ):
        made = await maker.create_room(3)
        with pytest.raises(RequestError) as caught:
            await client.enter(made.room)
        assert caught.value.code == "unavailable" and "cannot be reached" in caught.value.message
        await tasks.stop()
