"""The client against a scripted server on real sockets."""

import asyncio
import contextlib

import pytest
from websockets.exceptions import ConnectionClosed

from protocol.answers import Choose
from protocol.client import connect, play
from protocol.errors import Disconnected, RequestError
from protocol.link import backoff
from protocol.messages import (
    AnswerPrompt,
    CreateRoom,
    Enter,
    Error,
    GoingAway,
    Hello,
    Host,
    Leave,
    ListRooms,
    Ok,
    Private,
    Retract,
    RoomCreated,
    RoomFilter,
    RoomLine,
    RoomList,
    RoomOptions,
    Said,
    Say,
    Seated,
    Snapshot,
    TakeSeat,
    Update,
)
from protocol.table import Table
from protocol.wire import WireError
from tests.protocol.scripted import scripted

both_formats = pytest.mark.parametrize("fmt", ["msgpack", "json"])


def ask(number):
    return {"answer": "choose", "id": number, "kind": "blade", "options": ["use", "pass"]}


def asked(number):
    """A seat's snapshot with an open prompt."""
    return Snapshot("r", 0, {"phase": "action", "you": {"house": "stark", "prompt": ask(number)}})


OVER = {"phase": "over", "you": {"prompt": None}}


async def entered(peer, snapshot):
    """Welcome a client and let it enter."""
    await peer.welcome()
    enter = await peer.take(Enter)
    await peer.send(Ok(enter.id, "r", snapshot.seq), snapshot)
    return enter


async def rest(peer):
    """Wait until the client goes."""
    await peer.socket.wait_closed()


def use(prompt, view):
    return Choose("use")


@both_formats
async def test_a_seat_is_taken_and_played_to_the_end(fmt):
    async def script(peer):
        await peer.welcome()
        take = await peer.take(TakeSeat)
        assert (take.room, take.invite, take.name) == ("r", "code", "Arya")
        await peer.send(Seated(take.id, "r", "stark", "token"))
        enter = await peer.take(Enter)
        assert (enter.room, enter.token) == ("r", "token")
        await peer.send(Ok(enter.id, "r", 0), asked(7))
        first = await peer.take(AnswerPrompt)
        assert (first.prompt, first.answer) == (7, Choose("use"))
        await peer.send(Ok(first.id, "r", 1), Update("r", 1, {"you": {"prompt": ask(9)}}, [{"type": "blade_used"}]))
        second = await peer.take(AnswerPrompt)
        assert second.prompt == 9
        await peer.send(Update("r", 2, OVER, [{"type": "game_over"}]), Ok(second.id, "r", 2))
        await rest(peer)

    async with scripted(script) as url, connect(url, format=fmt) as client:
        seat = await client.take_seat("r", "Arya", invite="code")
        table = await client.enter(seat.room, seat.token)
        assert table.view["you"]["house"] == "stark"
        seen = []
        async for prompt in table.prompts():
            seen.append(prompt.id)
            await table.answer(prompt, Choose("use"))
        assert seen == [7, 9]
        assert (table.seq, table.view, table.events) == (
            2,
            {"phase": "over", "you": {"house": "stark"}},
            [{"type": "game_over"}],
        )


@both_formats
async def test_a_dropped_connection_is_made_again_and_nothing_is_lost_or_doubled(fmt):
    ids = []

    async def first(peer):
        assert not (await entered(peer, asked(7))).since
        ids.append((await peer.take(AnswerPrompt)).id)  # and the reply never comes

    async def second(peer):
        await peer.welcome()
        enter = await peer.take(Enter)
        assert (enter.token, enter.since) == ("token", 0)
        again = await peer.take(AnswerPrompt)
        ids.append(again.id)
        await peer.send(Ok(enter.id, "r", 2), Update("r", 1, {"round": 2}), Update("r", 2, {"round": 3}))
        await peer.send(Private("r", 2, {"house": "stark"}), Ok(again.id, "r", 1))
        await peer.send(Update("r", 3, OVER))
        await rest(peer)

    async with scripted(first, second) as url:
        view = await play(url, "r", "token", use, format=fmt, delay=lambda attempt: 0)
    assert view == {"phase": "over", "round": 3, "you": {"house": "stark"}}
    assert ids[0] == ids[1]


