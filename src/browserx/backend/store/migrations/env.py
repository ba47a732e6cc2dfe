"""Run by Alembic, with the connection (and its transaction) that ``versions`` gives it."""

from alembic import context

from browserx.backend.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
