"""`python -m server` is `marchwarden`."""

from server.cli import main

main(prog_name="marchwarden")
