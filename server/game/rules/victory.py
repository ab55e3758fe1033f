"""Who has won (VIC)."""

from server.game.board import STRUCTURES_TO_WIN
from server.game.pieces import held, structures
from server.game.play import Play
from server.game.state import Result, State


def standing(state: State) -> list[str]:
    """All houses, best first: structures, land areas, supply, Iron Throne (VIC-3)."""
    order, count = state.turn_order, structures(state)
    return sorted(
        order,
        key=lambda h: (-count[h], -len(held(state, h)), -state.houses[h].supply, order.index(h)),
    )


def check(play: Play) -> None:
    """Ends the game if a house controls its seventh structure (VIC-1, VIC-4, VIC-5)."""
    state = play.state
    if state.result is None and max(structures(state).values()) >= STRUCTURES_TO_WIN:
        _end(play, "structures", "VIC-1")


def final(play: Play) -> None:
    """Ends the game after the last round (VIC-3)."""
    _end(play, "rounds", "VIC-3")


def _end(play: Play, reason: str, rule: str) -> None:
    state = play.state
    ranking, count = tuple(standing(state)), structures(state)
    state.result = Result(ranking[0], reason, ranking)
    state.phase, state.step, state.combat = "over", "", None
    play.tell(
        "game_over",
        rule,
        winner=ranking[0],
        reason=reason,
        standing=ranking,
        structures={h: count[h] for h in ranking},
    )
