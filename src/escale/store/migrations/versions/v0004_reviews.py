"""Reviews of finished matches, kept so that a second request costs nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """No match has been reviewed yet."""
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(64), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("review", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
