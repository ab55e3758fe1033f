"""Bots on sockets that draw any legal answer: `make remote` plays 100 games, and not one answer may be refused."""
