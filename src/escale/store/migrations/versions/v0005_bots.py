"""Bot accounts, and the tables at which a token holds seats."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """There are no bots yet."""
    op.create_table(
        "bots",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("sha256", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_index("tokens_sha256", "tokens", ["sha256"])
