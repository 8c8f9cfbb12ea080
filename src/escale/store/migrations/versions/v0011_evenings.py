"""Evenings: their events, and who holds what in them."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """There has been no evening yet."""
    op.create_table(
        "evenings",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("code", sa.String(10), nullable=False, unique=True),
        sa.Column("series", sa.String(64), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("evenings_series", "evenings", ["series"])
    op.create_index("evenings_changed", "evenings", ["changed"])
    op.create_table(
        "evening_tokens",
        sa.Column("evening_id", sa.String(64), sa.ForeignKey("evenings.id"), primary_key=True),
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column("who", sa.Integer, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_index("evening_tokens_sha256", "evening_tokens", ["sha256"])
    op.create_table(
        "evening_events",
        sa.Column("evening_id", sa.String(64), sa.ForeignKey("evenings.id"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
