"""The course of a round (ROU) and its clean-up (CUP)."""

from server.game.agenda import Step
from server.game.board import ROUNDS
from server.game.pieces import plus, take_order
from server.game.play import Play
from server.game.rules import victory
from server.game.rules.consolidate import Consolidates
from server.game.rules.march import Marches
from server.game.rules.planning import Planning
from server.game.rules.raid import Raids
from server.game.rules.raven import MessengerRaven
from server.game.rules.westeros import Westeros

STAGES: dict[str, tuple[str, str, type[Step] | None]] = {
    "westeros": ("westeros", "planning", Westeros),
    "planning": ("planning", "raven", Planning),
    "raven": ("planning", "raid", MessengerRaven),
    "raid": ("action", "march", Raids),
    "march": ("action", "consolidate", Marches),
    "consolidate": ("action", "clean_up", Consolidates),
    "clean_up": ("action", "westeros", None),
}
"""Each stage of a round: its phase, the stage that follows and the step that does it (ROU-1, ROU-3)."""


class Round(Step, frozen=True):
    """The rest of the game: always at the bottom of the stack."""

    stage: str = "planning"

    def run(self, play: Play) -> None:
        """Begins the next stage of the round (ROU-1 to ROU-3)."""
        state = play.state
        state.phase, following, step = STAGES[self.stage]
        state.step = self.stage if self.stage in ("raven", "raid", "march", "consolidate") else ""
        play.become(stage=following)
        if step:
            play.push(step())
            return
        clean_up(play)
        if state.round == ROUNDS:
            victory.final(play)
        else:
            state.round += 1


def clean_up(play: Play) -> None:
    """Support and defense orders go, routed units stand up, Blade and Raven are turned back (CUP-1, DOM-8)."""
    state = play.state
    for area, here in state.areas.items():
        if here.order:
            take_order(state, area)
        if here.routed:
            state.change(area, units=plus(here.units, here.routed), routed={})
    state.blade_ready = state.raven_ready = True
    state.dropped = {}
    play.tell("round_ended", "CUP-1", round=state.round)