async def test_a_client_that_leaves_says_good_bye():
    codes = []

    async def script(peer):
        await entered(peer, asked(7))
        await rest(peer)
        codes.append(peer.socket.close_code)

    async with scripted(script) as url, connect(url) as client:
        await client.enter("r", "token")
    assert codes == [1000]


@both_formats
async def test_a_gap_is_asked_for(fmt):
    async def script(peer):
        await entered(peer, asked(7))
        await peer.send(Update("r", 2, {"b": 2}), Update("r", 3, {"c": 3}), Update("r", 0, {"z": 1}))
        enter = await peer.take(Enter)
        assert (enter.since, enter.token) == (0, "token")
        await peer.send(Ok(enter.id, "r", 3), *(Update("r", seq, {"abc"[seq - 1]: seq}) for seq in (1, 2, 3)))
        await peer.send(Ok((await peer.take(Say)).id), Update("r", 4, OVER))  # it asked only once
        await rest(peer)

    async with scripted(script) as url, connect(url, format=fmt) as client:
        table = await client.enter("r", "token")
        updates = table.updates()
        while table.seq < 3:
            await table.changed()
        await table.say("here")
        assert [news.seq async for news in updates] == [1, 2, 3, 4]
        assert table.view == {"phase": "over", "a": 1, "b": 2, "c": 3, "you": {"house": "stark"}}


async def test_prompts_come_once_and_not_after_they_were_closed():
    async def script(peer):
        await entered(peer, asked(7))
        await peer.take(Say)
        await peer.send(Private("r", 0, {"house": "stark", "prompt": ask(7)}))  # the same prompt again
        await peer.send(Update("r", 1, {"you": {"prompt": ask(8)}}), Update("r", 2, {"you": {"prompt": ask(9)}}))
        await peer.send(Ok("none of ours"), Said("r", "tyrell", "all", "hear me", 5), Update("r", 3, {"x": 1}))
        await peer.take(Say)
        await peer.send(Update("r", 4, OVER))
        await rest(peer)

    async with scripted(script) as url, connect(url) as client:
        table = await client.enter("r", "token")
        prompts = table.prompts()
        assert (await anext(prompts)).id == 7
        saying = asyncio.create_task(table.say("go on"))
        while table.seq < 3:
            await table.changed()
        assert (await anext(prompts)).id == 9  # 8 was closed before it was asked for
        more = asyncio.create_task(table.say("go on"))
        assert [prompt async for prompt in prompts] == []
        saying.cancel()
        more.cancel()


async def test_a_refusal_names_everything_and_leaves_the_prompt_open():
    async def script(peer):
        await entered(peer, asked(7))
        answer = await peer.take(AnswerPrompt)
        path, hint = "answer.moves[0].to", "March elsewhere."
        await peer.send(Error("insufficient_strength", "Too weak.", answer.id, path, hint, ["NEU-3"], 6, 5))
        again = await peer.take(AnswerPrompt)
        assert again.id != answer.id
        await peer.send(Error("stale_prompt", "Closed.", again.id, prompt=9))
        await rest(peer)

    async with scripted(script) as url, connect(url) as client:
        table = await client.enter("r", "token")
        with pytest.raises(RequestError, match="insufficient_strength: Too weak") as caught:
            await table.answer(table.prompt, Choose("use"))
        error = caught.value
        assert (error.code, error.path, error.hint) == (
            "insufficient_strength",
            "answer.moves[0].to",
            "March elsewhere.",
        )
        assert (error.rules, error.needed, error.total, error.prompt) == (["NEU-3"], 6, 5, None)
        assert table.prompt.id == 7
        with pytest.raises(RequestError) as caught:
            await table.answer(table.prompt, Choose("use"))
        assert (caught.value.prompt, caught.value.path, caught.value.rules) == (9, "", [])


async def test_play_goes_on_when_its_prompt_was_closed_meanwhile():
    async def script(peer):
        await entered(peer, asked(7))
        answer = await peer.take(AnswerPrompt)
        await peer.send(
            Error("stale_prompt", "Closed.", answer.id, prompt=8), Update("r", 1, {"you": {"prompt": ask(8)}})
        )
        answer = await peer.take(AnswerPrompt)
        await peer.send(Ok(answer.id), Update("r", 2, OVER))
        await rest(peer)

    async def choose(prompt, view):
        return Choose("pass")

    async with scripted(script) as url:
        assert (await play(url, "r", "token", choose))["phase"] == "over"


