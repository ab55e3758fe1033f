"""The searching player: it imagines what it cannot see, and plays the rest of the round on copies of the game.

From its own view it rebuilds a whole game that could be the true one, gives the other houses plans that a steward might
make, plays its own candidates to the end of the round, and takes the one that turns out best.
"""
