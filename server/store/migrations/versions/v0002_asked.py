"""Press remembers the request that asked for it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; what was said before is not known again."""
    op.add_column("press", sa.Column("asked", sa.LargeBinary))


def downgrade() -> None:
    """Take the column away."""
    with op.batch_alter_table("press") as table:
        table.drop_column("asked")
