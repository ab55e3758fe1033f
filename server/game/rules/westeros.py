"""The Westeros phase (WES)."""

from server.game.agenda import Play, Step


class Westeros(Step, frozen=True):
    """Empty until its chapter is written: the round marker has advanced, no cards are drawn."""

    def run(self, play: Play) -> None:
        """A new round begins (WES-1)."""
        play.state.restrictions = ()
        play.done()
        play.tell("round_began", "WES-1", round=play.state.round)
