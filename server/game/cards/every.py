"""All houses' card texts; importing this fills the registry."""

from server.game.cards import baratheon, greyjoy, lannister, martell, stark, tyrell
from server.game.cards.text import TEXTS

HOUSES = (stark, greyjoy, lannister, baratheon, tyrell, martell)
WITH_TEXT = frozenset(TEXTS)
"""The cards that do something."""
