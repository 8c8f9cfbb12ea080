"""The addresses at which people want notices, and the notices to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """No notebook asks for notices yet."""
    op.create_table(
        "endpoints",
        sa.Column("id", sa.String(24), primary_key=True),
        sa.Column(
            "notebook_id", sa.String(40), sa.ForeignKey("notebooks.id"), nullable=False
        ),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("endpoints_notebook_id", "endpoints", ["notebook_id"])
    op.create_table(
        "outbox",
        sa.Column("notebook_id", sa.String(40), primary_key=True),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )
