"""What both ends of a Marchwarden socket share; usable without the server."""