async def test_play_drops_an_answer_whose_prompt_was_closed_while_it_thought(monkeypatch):
    thinking, tables, thought = asyncio.Event(), [], []

    class Known(Table):
        def __init__(self, *args):
            super().__init__(*args)
            tables.append(self)

    monkeypatch.setattr("protocol.client.Table", Known)

    async def script(peer):
        await entered(peer, asked(7))
        await thinking.wait()
        await peer.send(Update("r", 1, {"you": {"prompt": ask(8)}}))
        answer = await peer.take(AnswerPrompt)
        assert answer.prompt == 8, "nothing was sent for the one that was closed"
        await peer.send(Update("r", 2, OVER), Ok(answer.id, "r", 2))
        await rest(peer)

    async def choose(prompt, view):
        thought.append(prompt.id)
        if prompt.id == 7:
            thinking.set()
            await tables[0].changed()
        return Choose("use")

    async with scripted(script) as url:
        assert (await play(url, "r", "token", choose))["phase"] == "over"
    assert thought == [7, 8]


async def test_play_does_not_hide_an_illegal_answer():
    async def script(peer):
        await entered(peer, asked(7))
        await peer.send(Error("illegal", "No.", (await peer.take(AnswerPrompt)).id))
        await rest(peer)

    async with scripted(script) as url:
        with pytest.raises(RequestError, match="illegal"):
            await play(url, "r", "token", use)


async def test_a_room_that_cannot_be_entered():
    async def script(peer):
        await peer.welcome()
        await peer.send(Error("not_found", "No such room.", (await peer.take(Enter)).id))
        enter = await peer.take(Enter)
        await peer.send(Ok(enter.id), Snapshot("r", 5, {"phase": "over"}))
        await rest(peer)

    async with scripted(script) as url, connect(url) as client:
        with pytest.raises(RequestError, match="not_found"):
            await client.enter("r")
        table = await client.enter("r")
        assert (table.seq, [prompt async for prompt in table.prompts()]) == (5, [])
        with pytest.raises(ValueError, match="already"):
            await client.enter("r")


async def test_one_connection_holds_many_rooms():
    async def script(peer):
        await peer.welcome()
        for room in ("a", "b"):
            enter = await peer.take(Enter)
            await peer.send(Ok(enter.id), Snapshot(room, 0, {"name": room}))
        await peer.send(Update("b", 1, {"x": 1}), Update("zz", 8, {}), Update("a", 1, {"y": 1}))
        await peer.send(Ok((await peer.take(Leave)).id))
        await peer.take(Host)
        await peer.send(Update("b", 2, {"phase": "over"}))
        await rest(peer)

    async with scripted(script) as url, connect(url) as client:
        a, b = await client.enter("a"), await client.enter("b")
        while a.seq == 0:
            await a.changed()
        assert (a.view, b.view) == ({"name": "a", "y": 1}, {"name": "b", "x": 1})
        await client.leave("a")
        with pytest.raises(Disconnected, match="left room a"):
            await a.changed()
        hosting = asyncio.create_task(client.host("b", "token", "start"))
        await b.changed()
        assert b.over
        hosting.cancel()


@both_formats
async def test_every_request_has_its_message(fmt):
    async def script(peer):
        await peer.welcome()
        create = await peer.take(CreateRoom)
        assert (create.players, create.options) == (4, RoomOptions(tides=True, private=True, autostart=False))
        await peer.send(RoomCreated(create.id, "r", "host", {"stark": "s"}))
        rooms = await peer.take(ListRooms)
        assert rooms.filter == RoomFilter(phase="lobby", page=2)
        await peer.send(RoomList(rooms.id, [RoomLine("r", 4, "lobby", ["stark"])]))
        take = await peer.take(TakeSeat)
        assert (take.house, take.invite) == ("stark", TakeSeat("1", "r", "n").invite)
        await peer.send(Seated(take.id, "r", "stark", "token"))
        host = await peer.take(Host)
        assert (host.action, host.house, host.token) == ("kick", "stark", "host")
        await peer.send(Ok(host.id))
        enter = await peer.take(Enter)
        await peer.send(Ok(enter.id), asked(7))
        await peer.send(Ok((await peer.take(Retract)).id))
        say = await peer.take(Say)
        assert (say.to, say.text) == (["tyrell"], "psst")
        await peer.send(Ok(say.id))
        await rest(peer)

    async with scripted(script) as url, connect(url, format=fmt) as client:
        assert (await client.create_room(4, tides=True, private=True, autostart=False)).invites == {"stark": "s"}
        assert (await client.list_rooms("lobby", 2)).rooms[0].free == ["stark"]
        assert (await client.take_seat("r", "Sansa", house="stark")).token == "token"
        await client.host("r", "host", "kick", "stark")
        table = await client.enter("r", "token")
        await table.retract(table.prompt)
        await table.say("psst", ["tyrell"])


