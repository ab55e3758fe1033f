"""House Martell (HCD-M1 to HCD-M7)."""

from server.game.board import TRACKS
from server.game.cards.text import Text, card
from server.game.play import Play
from server.game.rules import tracks
from server.game.state import State


@card("nymeria-sand", "HCD-M5")
class NymeriaSand(Text):
    """One fortification if defending, one sword if attacking."""

    def icons(self, state: State, me: str) -> tuple[int, int]:
        """By the side."""
        return (1, 0) if state.fight.attacker == me else (0, 1)


@card("arianne-martell", "HCD-M6")
class ArianneMartell(Text):
    """If defending and losing, the attackers may not enter; they go back to their origin."""

    bars_entry = True


@card("doran-martell", "HCD-M7")
class DoranMartell(Text):
    """Immediately moves the opponent to the bottom of one influence track of Martell's choice."""

    when = "immediately"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """The three tracks."""
        return list(TRACKS)

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """Counts at once: ties, Blade, turn order of what is left (HCD-X3)."""
        tracks.to_bottom(play.state, option, opponent)
        play.tell(
            "track_changed", self.rule, "TRK-2", house=opponent, track=option, order=play.state.tracks[option], by=me
        )
