"""Stores on both databases. PostgreSQL gets a database of its own, which is dropped at the end."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest

from server.store.store import Store

POSTGRES = os.environ.get("MARCHWARDEN_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")


async def _run(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url, timeout=5)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of an empty PostgreSQL database. Skips where there is none, unless one is named."""
    name = f"marchwarden_test_{secrets.token_hex(6)}"
    try:
        asyncio.run(_run(POSTGRES, f"CREATE DATABASE {name}"))
    except (OSError, asyncpg.PostgresError) as error:
        if "MARCHWARDEN_TEST_POSTGRES" in os.environ:
            raise
        pytest.skip(f"no PostgreSQL at {POSTGRES} (MARCHWARDEN_TEST_POSTGRES names another): {type(error).__name__}")
    yield f"{POSTGRES.rpartition('/')[0]}/{name}"
    asyncio.run(_run(POSTGRES, f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def postgres_url(postgres: str) -> str:
    asyncio.run(_run(postgres, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public"))
    return postgres


@pytest.fixture
def sqlite_url(tmp_path: object) -> str:
    return f"sqlite:///{tmp_path}/marchwarden.db"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with await Store.open(url) as opened:
        yield opened
