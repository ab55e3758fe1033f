"""What is peculiar to PostgreSQL: a network in between that fails, and who is let in."""

import asyncio
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import asyncpg
import pytest

from server.store import postgres as module
from server.store.errors import BadStore, InDoubt, Unavailable
from server.store.records import Outcome
from server.store.store import Store
from tests.store.proxy import Proxy
from tests.store.rows import entry, line, work

DONE, STALE = Outcome.DONE, Outcome.STALE


@pytest.fixture
async def proxy(postgres_url: str) -> AsyncIterator[Proxy]:
    async with Proxy(postgres_url).running() as running:
        yield running


async def test_a_commit_whose_answer_is_lost_is_done(proxy: Proxy):
    async with await Store.open(proxy.url) as store:
        await store.create(b"", line())
        proxy.cut = "after"
        assert await store.commit([work(), work("nowhere")]) == [DONE, STALE]
        assert proxy.cut == "never"
        assert (await store.claim("a")).entries == [entry(1)]


async def test_a_commit_that_did_not_arrive_is_not_done(proxy: Proxy):
    async with await Store.open(proxy.url) as store:
        await store.create(b"", line())
        proxy.cut = "before"
        with pytest.raises(Unavailable, match="did not commit") as raised:
            await store.commit([work()])
        assert not isinstance(raised.value, InDoubt)
        assert await store.entries("a") == []
        assert await store.commit([work()]) == [DONE]


async def test_nobody_pretends_to_know_while_the_database_is_away(proxy: Proxy, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "DOUBT_SECONDS", 0.2)
    async with await Store.open(proxy.url) as store:
        await store.create(b"", line())
        proxy.cut, proxy.then = "after", "down"
        with pytest.raises(InDoubt):
            await store.commit([work()])
        with pytest.raises(Unavailable):
            await store.claim("a")
        proxy.cut = "never"
        assert (await store.claim("a")).n == 1


async def test_connections_that_were_lost_in_the_meantime_are_replaced(proxy: Proxy):
    async with await Store.open(proxy.url) as store:
        await store.create(b"", line())
        await asyncio.gather(*(store.ping() for _ in range(5)))
        proxy.hang_up()
        await asyncio.sleep(0.01)  # the ends are noticed by the loop
        assert await store.commit([work()]) == [DONE]
        proxy.cut = "down"
        proxy.hang_up()
        await asyncio.sleep(0.01)
        with pytest.raises(Unavailable):
            await store.commit([work(after=1)])
        with pytest.raises(Unavailable):
            await store.ping()
        proxy.cut = "never"
        assert await store.commit([work(after=1)]) == [DONE]


async def test_acknowledged_means_on_the_disk_whatever_the_server_thinks(postgres_url: str):
    name = urlsplit(postgres_url).path[1:]
    owner = await asyncpg.connect(postgres_url)
    try:
        await owner.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        async with await Store.open(postgres_url) as store:
            setting = await store._database.read(
                lambda connection: connection.exec_driver_sql("SHOW synchronous_commit").scalar()
            )
            assert setting == "on"
    finally:
        await owner.execute(f"ALTER DATABASE {name} RESET synchronous_commit")
        await owner.close()


async def test_nodes_that_start_together_make_the_tables_once(postgres_url: str):
    stores = await asyncio.gather(*(Store.open(postgres_url) for _ in range(4)))
    for number, store in enumerate(stores):
        await store.create(b"", line(f"r{number}"))
        await store.close()


async def test_a_server_that_is_not_there_is_unavailable(proxy: Proxy):
    proxy.cut = "down"
    with pytest.raises(Unavailable):
        await Store.open(proxy.url)


async def test_a_database_that_is_not_there_is_told(postgres_url: str):
    with pytest.raises(BadStore, match="no_such_place"):
        await Store.open(f"{postgres_url.rpartition('/')[0]}/no_such_place")


async def test_a_database_that_no_server_has_run_on_is_told(postgres_url: str):
    async with Store.look(postgres_url) as store:
        with pytest.raises(BadStore, match="let a server of it run there first"):
            await store.rooms()
        with pytest.raises(BadStore, match="let a server of it run there first"):
            await store.holder("a")


async def test_how_the_connection_is_secured_is_up_to_the_url(postgres_url: str):
    async with await Store.open(f"{postgres_url}?sslmode=prefer") as store:
        await store.ping()
