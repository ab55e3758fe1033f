"""Brings the tables up to date when a store is opened."""

from pathlib import Path
from typing import Final

from sqlalchemy import Column, Connection, MetaData, String, Table, insert, inspect, select, text

from server.store.errors import BadStore
from server.store.schema import metadata

MIGRATIONS: Final = Path(__file__).parent / "migrations"
VERSION: Final = "0003"
"""Of the tables as the code uses them: the last of the migrations."""

_version = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


def upgrade(connection: Connection) -> None:
    """Make the tables, or apply what is missing, in the transaction of the connection.

    Raises BadStore if the tables are newer than we are.
    """
    if connection.dialect.name == "postgresql":
        # Nodes that start together do this one after the other.
        connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('marchwarden.migrations'))"))
    if not inspect(connection).has_table(_version.name):
        metadata.create_all(connection)
        _version.create(connection)
        connection.execute(insert(_version), {"version_num": VERSION})
    elif connection.scalar(select(_version)) != VERSION:
        migrate(connection)


def migrate(connection: Connection) -> None:
    """Apply the migrations that are missing. Raises BadStore if the tables are newer than we are."""
    # Imported only here: few need it, and it takes ten megabytes.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise BadStore(f"the store was written by another version of marchwarden ({error}); update this one") from error
