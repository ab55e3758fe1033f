"""A game on the terminal: what a spectator sees, in colour and plain words."""
