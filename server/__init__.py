"""Marchwarden, the server: the game, its rooms and their sockets."""
