"""The changes of the tables, in the order that their `down_revision` tells."""
