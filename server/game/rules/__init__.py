"""The rulebook, one chapter a file."""
