"""The durable log of all rooms. It keeps opaque bytes and knows nothing of games or of what is in a room."""
