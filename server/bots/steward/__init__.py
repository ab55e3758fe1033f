"""The rule-of-thumb player: it values what the board offers and what threatens it, and asks nothing of the future.

It knows the view of its seat and what is printed on the board, and nothing else.
"""
