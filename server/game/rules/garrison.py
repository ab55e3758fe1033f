"""Garrisons (GAR): they add their strength to the defence of their area and fall with its first defeat.

Their strength counts in `strength.parts` (GAR-4), an attack on one alone is a combat like any other (GAR-5, `march_check`),
they get no order (GAR-3, `planning`) and are not units (GAR-2): no other chapter can touch them.
"""

from server.game.play import Play


def fall(play: Play) -> None:
    """The garrison of a beaten defender is removed for good, whatever the icons, and fills no casualty (GAR-7, GAR-10)."""
    state, combat = play.state, play.state.fight
    if combat.loser == combat.defender and (strength := state.areas[combat.area].garrison):
        state.change(combat.area, garrison=0)
        play.tell("garrison_destroyed", "GAR-7", house=combat.defender, area=combat.area, strength=strength)
