"""House Tyrell (HCD-T1 to HCD-T7)."""

from server.game.board import NEXT
from server.game.cards.text import Text, card
from server.game.pieces import take_order, take_units
from server.game.play import Play
from server.game.rules.casualties import destroy
from server.game.rules.strength import in_battle, played_text
from server.game.state import State


@card("mace-tyrell", "HCD-T1")
class MaceTyrell(Text):
    """Immediately destroys one attacking or defending footman of the opponent."""

    when = "immediately"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """A standing and a routed footman are a choice; The Blackfish saves both (HCD-X4)."""
        combat = state.fight
        if played_text(combat, opponent).spares_units:
            return []
        routed = state.areas[combat.area].routed if opponent == combat.defender else {}
        found = {"standing": in_battle(state, opponent), "routed": routed}
        return [kind for kind, units in found.items() if units.get("footman")]

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """The combat is decided by strength all the same (HCD-X6)."""
        state, one = play.state, {"footman": 1}
        if option == "standing":
            destroy(play, opponent, one, self.rule, why="mace_tyrell")
        else:
            take_units(state, state.fight.area, one, routed=True)
            play.tell("units_destroyed", self.rule, house=opponent, area=state.fight.area, units=one, why="mace_tyrell")


@card("ser-loras-tyrell", "HCD-T2")
class SerLorasTyrell(Text):
    """If attacking and winning, the march token moves with the army and may be resolved again this round."""

    keeps_march = True


@card("queen-of-thorns", "HCD-T7")
class QueenOfThorns(Text):
    """Immediately removes one opponent order from an area adjacent to the embattled area."""

    when = "immediately"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """The areas with such an order; the march that caused the combat has left the board already."""
        near = NEXT[state.fight.area]
        return [a for a in near if state.areas[a].order and state.areas[a].house == opponent]

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """A support that was declared stops counting (SUP-7)."""
        order = take_order(play.state, option)
        play.tell("order_removed", self.rule, area=option, order=order, by=me)
