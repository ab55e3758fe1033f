"""How fast it is, as figures of this machine: `make bench`."""
