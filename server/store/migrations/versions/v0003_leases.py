"""Which node has a room, in a cluster."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table; where there is one node it stays empty."""
    op.create_table(
        "leases",
        sa.Column("room", sa.String, primary_key=True),
        sa.Column("node", sa.String, nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_index("leases_by_node", "leases", ["node"])


def downgrade() -> None:
    """Take the table away."""
    op.drop_table("leases")
