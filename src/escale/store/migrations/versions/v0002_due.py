"""When the house has to look at a table by itself, and the secret of its rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """It is unknown yet what is due at tables that are being played: each is looked at once."""
    op.add_column("tables", sa.Column("due", sa.BigInteger))
    op.add_column("tables", sa.Column("next_secret", sa.Text))
    op.create_index("tables_due", "tables", ["due"])
    op.execute(sa.text("UPDATE tables SET due = 1 WHERE NOT over"))
