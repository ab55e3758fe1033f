"""By what the load knows a reveal without reading the frame."""

MARK = b"orders_revealed"
"""The name of the event; the relay writes it into its frames as well."""
