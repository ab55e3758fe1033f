"""What the beaten side loses before it retreats (CAS, GAR-7)."""

from protocol.answers import Remove
from protocol.prompts import RemovePrompt
from server.game.agenda import Step
from server.game.pieces import counted, holds, minus, size, take_units
from server.game.play import Play
from server.game.refused import illegal
from server.game.rules import garrison
from server.game.rules.strength import in_battle, played_text
from server.game.state import Combat, State, Units


def destroy(play: Play, house: str, units: Units, *rules: str, why: str) -> None:
    """Standing units of a main side are destroyed."""
    state, combat = play.state, play.state.fight
    if house == combat.attacker:
        state.change_combat(army=minus(combat.army, units))
    else:
        take_units(state, combat.area, units)
    play.tell("units_destroyed", *rules, house=house, area=combat.area, units=units, why=why)


class Casualties(Step, frozen=True):
    """The loser's garrison, siege engines and routed units go, then one unit for each sword (CAS-1 to CAS-4)."""

    def run(self, play: Play) -> None:
        """Takes what must go, and asks the loser where it has a choice."""
        state, combat = play.state, play.state.fight
        garrison.fall(play)
        self._unfit(play, combat)
        count = self._count(state, combat)
        units = in_battle(state, combat.loser)
        if not count or not units:
            play.done()
        elif count >= size(units) or len(units) == 1:
            lost = units if count >= size(units) else dict.fromkeys(units, count)
            play.done()
            destroy(play, combat.loser, lost, "CAS-1", *(["CAS-4"] if count > size(units) else []), why="swords")
        else:
            play.ask(combat.loser, RemovePrompt, kind="casualties", units={combat.area: units}, count=count)

    def take(self, play: Play, house: str, prompt: RemovePrompt, answer: Remove) -> None:
        """The loser's choice."""
        lost = chosen_units(prompt, answer, "CAS-1")
        play.done()
        destroy(play, house, lost, "CAS-1", why="swords")

    @staticmethod
    def _unfit(play: Play, combat: Combat) -> None:
        """Siege engines and already routed units do not fill the count (CAS-2)."""
        state, loser = play.state, combat.loser
        if engines := in_battle(state, loser).get("siege_engine", 0):
            destroy(play, loser, {"siege_engine": engines}, "CAS-2", "RET-8", why="siege_engines")
        routed = state.areas[combat.area].routed if loser == combat.defender else {}
        if routed:
            take_units(state, combat.area, routed, routed=True)
            play.tell("units_destroyed", "CAS-2", "RET-8", house=loser, area=combat.area, units=routed, why="routed")

    @staticmethod
    def _count(state: State, combat: Combat) -> int:
        """Swords of the winner less fortifications of the loser (CAS-1, HCD-7)."""
        if played_text(combat, combat.loser).spares_units:
            return 0
        return max(0, combat.icons[combat.winner][0] - combat.icons[combat.loser][1])


def chosen_units(prompt: RemovePrompt, answer: Remove, *rules: str) -> Units:
    """The units of an answer that gives up units in the one area of its prompt; raises `Refused` if they do not fit."""
    (area, able), *_ = prompt.units.items()
    chosen = counted(answer.units.get(area, {}))
    if set(answer.units) - {area} or not holds(able, chosen):
        raise illegal(
            "those units are not there to be given up",
            *rules,
            path="answer.units",
            hint=f"in {area}: " + ", ".join(f"{n} {unit}" for unit, n in able.items()),
        )
    if size(chosen) != prompt.count:
        raise illegal(
            f"{size(chosen)} units given up, it must be {prompt.count}",
            *rules,
            path="answer.units",
            hint="no more and no fewer",
        )
    return chosen
