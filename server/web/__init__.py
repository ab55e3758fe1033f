"""The page for people: plain modules and styles that a browser loads as they are, and what a node needs to hand them out."""
