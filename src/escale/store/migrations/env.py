"""Alembic runs this for every migration; the connection, and its lock, come from `database.py`."""

from alembic import context

from escale.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
