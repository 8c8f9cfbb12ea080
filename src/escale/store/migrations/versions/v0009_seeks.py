"""What people ask for who seek an opponent in the lobby."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """No table was opened in search of an opponent yet."""
    op.create_table(
        "seeks",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("strength", sa.String(20), nullable=False),
    )
