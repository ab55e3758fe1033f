"""Retreats (RET)."""

from typing import ClassVar

from protocol.answers import Choose, Remove
from protocol.prompts import ChoosePrompt, RemovePrompt
from server.game.agenda import Step
from server.game.board import AREAS, PORT_ROOM
from server.game.pieces import (
    armies,
    army,
    controller,
    fits,
    port_controller,
    put_units,
    size,
    take_units,
)
from server.game.play import Play
from server.game.rules.casualties import chosen_units, destroy
from server.game.rules.strength import in_battle, played_text
from server.game.rules.transport import within_reach
from server.game.state import Combat, State, Units


def open_to(state: State, house: str, area: str) -> bool:
    """Whether beaten units of a house may come into an area: nothing of an enemy is there, no neutral force (RET-3, RET-11)."""
    if AREAS[area].kind == "port":
        return port_controller(state, area) == house
    return controller(state, area) in ("", house) and not state.areas[area].neutral


def cost(state: State, house: str, area: str) -> int:
    """How many of the retreating units would be lost in an area, by supply and by the room in a port (RET-6, RET-11)."""
    combat = state.fight
    retreating = size(in_battle(state, house))
    sizes = armies(state, house)
    sizes.pop(combat.area, None)
    there = sizes.get(area, 0)
    room = PORT_ROOM - size(army(state, area)) if AREAS[area].kind == "port" else retreating
    for staying in range(min(retreating, max(0, room)), -1, -1):
        if fits(state, house, {**sizes, area: there + staying}):
            return retreating - staying
    return retreating


def retreats(state: State, house: str) -> list[str]:
    """The areas a beaten house may retreat to, all of the fewest losses; empty if no unit can be saved (RET-2 to RET-7).

    Where Robb Stark's player has won, a beaten attacker may be sent as from a defeat in the embattled area (HCD-S2).
    """
    combat = state.fight
    back = [combat.origin] if open_to(state, house, combat.origin) else []
    if house == combat.attacker and not played_text(combat, combat.winner).picks_retreat:
        return cheapest(state, house, back)
    reach = within_reach(state, house, combat.area)
    areas = [a for a in reach if a != combat.origin and open_to(state, house, a)]
    if house == combat.attacker:
        areas = sorted(areas + back)
    return cheapest(state, house, areas)


def cheapest(state: State, house: str, areas: list[str]) -> list[str]:
    """Those of the areas that cost the fewest units, if they save any (RET-6, RET-7)."""
    costs = {area: cost(state, house, area) for area in areas}
    least = min(costs.values(), default=0)
    if least >= size(in_battle(state, house)):
        return []
    return [area for area, lost in costs.items() if lost == least]


class Retreat(Step, frozen=True):
    """The survivors of the beaten side go back together and are routed (RET-1)."""

    routed: ClassVar[bool] = True
    to: str = ""

    def house(self, state: State) -> str:
        """The house that must go back."""
        return state.fight.loser

    def areas(self, state: State, house: str) -> list[str]:
        """Where they may go."""
        return retreats(state, house)

    def run(self, play: Play) -> None:
        """Finds where they may go; asks where there is a choice."""
        state = play.state
        combat = state.change_combat(stage="retreat")
        house = self.house(state)
        units = in_battle(state, house) if house else {}
        if not units:
            play.done()
        elif self.to:
            self._go(play, combat, house)
        else:
            self._find(play, combat, house, units)

    def _find(self, play: Play, combat: Combat, house: str, units: Units) -> None:
        """The loser picks the area (RET-5), or Robb Stark's player (HCD-S2)."""
        state = play.state
        areas = self.areas(state, house)
        if not areas:
            play.done()
            rules = ("RET-12", "RET-7") if house == combat.attacker else ("RET-7",)
            destroy(play, house, units, *rules, why="no_retreat")
            return
        picks = played_text(combat, combat.winner).picks_retreat
        choice = play.choose(
            combat.winner if picks else house,
            "retreat",
            areas,
            area=combat.area,
            attacker=combat.attacker,
            defender=combat.defender,
            card=combat.cards[combat.winner] if picks else "",
        )
        if choice is not None:
            self._choose(play, house, choice)

    def take(self, play: Play, house: str, prompt: ChoosePrompt | RemovePrompt, answer: Choose | Remove) -> None:
        """The area, or the units given up for it."""
        if isinstance(prompt, RemovePrompt) and isinstance(answer, Remove):
            destroy(play, house, chosen_units(prompt, answer, "RET-6"), "RET-6", why="supply")
        elif isinstance(answer, Choose):
            self._choose(play, self.house(play.state), answer.option)

    @staticmethod
    def _choose(play: Play, house: str, area: str) -> None:
        """Units that find no supply or no room in the area are given up first (RET-6, RET-11, RET-13)."""
        state = play.state
        play.become(to=area)
        lost, units = cost(state, house, area), in_battle(state, house)
        if not lost:
            return
        if len(units) == 1:
            destroy(play, house, dict.fromkeys(units, lost), "RET-6", why="supply")
        else:
            play.ask(house, RemovePrompt, kind="retreat", units={state.fight.area: units}, count=lost)

    def _go(self, play: Play, combat: Combat, house: str) -> None:
        state = play.state
        units = in_battle(state, house)
        if house == combat.attacker:
            state.change_combat(army={})
        else:
            take_units(state, combat.area, units)
        put_units(state, house, self.to, units, routed=self.routed)
        play.done()
        if self.routed:
            side = combat.side(house)
            play.tell("retreated", "RET-1", house=house, side=side, from_=combat.area, to=self.to, units=units)
        else:
            play.tell("turned_back", "HCD-M6", house=house, from_=combat.area, to=self.to, units=units)


class TurnBack(Retreat, frozen=True):
    """Arianne Martell keeps winning attackers out: they go back to their origin, not routed (HCD-M6)."""

    routed = False

    def house(self, state: State) -> str:
        """The winning attacker, if the beaten defender bars the way."""
        combat = state.fight
        barred = combat.winner == combat.attacker and played_text(combat, combat.defender).bars_entry
        return combat.attacker if barred else ""

    def areas(self, state: State, house: str) -> list[str]:
        """Only the origin, if it is still open to them."""
        origin = state.fight.origin
        return cheapest(state, house, [origin] if open_to(state, house, origin) else [])
