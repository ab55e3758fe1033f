"""Run by alembic, with the connection of `server.store.migrate`."""

from alembic import context

from server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
