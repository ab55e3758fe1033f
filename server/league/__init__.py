"""The ladder: many games between kinds of players, in one process or several, without sockets."""
