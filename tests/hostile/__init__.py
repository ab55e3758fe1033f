"""Clients that mean harm, over real sockets against a real server process, and a room beside them that must not notice."""
