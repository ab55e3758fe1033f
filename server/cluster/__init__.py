"""Several nodes on one PostgreSQL: who has a room, and how a message reaches it."""
