"""The log of rooms: rooms, entries, snapshots, press."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "rooms",
        sa.Column("room", sa.String, primary_key=True),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("n", sa.BigInteger, nullable=False),
        sa.Column("head", sa.LargeBinary, nullable=False),
        sa.Column("said", sa.BigInteger, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("created", sa.LargeBinary, nullable=False),
        sa.Column("birth", sa.LargeBinary, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("phase", sa.String, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("free", sa.JSON, nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.Column("wake", sa.BigInteger),
    )
    op.create_index("rooms_by_age", "rooms", ["private", "made"])
    op.create_index("rooms_by_phase", "rooms", ["phase", "made"])
    waits = sa.text("wake IS NOT NULL")
    op.create_index("rooms_by_wake", "rooms", ["wake"], sqlite_where=waits, postgresql_where=waits)
    op.create_table(
        "entries",
        sa.Column("room", sa.String, primary_key=True),
        sa.Column("n", sa.BigInteger, primary_key=True),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.String, nullable=False),
        sa.Column("client_id", sa.LargeBinary, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("check", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("room", sa.String, primary_key=True),
        sa.Column("n", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("check", sa.LargeBinary, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "press",
        sa.Column("room", sa.String, primary_key=True),
        sa.Column("m", sa.BigInteger, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("sender", sa.String, nullable=False),
        sa.Column("to", sa.String, nullable=False),
        sa.Column("text", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Take the tables away."""
    for table in ("press", "snapshots", "entries", "rooms"):
        op.drop_table(table)
