"""Notebooks of people, the devices that open them, and what the house draws once."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """There are no notebooks yet."""
    op.create_table(
        "notebooks",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("holder", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("name", sa.String(40), nullable=False, server_default=""),
        sa.Column("lang", sa.String(10), nullable=False, server_default=""),
        sa.Column("progress", sa.Text, nullable=False, server_default="{}"),
    )
    op.create_index("notebooks_seen", "notebooks", ["seen"])
    op.create_table(
        "devices",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column(
            "notebook_id", sa.String(40), sa.ForeignKey("notebooks.id"), nullable=False
        ),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_index("devices_notebook_id", "devices", ["notebook_id"])
    op.create_table(
        "openings",
        sa.Column("sha256", sa.String(64), primary_key=True),
        sa.Column(
            "notebook_id", sa.String(40), sa.ForeignKey("notebooks.id"), nullable=False
        ),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("openings_notebook_id", "openings", ["notebook_id"])
    op.create_table(
        "house",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
