"""Retreats (RET)."""

from protocol.answers import Choose, Remove
from protocol.prompts import ChoosePrompt, RemovePrompt
from server.game.agenda import Play, Step
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
from server.game.rules.casualties import chosen_units, destroy, in_battle
from server.game.rules.transport import within_reach
from server.game.state import Combat, State


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
    """The areas a beaten house may retreat to, all of the fewest losses; empty if no unit can be saved (RET-2 to RET-7)."""
    combat = state.fight
    if house == combat.attacker:
        areas = [combat.origin] if open_to(state, house, combat.origin) else []
    else:
        reach = within_reach(state, house, combat.area)
        areas = [a for a in reach if a != combat.origin and open_to(state, house, a)]
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

    to: str = ""

    def run(self, play: Play) -> None:
        """Finds where they may go; asks where there is a choice (RET-5)."""
        state = play.state
        combat = state.change_combat(stage="retreat")
        loser = combat.loser
        units = in_battle(state, loser)
        if not units:
            play.done()
            return
        if not self.to:
            areas = retreats(state, loser)
            if not areas:
                play.done()
                destroy(play, loser, units, *self._why_none(state, combat), why="no_retreat")
                return
            choice = play.choose(
                self.chooser(state),
                "retreat",
                areas,
                area=combat.area,
                attacker=combat.attacker,
                defender=combat.defender,
            )
            if choice is None:
                return
            play.become(to=choice)
            self._lose(play, combat, choice)
            return
        self._go(play, combat, self.to)

    def chooser(self, state: State) -> str:
        """Who picks the area: the loser (RET-5)."""
        return state.fight.loser

    def take(self, play: Play, house: str, prompt: ChoosePrompt | RemovePrompt, answer: Choose | Remove) -> None:
        """The area, or the units given up for it."""
        combat = play.state.fight
        if isinstance(prompt, RemovePrompt):
            assert isinstance(answer, Remove)
            destroy(play, house, chosen_units(prompt, answer, "RET-6"), "RET-6", why="supply")
        else:
            assert isinstance(answer, Choose)
            play.become(to=answer.option)
            self._lose(play, combat, answer.option)

    @staticmethod
    def _lose(play: Play, combat: Combat, area: str) -> None:
        """Units that find no supply or no room there are given up first (RET-6, RET-11, RET-13)."""
        state, loser = play.state, combat.loser
        lost, units = cost(state, loser, area), in_battle(state, loser)
        if not lost:
            return
        if len(units) == 1:
            destroy(play, loser, dict.fromkeys(units, lost), "RET-6", why="supply")
        else:
            play.ask(loser, RemovePrompt, kind="retreat", units={combat.area: units}, count=lost)

    @staticmethod
    def _go(play: Play, combat: Combat, area: str) -> None:
        state, loser = play.state, combat.loser
        units = in_battle(state, loser)
        if loser == combat.attacker:
            state.change_combat(army={})
        else:
            take_units(state, combat.area, units)
        put_units(state, loser, area, units, routed=True)
        play.done()
        play.tell("retreated", "RET-1", house=loser, from_=combat.area, to=area, units=units)

    @staticmethod
    def _why_none(state: State, combat: Combat) -> tuple[str, ...]:
        return ("RET-12", "RET-7") if combat.loser == combat.attacker else ("RET-7",)
