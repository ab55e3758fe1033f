"""The migrations make the tables that the code uses, wherever they are installed."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from server.store import migrate
from server.store.database import open_database
from server.store.errors import BadStore
from server.store.records import Said
from server.store.schema import metadata
from server.store.store import Store
from tests.store.rows import line, tamper, work


@pytest.mark.parametrize("make", [migrate.migrate, migrate.upgrade])
async def test_a_new_store_has_the_tables_of_the_code_with_the_migrations_and_without(url: str, make):
    def differences(connection: Connection) -> object:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return compare_metadata(context, metadata)

    async with Store(open_database(url)) as store:
        await store._database.write(make)
        assert await store._database.write(differences) == []


async def test_a_new_store_is_of_the_version_of_the_last_migration(store: Store):
    def version(connection: Connection) -> str | None:
        return MigrationContext.configure(connection).get_current_revision()

    config = Config()
    config.set_main_option("script_location", str(migrate.MIGRATIONS))
    assert await store._database.read(version) == ScriptDirectory.from_config(config).get_current_head()


async def test_a_store_of_an_older_version_is_brought_up_to_date(url: str):
    def old(connection: Connection) -> None:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrate.MIGRATIONS))
        command.upgrade(config, "0001")

    async with Store(open_database(url)) as store:
        await store._database.write(old)
    async with await Store.open(url) as store:
        await store.create(b"birth", line())
        await store.commit([work("a", said=[Said(1, "stark", "all", "new", asked=b"x")])])
        assert await store.holders() == {}


async def test_a_newer_store_is_not_touched(url: str):
    async with await Store.open(url) as store:
        await tamper(store, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(BadStore, match="another version of marchwarden"):
        await Store.open(url)


async def test_a_migration_that_fails_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    versions = tmp_path / "migrations" / "versions"
    _copy(migrate.MIGRATIONS, versions)
    monkeypatch.setattr(migrate, "MIGRATIONS", versions.parent)
    async with Store(open_database(url)) as store:
        with pytest.raises(RuntimeError, match="half way"):
            await store._database.write(migrate.migrate)
    monkeypatch.undo()
    async with await Store.open(url) as store:
        assert await store.rooms() == []


async def test_press_of_before_there_were_requests_is_still_read(store: Store):
    await store.create(b"birth", line())
    await store.commit(
        [work("a", said=[Said(1, "stark", "all", "old", asked=b"x"), Said(2, "stark", "all", "new", asked=b"y")])]
    )
    await tamper(store, "UPDATE press SET asked = NULL WHERE m = 1")
    assert [(said.text, said.asked) for said in await store.press("a")] == [("old", b""), ("new", b"y")]


def _copy(migrations: Path, versions: Path) -> None:
    versions.mkdir(parents=True)
    (versions.parent / "env.py").write_text((migrations / "env.py").read_text())
    first = (migrations / "versions" / "v0001_log.py").read_text()
    (versions / "v0001_log.py").write_text(
        first.replace("def downgrade", '    raise RuntimeError("half way")\n\n\ndef downgrade')
    )
