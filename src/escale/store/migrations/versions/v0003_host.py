"""The host's decisions about a table, the time it was last seen, and a row for test writes."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """No table is closed or muted yet."""
    for name in ("closed", "muted"):
        op.add_column(
            "tables", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())
        )
    op.add_column("tables", sa.Column("seen", sa.BigInteger))
    op.create_index("tables_created", "tables", ["created"])
    op.create_table(
        "probe",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.execute(sa.text("INSERT INTO probe (id, at) VALUES (1, 0)"))
