"""The descriptions of bots, and their results."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """No bot is described yet, and no game was counted."""
    op.add_column("bots", sa.Column("about", sa.Text, nullable=False, server_default=""))
    op.add_column("bots", sa.Column("games", sa.Text, nullable=False, server_default="[]"))
    for name in ("won", "drawn", "lost"):
        op.add_column("bots", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
