"""How the orders of one kind are resolved: in turn order, one at a time, round and round (ROU-4)."""

from typing import Any, ClassVar

from protocol.answers import Answer, Plan
from server.game.agenda import Step
from server.game.board import ORDERS
from server.game.pieces import ordered, with_orders
from server.game.play import Play
from server.game.refused import Refused
from server.game.rules import victory
from server.game.state import State


class Turns(Step, frozen=True):
    """Resolves all orders of a kind. Subclasses say what resolving one means."""

    kind: ClassVar[str]
    acted: tuple[str, ...] = ()
    """The houses that have had their turn in this lap; turn order is read anew for every order (ROU-6)."""

    def run(self, play: Play) -> None:
        """Lets the next house with such an order act; a planned order goes first, a forced one is not asked."""
        victory.check(play)
        state = play.state
        if state.result:
            return
        able = with_orders(state, self.kind)
        if not able:
            play.done()
            return
        house = next((h for h in able if h not in self.acted), "")
        if not house:
            play.become(acted=())
            house = able[0]
        if not self.carry_out_plan(play, house) and not self.forced(play, house):
            self.ask(play, house)

    def carry_out_plan(self, play: Play, house: str) -> bool:
        """Resolves the first order of the house that has a plan; a plan that is not legal now is dropped (INTERFACE §5)."""
        state = play.state
        if not state.plans:
            return False
        planned = [(a, p) for a in ordered(state, house, self.kind) if (p := state.plans.get(a))]
        planned.sort(key=lambda each: (each[1].rank or 99, each[0]))
        for area, plan in planned:
            answer = self.planned(area, plan)
            if answer is None:
                continue
            trial = Play(play.state.fork())
            trial.tell("planned", house=house, area=area, order=state.areas[area].order)
            del trial.state.plans[area]
            try:
                self.resolve(trial, house, answer)
            except Refused as refusal:
                del play.state.plans[area]
                play.state.dropped[house] = f"The plan for {area} was dropped: {refusal.message}."
                play.tell("plan_dropped", *refusal.rules, house=house, area=area, code=refusal.code)
            else:
                play.adopt(trial)
                return True
        return False

    def forced(self, play: Play, house: str) -> bool:
        """Resolves an order without asking if no order of the house leaves a choice (a decision with one legal answer)."""
        answer = self.only(play.state, house)
        if answer is None:
            return False
        self.resolve(play, house, answer)
        return True

    def resolved(self, play: Play, house: str) -> None:
        """The house has had its turn."""
        current = play.state.agenda[-1]
        play.become(acted=(*current.acted, house))

    def take(self, play: Play, house: str, prompt: Any, answer: Any) -> None:
        """The house resolves one of its orders."""
        self.resolve(play, house, answer)

    def ask(self, play: Play, house: str) -> None:
        """Asks the house which order to resolve and how."""
        raise NotImplementedError

    def only(self, state: State, house: str) -> Answer | None:
        """The answer to take unasked, if no order of the house leaves a choice."""
        raise NotImplementedError

    def planned(self, area: str, plan: Plan) -> Answer | None:
        """The answer that a plan stands for, if it says what to do."""
        raise NotImplementedError

    def resolve(self, play: Play, house: str, answer: Any) -> None:
        """Carries the answer out; raises `Refused`."""
        raise NotImplementedError


def own_order(state: State, house: str, area: str, kind: str) -> str:
    """The order of that kind and house in an area, or nothing."""
    here = state.areas.get(area)
    if here and here.house == house and here.order and ORDERS[here.order].kind == kind:
        return here.order
    return ""
