"""Endpoints of more kinds, one notice for each; quiet tables, holidays, ratings of people."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Notices that wait are kept: each becomes one for every endpoint of its notebook."""
    op.add_column("endpoints", sa.Column("keys", sa.Text, nullable=False, server_default=""))
    op.add_column("endpoints", sa.Column("sha256", sa.String(64)))
    op.add_column("endpoints", sa.Column(
        "confirmed", sa.Boolean, nullable=False, server_default=sa.true()
    ))
    op.add_column("endpoints", sa.Column(
        "pace", sa.String(10), nullable=False, server_default="now"
    ))
    op.add_column("endpoints", sa.Column(
        "zone", sa.String(60), nullable=False, server_default=""
    ))
    op.create_index("endpoints_sha256", "endpoints", ["sha256"])
    op.rename_table("outbox", "old_outbox")
    op.create_table(
        "outbox",
        sa.Column("endpoint_id", sa.String(24), primary_key=True),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("why", sa.String(10), nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute(
        "INSERT INTO outbox (endpoint_id, table_id, n, at, why) "
        "SELECT endpoints.id, old_outbox.table_id, max(old_outbox.n), max(old_outbox.at), 'turn' "
        "FROM old_outbox JOIN endpoints ON endpoints.notebook_id = old_outbox.notebook_id "
        "GROUP BY endpoints.id, old_outbox.table_id"
    )
    op.drop_table("old_outbox")
    op.create_table(
        "quiet",
        sa.Column("notebook_id", sa.String(40), primary_key=True),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.add_column("notebooks", sa.Column(
        "rated", sa.Boolean, nullable=False, server_default=sa.false()
    ))
    op.add_column("notebooks", sa.Column("holiday", sa.Text, nullable=False, server_default="{}"))
    op.create_table(
        "rated_games",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("shares", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("rated_games_at", "rated_games", ["at"])
