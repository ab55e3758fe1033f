"""Players that try everything: many games with every invariant after every answer. `make soak` plays 10,000 of them."""
