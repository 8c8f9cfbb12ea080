"""Tables that players have reported to the host."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """No table has been reported yet."""
    op.add_column("tables", sa.Column("reported", sa.BigInteger))
