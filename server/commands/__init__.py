"""One module a subcommand of `marchwarden`."""