async def test_news_are_told_in_order_press_too():
    async def script(peer):
        await entered(peer, asked(7))
        await peer.take(Say)
        await peer.send(
            Update("r", 1, {"a": 1}, [{"type": "x"}]), Said("r", "tyrell", "all", "hear me", 5), Update("r", 2, OVER)
        )
        await rest(peer)

    async with scripted(script) as url, connect(url) as client:
        table = await client.enter("r")
        updates = table.updates()
        saying = asyncio.create_task(table.say("go on"))
        news = [type(each).__name__ async for each in updates]
        assert news == ["Update", "Said", "Update"]
        assert [each async for each in table.updates()] == []
        saying.cancel()


async def test_without_reconnect_a_lost_connection_ends_everything():
    async def script(peer):
        await entered(peer, asked(7))
        await peer.take(AnswerPrompt)
        await peer.socket.close(1008, "enough")

    async with scripted(script) as url, connect(url, reconnect=False) as client:
        table = await client.enter("r", "token")
        updates = table.updates()
        with pytest.raises(Disconnected, match="1008 enough"):
            await table.answer(table.prompt, Choose("use"))
        for waiting in (table.changed(), anext(updates), table.say("?"), client.list_rooms()):
            with pytest.raises(Disconnected):
                await waiting


async def test_leaving_the_block_ends_whoever_waits():
    async def script(peer):
        await entered(peer, Snapshot("r", 0, {}))
        await rest(peer)

    async with scripted(script) as url:
        async with connect(url) as client:
            table = await client.enter("r")
            waiting = asyncio.create_task(table.changed())
            await asyncio.sleep(0)
        with pytest.raises(Disconnected, match="closed"):
            await waiting


async def test_S44_a_going_away_server_is_left_alone_and_found_again(monkeypatch):
    attempts, pauses = [], []

    async def first(peer):
        await entered(peer, Snapshot("r", 0, {}))
        await peer.send(GoingAway(5000))
        await peer.socket.close(1012)

    async def draining(peer):
        await peer.take(Hello)
        await peer.send(Error("server_draining", "Soon."))

    async def vanishing(peer):
        await peer.take(Hello)

    async def back(peer):
        await peer.welcome()
        enter = await peer.take(Enter)
        await peer.send(Ok(enter.id), Snapshot("r", 9, {"phase": "over"}))
        await rest(peer)

    def delay(attempt):
        attempts.append(attempt)
        return attempt / 10

    async def sleep(seconds):
        pauses.append(seconds)

    monkeypatch.setattr("protocol.link.sleep", sleep)
    async with scripted(first, draining, vanishing, back) as url, connect(url, delay=delay) as client:
        table = await client.enter("r")
        while not table.over:
            await table.changed()
    assert (attempts, pauses) == ([1, 2, 3], [5.1, 0.2, 0.3])


async def test_what_came_too_fast_or_too_late_is_asked_again_by_itself(monkeypatch):
    async def sleep(seconds):
        assert seconds >= 1

    async def first(peer):
        await peer.welcome()
        enter = await peer.take(Enter)
        await peer.send(Error("rate_limited", "Slower.", enter.id))
        enter = await peer.take(Enter)
        await peer.send(Ok(enter.id), asked(7))
        answer = await peer.take(AnswerPrompt)
        await peer.send(Error("rate_limited", "Slower.", answer.id), Error("rate_limited", "Slower.", "none of ours"))
        assert await peer.take(AnswerPrompt) == answer
        await peer.send(Error("server_draining", "Later.", answer.id))
        answers.append(answer)

    async def second(peer):
        await peer.welcome()
        enter = await peer.take(Enter)
        await peer.send(Error("server_draining", "Still.", enter.id))

    async def third(peer):
        await peer.welcome()
        enter = await peer.take(Enter)
        answers.append(await peer.take(AnswerPrompt))
        await peer.send(Ok(enter.id), Update("r", 1, OVER), Ok(answers[1].id))
        await rest(peer)

    answers = []
    monkeypatch.setattr("protocol.client.sleep", sleep)
    async with scripted(first, second, third) as url:
        assert (await play(url, "r", "token", use, delay=lambda attempt: 0))["phase"] == "over"
    assert answers[0] == answers[1]


