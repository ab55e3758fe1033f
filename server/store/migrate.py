"""Brings the tables up to date when a store is opened."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, text

from server.store.errors import BadStore

MIGRATIONS: Final = Path(__file__).parent / "migrations"


def upgrade(connection: Connection) -> None:
    """Apply what is missing, in the transaction of the connection. Raises BadStore if the tables are newer than we are."""
    if connection.dialect.name == "postgresql":
        # Nodes that start together do this one after the other.
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('marchwarden.migrations'))"))
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise BadStore(f"the store was written by another version of marchwarden ({error}); update this one") from error
