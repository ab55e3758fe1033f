"""Sockets: one session a connection, its limits, and the few pages beside them."""
