"""Support in combat (SUP)."""

from protocol.answers import Choose
from protocol.prompts import ChoosePrompt
from server.game.agenda import Step
from server.game.board import ORDERS, SUPPORTED_FROM
from server.game.cards.text import prefers_unsupported
from server.game.play import Play
from server.game.rules import strength
from server.game.state import State


def supporters(state: State, target: str, *not_from: str) -> dict[str, list[str]]:
    """The areas whose support order may help in a fight in an area, by house in turn order (SUP-1, SUP-4, SUP-6)."""
    found: dict[str, list[str]] = {}
    for area in SUPPORTED_FROM[target]:
        here = state.areas[area]
        if here.order and ORDERS[here.order].kind == "support" and area not in not_from:
            found.setdefault(here.house, []).append(area)
    return {house: found[house] for house in state.turn_order if house in found}


def planned_side(state: State, areas: list[str], sides: dict[str, str]) -> str | None:
    """What the plans of a house's support orders say: a side, none, or nothing (then it is asked).

    `sides` maps the houses that can be helped to their side. Planned orders speak by rank; the first that settles it counts.
    """
    plans = sorted((plan.rank or 99, area, plan) for area in areas if (plan := state.plans.get(area)))
    for _, _, plan in plans:
        for house in plan.help or ():
            if house in sides:
                return sides[house]
    if any(plan.others == "none" for _, _, plan in plans):
        return "none"
    return None


class CallForSupport(Step, frozen=True):
    """Every house with adjacent support orders says whom they help, in turn order, openly (SUP-2, SUP-3)."""

    def run(self, play: Play) -> None:
        """Asks the next house, or ends the call."""
        state, combat = play.state, play.state.fight
        for house, areas in supporters(state, combat.area, combat.area, combat.origin).items():
            if house in combat.sides:
                continue
            own = combat.side(house)
            if own != "none" and not prefers_unsupported(state.houses[house].hand):
                self._declare(play, house, areas, own, asked=False)
                return
            planned = planned_side(state, areas, {combat.attacker: "attacker", combat.defender: "defender"})
            if (planned is not None and own in ("none", planned)) or planned == "none":
                self._declare(play, house, areas, planned, asked=False)
                return
            options = [own, "none"] if own != "none" else ["attacker", "defender", "none"]
            play.ask(
                house,
                ChoosePrompt,
                kind="support",
                options=options,
                area=combat.area,
                attacker=combat.attacker,
                defender=combat.defender,
                strength={s: strength.offered(state, areas, combat.area, s) for s in ("attacker", "defender")},
            )
            return
        state.change_combat(stage="cards")
        play.done()

    def take(self, play: Play, house: str, prompt: ChoosePrompt, answer: Choose) -> None:
        """The house has decided, bindingly for this combat."""
        combat = play.state.fight
        areas = supporters(play.state, combat.area, combat.area, combat.origin)[house]
        self._declare(play, house, areas, answer.option, asked=True)

    @staticmethod
    def _declare(play: Play, house: str, areas: list[str], side: str, *, asked: bool) -> None:
        state, combat = play.state, play.state.fight
        state.change_combat(sides={**combat.sides, house: side})
        adds = strength.offered(state, areas, combat.area, side) if side != "none" else None
        helped = {"attacker": combat.attacker, "defender": combat.defender}.get(side, "")
        play.tell(
            "support_declared",
            "SUP-2",
            "SUP-3",
            house=house,
            side=side,
            helped=helped,
            areas=areas,
            adds=adds,
            asked=asked or None,
        )
