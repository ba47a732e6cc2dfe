"""The first schema: sessions, messages, tasks, answers."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From an empty database."""
    op.create_table(
        "sessions",
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("principal", sa.Text, nullable=False),
        sa.Column("tab_id", sa.Text),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("domain", sa.Text, nullable=False),
        sa.Column("initial_url", sa.Text, nullable=False),
        sa.Column("initial_domain", sa.Text, nullable=False),
        sa.Column("is_renamed", sa.Boolean, nullable=False),
        sa.Column("is_active", sa.Boolean, nullable=False),
        sa.Column("created_us", sa.BigInteger, nullable=False),
        sa.Column("updated_us", sa.BigInteger, nullable=False),
        sa.Column("next_sequence", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_principal_updated_us", "sessions", ["principal", "updated_us"])
    op.create_index("ix_sessions_principal_domain_updated_us", "sessions", ["principal", "domain", "updated_us"])
    op.create_index("ix_sessions_updated_us", "sessions", ["updated_us"])
    active = sa.text("is_active AND tab_id IS NOT NULL")
    op.create_index(
        "one_active_session_per_tab",
        "sessions",
        ["principal", "tab_id"],
        unique=True,
        sqlite_where=active,
        postgresql_where=active,
    )
    op.create_table(
        "messages",
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("sequence_number", sa.Integer, nullable=False),
        sa.Column("message_id", sa.Text, nullable=False),
        sa.Column("created_us", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("session_id", "sequence_number", name="pk_messages"),
        _of_session("messages"),
    )
    op.create_table(
        "tasks",
        sa.Column("task_id", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text, nullable=False),
        sa.Column("principal", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("lease_until_ms", sa.BigInteger),
        sa.Column("created_us", sa.BigInteger, nullable=False),
        sa.Column("updated_us", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("task_id", name="pk_tasks"),
        _of_session("tasks"),
    )
    op.create_index("ix_tasks_session_id", "tasks", ["session_id"])
    op.create_table(
        "answers",
        sa.Column("principal", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("session_id", sa.Text),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("lease_until_ms", sa.BigInteger, nullable=False),
        sa.Column("status", sa.Integer),
        sa.Column("body", sa.Text),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("principal", "key", name="pk_answers"),
        _of_session("answers"),
    )
    op.create_index("ix_answers_session_id", "answers", ["session_id"])
    op.create_index("ix_answers_created_ms", "answers", ["created_ms"])


def _of_session(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["session_id"], ["sessions.session_id"], name=f"fk_{table}_session_id", ondelete="CASCADE"
    )
