"""Rooms: seats, presence, press and the order of inputs around a game. No sockets and no event loop in here."""
