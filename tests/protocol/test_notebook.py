"""The client for notebooks, against a real server in another process."""

import asyncio
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from protocol.errors import Disconnected, RequestError
from protocol.legal import draw
from protocol.notebook import connect_sync
from tests.kill.process import Server


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = Server(Path(tmp_path_factory.mktemp("notebook")) / "data", "--bot-pace", "0")
    server.start()
    yield server.url
    server.stop()


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "marchwarden-client"]


def play_a_game(url: str) -> str:
    rng = Random(1)
    with connect_sync(url, name="notebook") as client:
        made = client.create_room(3, bots=2)
        ((house, invite),) = made.invites.items()
        table = client.enter(made.room, client.take_seat(made.room, "Arya", invite=invite).token)
        assert table.view["you"]["house"] == house
        assert table.room in [line.room for line in client.list_rooms("playing").rooms]
        for prompt in table.prompts():
            assert prompt.id == table.view["you"]["prompt"]["id"]
            table.answer(prompt, draw(prompt, rng))
        assert table.over
        return str(table.view["result"]["winner"])


def test_a_whole_game_without_async(url):
    assert play_a_game(url) in ("stark", "lannister", "baratheon")
    assert not threads()


async def test_it_works_where_a_loop_is_running_already_as_in_jupyter(url):
    assert asyncio.get_running_loop().is_running()
    assert play_a_game(url)


def test_refusals_and_lost_servers_are_raised(url):
    with connect_sync(url) as client, pytest.raises(RequestError) as refused:
        client.enter("no-such-room")
    assert refused.value.code == "not_found"
    with pytest.raises(OSError):
        connect_sync("ws://127.0.0.1:1/ws")
    assert not threads()


def test_news_come_one_by_one(url):
    with connect_sync(url) as client:
        made = client.create_room(3)
        table = client.enter(made.room)
        news = table.updates()
        client.take_seat(made.room, "Arya", house="stark")
        assert next(news).events == [{"type": "seat_taken", "house": "stark", "name": "Arya"}]
        assert (table.seq, table.events) == (1, [{"type": "seat_taken", "house": "stark", "name": "Arya"}])


def test_ctrl_c_ends_the_waiting_and_nothing_else(url):
    def interrupt(signum, frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with connect_sync(url) as client:
            made = client.create_room(3)
            table = client.enter(made.room, client.take_seat(made.room, "Arya", house="stark").token)
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            with pytest.raises(KeyboardInterrupt):
                next(table.prompts())  # the game does not begin: nobody else is there
            client.host(made.room, made.host, "bots")
            prompt = next(table.prompts())
            table.answer(prompt, draw(prompt, Random(1)))
    finally:
        signal.signal(signal.SIGALRM, before)
    assert not threads()
    with pytest.raises(Disconnected):
        client.list_rooms()


def test_who_waits_in_another_thread_is_told_of_the_end(url):
    client = connect_sync(url)
    made = client.create_room(3)
    table = client.enter(made.room)
    told = []

    def wait():
        try:
            table.changed()
        except Disconnected as end:
            told.append(end)

    waiter = threading.Thread(target=wait)
    waiter.start()
    client.leave(made.room)
    waiter.join()
    client.close()
    assert told
