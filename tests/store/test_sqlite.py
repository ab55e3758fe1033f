"""What is peculiar to SQLite: the file, who may use it, and how it fails."""

import asyncio
import sqlite3
import stat
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from server.store import sqlite
from server.store.errors import BadStore, Torn, Unavailable
from server.store.records import Birth, Outcome, Work
from server.store.store import Store
from tests.store.rows import entry, line, tamper, work


async def test_only_its_owner_may_look_into_the_file(sqlite_url: str, tmp_path: Path):
    async with await Store.open(sqlite_url) as store:
        await store.create(b"", line())
        modes = await asyncio.to_thread(_modes, tmp_path)
    assert set(modes) > {"marchwarden.db", "marchwarden.db-wal"}
    assert set(modes.values()) == {0o600}


def _modes(directory: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in directory.iterdir()}


async def test_acknowledged_means_on_the_disk(sqlite_url: str):
    async with await Store.open(sqlite_url) as store:
        settings = await store._database.write(
            lambda c: [c.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
        )
        assert settings == ["wal", 2]  # 2 is FULL


async def test_it_needs_all_its_files_from_the_start(sqlite_url: str):
    async with await Store.open(sqlite_url) as store:
        held = await asyncio.to_thread(_held)
        together = threading.Barrier(1 + sqlite.READERS)  # everybody who can be at work is, at the same time

        def work(connection: Connection) -> int:
            together.wait(5)
            return len(connection.exec_driver_sql("SELECT * FROM rooms").all())

        database = store._database
        await asyncio.gather(database.write(work), *(database.read(work) for _ in range(sqlite.READERS)))
        assert await asyncio.to_thread(_held) == held


def _held() -> list[str]:
    """The files of the database that this process has open."""
    links = [fd for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink()]  # the one of iterdir is gone
    return sorted(str(link.readlink()) for link in links if "marchwarden.db" in str(link.readlink()))


async def test_a_file_has_one_store(sqlite_url: str):
    async with await Store.open(sqlite_url):
        with pytest.raises(BadStore, match=r"in use by another process; stop it"):
            await Store.open(sqlite_url)
        code = "import asyncio, sys; from server.store.store import Store; asyncio.run(Store.open(sys.argv[1]))"
        other = await asyncio.create_subprocess_exec(
            sys.executable, "-c", code, sqlite_url, stderr=asyncio.subprocess.PIPE
        )
        _, told = await other.communicate()
        assert other.returncode == 1
        assert b"in use by another process" in told
    async with await Store.open(sqlite_url) as store:
        await store.ping()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("sqlite://", "has to name a file"),
        ("sqlite:///:memory:", "has to name a file"),
        ("sqlite:////tmp/x.db?mode=ro", "has to name a file"),
        ("sqlite:////no/such/directory/x.db", "No such file or directory; name a file in a directory"),
        ("sqlite:////dev/null/x.db", "Not a directory"),
        ("mysql://localhost/x", "unknown database mysql; use sqlite:///"),
        ("postgresql+psycopg://localhost/x", r"unknown database postgresql\+psycopg; use"),
        ("here", "cannot be read; use sqlite:///"),
        ("postgresql://localhost/x?sslmode=disable&options=-c", "unknown option options"),
        ("postgresql://localhost/x?sslmode=perhaps", "unknown sslmode; it is one of disable"),
    ],
)
async def test_a_store_that_cannot_be_is_explained(url: str, told: str):
    with pytest.raises(BadStore, match=told):
        await Store.open(url)


async def test_a_url_that_cannot_be_used_is_not_told_with_its_password():
    with pytest.raises(BadStore) as told:
        await Store.open("mysql://lord:secret@localhost/x")
    assert "secret" not in str(told.value)


async def test_a_file_of_something_else_is_left_alone(sqlite_url: str, tmp_path: Path):
    path = tmp_path / "marchwarden.db"
    path.write_bytes(b"a letter to the Wall, and no database" * 100)
    with pytest.raises(BadStore, match="no SQLite database"):
        await Store.open(sqlite_url)
    assert path.read_bytes().startswith(b"a letter")


async def test_a_directory_in_place_of_the_file(sqlite_url: str, tmp_path: Path):
    (tmp_path / "marchwarden.db").mkdir()
    with pytest.raises(Unavailable):
        await Store.open(sqlite_url)


async def test_a_full_disk_loses_nothing_and_is_over_when_there_is_room_again(sqlite_url: str):
    async with await Store.open(sqlite_url) as store:
        await store.commit([Birth(line(), b""), work(count=3)])
        pages = await store._database.write(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar())
        await store._database.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {pages}"))
        large = Work(1, 3, line(), [entry(4, body=bytes(100_000))])
        with pytest.raises(Unavailable, match="full"):
            await store.commit([large])
        assert len(await store.entries("a")) == 3
        await store._database.write(lambda c: c.exec_driver_sql("PRAGMA max_page_count = 100000"))
        assert await store.commit([large]) == [Outcome.DONE]
        assert len((await store.claim("a")).entries) == 4


async def test_somebody_who_holds_the_file_is_waited_for_in_vain(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
    async with await Store.open(sqlite_url) as store:
        await store.create(b"", line())
        other = sqlite3.connect(tmp_path / "marchwarden.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="locked"):
            await store.commit([work()])
        assert [each.room for each in await store.lines()] == ["a"]  # reading goes on
        other.execute("ROLLBACK")
        other.close()
        assert await store.commit([work()]) == [Outcome.DONE]


async def test_a_commit_that_fails_leaves_nothing(sqlite_url: str, monkeypatch: pytest.MonkeyPatch):
    def fail(connection: Any) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    async with await Store.open(sqlite_url) as store:
        await store.create(b"", line())
        with monkeypatch.context() as patched, pytest.raises(Unavailable, match="disk I/O error"):
            patched.setattr(store._database._engine.dialect, "do_commit", fail)
            await store.commit([work()])
        assert await store.entries("a") == []
        assert await store.commit([work()]) == [Outcome.DONE]


async def test_a_page_that_cannot_be_read_costs_only_the_rooms_on_it(sqlite_url: str, tmp_path: Path):
    async with await Store.open(sqlite_url) as store:
        await store.commit([Birth(line(room), b"") for room in ("a", "b")])
        for room, mark in (("a", b"<first>"), ("b", b"<other>")):
            bodies = [entry(n, body=mark * 300) for n in range(1, 21)]
            await store.commit([Work(1, 0, line(room), bodies)])
    path = tmp_path / "marchwarden.db"
    data = bytearray(path.read_bytes())
    last = data.rfind(b"<first>") // 4096 * 4096
    data[last : last + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    async with await Store.open(sqlite_url) as store:
        with pytest.raises(Torn) as torn:
            await store.claim("a")
        assert torn.value.room == "a"
        assert (await store.claim("b")).n == 20


@pytest.mark.parametrize("value", ["'text'", "1.5", "x'ff'"])
@pytest.mark.parametrize("column", ["body", "at", "seat", "client_id", "check"])
async def test_a_value_of_another_kind_is_found(sqlite_url: str, column: str, value: str):
    """SQLite takes any kind of value anywhere."""
    async with await Store.open(sqlite_url) as store:
        await store.commit([Birth(line(), b""), work(count=3)])
        assert await tamper(store, f'UPDATE entries SET "{column}" = {value} WHERE n = 2') == 1
        with pytest.raises(Torn):
            await store.claim("a")
