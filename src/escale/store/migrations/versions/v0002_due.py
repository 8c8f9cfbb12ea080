"""The time at which a table is due, and the secret of its rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """The times of running tables are unknown yet: each of these tables is read once."""
    op.add_column("tables", sa.Column("due", sa.BigInteger))
    op.add_column("tables", sa.Column("next_secret", sa.Text))
    op.create_index("tables_due", "tables", ["due"])
    op.execute(sa.text("UPDATE tables SET due = 1 WHERE NOT over"))
