"""Whole recorded games. `python -m tests.replays.make` records them anew, which is right only when RULES_VERSION has grown."""
