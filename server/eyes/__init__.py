"""What an operator sees of a node from outside: metrics and traces."""