async def test_what_is_unavailable_is_asked_again_for_a_while_and_then_raised(monkeypatch):
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)

    def away(request):
        return Error("unavailable", "Not now.", request.id, hint="Try again soon.")

    async def script(peer):
        await peer.welcome()
        for _ in range(2):
            await peer.send(away(await peer.take(Enter)))
        await peer.send(Ok((await peer.take(Enter)).id), asked(7))
        first = await peer.take(AnswerPrompt)
        await peer.send(away(first))
        again = await peer.take(AnswerPrompt)
        assert again == first
        await peer.send(Ok(again.id))
        with contextlib.suppress(ConnectionClosed):
            while True:  # and never more
                await peer.send(away(await peer.take(ListRooms)))

    async def refuse(peer):
        await peer.welcome()
        await peer.send(away(await peer.take(Enter)))
        await rest(peer)

    monkeypatch.setattr("protocol.client.sleep", sleep)
    async with scripted(script) as url, connect(url, patience=3) as client:
        table = await client.enter("r")
        await table.answer(table.prompt, use(table.prompt, table.view))
        assert len(pauses) == 3 and all(0 < pause <= 1.5 for pause in pauses)
        pauses.clear()
        with pytest.raises(RequestError, match="Not now") as caught:
            await client.list_rooms()
        assert caught.value.hint == "Try again soon."
        assert len(pauses) > 2 and sum(pauses) == pytest.approx(3)
    async with scripted(refuse) as url, connect(url, patience=0) as client:
        with pytest.raises(RequestError, match="unavailable"):
            await client.enter("r")


async def test_a_session_that_is_refused_for_good_ends_the_client():
    async def refuse(peer):
        await peer.take(Hello)
        await peer.send(Error("unsupported_protocol", "Too old."))

    async def drop(peer):
        await entered(peer, Snapshot("r", 0, {}))

    async with scripted(refuse, drop, refuse) as url:
        with pytest.raises(RequestError, match="unsupported_protocol"):
            async with connect(url):
                pass
        async with connect(url, delay=lambda attempt: 0) as client:
            table = await client.enter("r")
            with pytest.raises(RequestError, match="unsupported_protocol"):
                await table.changed()


async def test_nobody_there():
    async with scripted() as url:
        pass
    with pytest.raises(OSError):
        async with connect(url):
            pass


async def test_messages_of_a_newer_server_are_passed_over_and_nonsense_is_not():
    async def script(peer):
        await peer.welcome()
        enter = await peer.take(Enter)
        await peer.socket.send('{"type":"weather","wind":3}')
        await peer.socket.send(f'{{"type":"ok","id":"{enter.id}","moon":"full"}}')
        await peer.send(Snapshot("r", 0, {}), Error("rate_limited", "Slower."))
        await peer.take(ListRooms)
        await peer.socket.send('{"type":"update","room":"r","seq":"one","patch":{}}')
        await rest(peer)

    async with scripted(script) as url, connect(url, format="json") as client:
        await client.enter("r")
        with pytest.raises(WireError, match="Expected integer"):
            await client.list_rooms()


async def test_a_reply_of_another_kind_is_an_error():
    async def script(peer):
        await peer.welcome()
        await peer.send(Ok((await peer.take(ListRooms)).id))
        await rest(peer)

    async with scripted(script) as url, connect(url) as client:
        with pytest.raises(WireError, match="ListRooms is Ok"):
            await client.list_rooms()


def test_S44_delays_grow_and_differ():
    for attempt, most in ((0, 0.5), (1, 1), (2, 2), (6, 30), (10_000, 30)):
        delays = {backoff(attempt) for _ in range(50)}
        assert len(delays) > 1
        assert all(0 <= delay <= most for delay in delays)
