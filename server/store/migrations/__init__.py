"""How the tables came to be what they are; `versions` has one file a change, each applied once."""
