"""The rules that a server plays by: the base game."""

from collections.abc import Sequence

from server.game.board import SETUPS
from server.game.game import RULES_VERSION, Game


class BaseGame:
    """Makes games of the base game for 3 to 6 players; they are `Rules` of a room."""

    version = RULES_VERSION

    def houses(self, players: int) -> Sequence[str]:
        """The houses in play with that many players."""
        return SETUPS[players].houses

    def new(self, players: int, seed: bytes, tides: bool) -> Game:
        """A game at its first decision."""
        return Game.new(players, seed, tides=tides)

    def load(self, data: bytes) -> Game:
        """A game from its dump."""
        return Game.load(data)
