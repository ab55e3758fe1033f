"""Marches (MAR): which groups go where, and what they meet."""

from typing import Any

from protocol.answers import Choose, March, Plan
from protocol.prompts import ChoosePrompt
from server.game.pieces import counted, enter, lose_power, ordered, take_order, take_units
from server.game.play import Play
from server.game.rules import combat, ports, victory
from server.game.rules.march_check import Assault, check
from server.game.rules.march_prompt import ask_march
from server.game.rules.support import planned_side, supporters
from server.game.rules.turns import Turns
from server.game.state import State


class Marches(Turns, frozen=True):
    """The march step. While other houses are asked for support against a neutral force the march is pending (NEU-14)."""

    kind = "march"
    pending: March | None = None
    asked: tuple[str, ...] = ()
    aid: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    """Neutral forces that the house to act cannot beat now because nobody helped it."""

    def run(self, play: Play) -> None:
        """Goes on with a pending march, else with the next house."""
        if self.pending:
            self._call_for_aid(play, self.pending)
        else:
            super().run(play)

    def ask(self, play: Play, house: str) -> None:
        """Which march order, and its groups."""
        ask_march(play, house, self.closed)

    def only(self, state: State, house: str) -> March | None:
        """Orders over routed units only are discarded unasked (RET-9)."""
        areas = ordered(state, house, "march")
        return None if any(state.areas[a].units for a in areas) else March(areas[0], [])

    def planned(self, area: str, plan: Plan) -> March | None:
        """The planned groups."""
        return March(area, plan.moves, plan.leave_power) if isinstance(plan.moves, list) else None

    def take(self, play: Play, house: str, prompt: Any, answer: Any) -> None:
        """A march, or the word of a house that was asked to support it."""
        if isinstance(answer, Choose):
            self._aid(play, house, helps=answer.option == "attacker", asked=True)
        else:
            self.resolve(play, house, answer)

    def resolve(self, play: Play, house: str, answer: March) -> None:
        """Carries out the march, or first calls for the support that it needs (MAR-5, NEU-14)."""
        assault = check(play.state, house, answer, self.closed)
        if assault and assault.reckoning and assault.reckoning.total() < assault.reckoning.needed:
            play.become(pending=answer, asked=(), aid=())
        else:
            self._go(play, house, answer, assault, ())

    # ---- support of others against a neutral force

    def _call_for_aid(self, play: Play, march: March) -> None:
        state = play.state
        house = state.areas[march.from_].house
        assault = check(state, house, march, self.closed)
        assert assault and assault.reckoning
        reckoning = assault.reckoning
        for helper in reckoning.offers:
            if helper in self.asked:
                continue
            side = planned_side(state, supporters(state, assault.to, march.from_)[helper], {house: "attacker"})
            if side is not None:
                self._aid(play, helper, helps=side == "attacker", asked=False)
                return
            play.ask(
                helper,
                ChoosePrompt,
                kind="support",
                options=["attacker", "none"],
                area=assault.to,
                attacker=house,
                strength={"attacker": reckoning.offers[helper]},
            )
            return
        if reckoning.total(self.aid) >= reckoning.needed:
            play.become(pending=None)
            self._go(play, house, march, assault, self.aid)
        else:
            total = reckoning.total(self.aid)
            play.tell(
                "neutral_held", "NEU-2", "NEU-14", house=house, area=assault.to, needed=reckoning.needed, total=total
            )
            play.become(pending=None, closed=(*self.closed, assault.to))

    def _aid(self, play: Play, helper: str, *, helps: bool, asked: bool) -> None:
        assert self.pending
        play.become(asked=(*self.asked, helper), aid=(*self.aid, helper) if helps else self.aid)
        house = play.state.areas[self.pending.from_].house
        play.tell(
            "support_declared",
            "NEU-6",
            "SUP-3",
            house=helper,
            side="attacker" if helps else "none",
            helped=house if helps else "",
            asked=asked or None,
        )

    # ---- the march itself

    def _go(self, play: Play, house: str, march: March, assault: Assault | None, aid: tuple[str, ...]) -> None:
        state, origin = play.state, march.from_
        plain = [m for m in march.moves if not assault or m.to != assault.to]
        order = take_order(state, origin)
        self.resolved(play, house)
        play.become(closed=())
        if not march.moves:
            play.tell("march_discarded", "MAR-1", house=house, from_=origin, order=order)
            return
        for move in march.moves:
            take_units(state, origin, counted(move.units))
        if march.leave_power:
            state.change(origin, power=house)
            lose_power(state, house, 1)
        play.tell(
            "marched",
            "MAR-1",
            *(["MAR-5"] if assault and plain else []),
            house=house,
            from_=origin,
            order=order,
            moves=[{"to": m.to, "units": counted(m.units)} for m in march.moves],
            left_power=march.leave_power or None,
        )
        for move in plain:
            arrive(play, house, move.to, counted(move.units))
        if assault and assault.reckoning:
            state.change(assault.to, neutral=0)
            play.tell(
                "neutral_destroyed",
                "NEU-3",
                "NEU-10",
                house=house,
                area=assault.to,
                needed=assault.reckoning.needed,
                total=assault.reckoning.total(aid),
                parts=[list(part) for part in assault.reckoning.explained(aid)],
            )
            arrive(play, house, assault.to, assault.units)
        elif assault:
            combat.begin(play, house, origin, assault.to, assault.units, order)
        ports.settle(play)
        if not state.combat:
            victory.check(play)


def arrive(play: Play, house: str, area: str, units: dict[str, int]) -> None:
    """Units enter an area without a fight (MAR-6, MAR-11, CTL-7)."""
    token = enter(play.state, house, area, units)
    if token:
        play.tell("power_removed", "CTL-7", "MAR-11", area=area, house=token, by=house)
