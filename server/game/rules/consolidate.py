"""Consolidate power orders (CON)."""

from protocol.answers import Consolidate, Plan
from protocol.prompts import ConsolidateOption, ConsolidatePrompt, SupplyRoom
from server.game.board import AREAS, ORDERS
from server.game.pieces import armies, gain_power, ordered, supply_limits, take_order
from server.game.play import Play
from server.game.refused import illegal
from server.game.rules import muster, muster_check
from server.game.rules.names import known_area
from server.game.rules.turns import Turns, own_order
from server.game.state import State


def income(state: State, area: str) -> int:
    """What a consolidate power order brings: land 1 and the crowns, port 1 if its sea is free of enemies, sea nothing."""
    facts = AREAS[area]
    if facts.kind == "land":
        return 1 + facts.crowns
    if facts.kind == "port":
        return int(state.areas[facts.sea].house in ("", state.areas[area].house))
    return 0


def may_muster(state: State, house: str, area: str) -> bool:
    """Whether the order in an area may muster instead, and could muster anything at all (CON-2)."""
    if not ORDERS[state.areas[area].order].starred or not AREAS[area].points:
        return False
    return muster_check.possible(state, house, [area])


class Consolidates(Turns, frozen=True):
    """The consolidate power step."""

    kind = "consolidate_power"

    def ask(self, play: Play, house: str) -> None:
        """Which order; a starred one may muster."""
        state = play.state
        areas = ordered(state, house, self.kind)
        orders = [
            ConsolidateOption(a, income(state, a), muster.site(state, house, a))
            if may_muster(state, house, a)
            else ConsolidateOption(a, income(state, a))
            for a in areas
        ]
        play.ask(
            house,
            ConsolidatePrompt,
            kind="consolidate",
            orders=orders,
            pieces=muster.pieces(state, house),
            costs=muster_check.COSTS,
            upgrades=muster_check.UPGRADES,
            supply=SupplyRoom(list(supply_limits(state, house)), armies(state, house)),
        )

    def only(self, state: State, house: str) -> Consolidate | None:
        """Orders that can only bring power are carried out unasked."""
        areas = ordered(state, house, self.kind)
        return None if any(may_muster(state, house, a) for a in areas) else Consolidate(areas[0])

    def planned(self, area: str, plan: Plan) -> Consolidate | None:
        """The planned muster."""
        return Consolidate(area, plan.muster) if isinstance(plan.muster, list) else None

    def resolve(self, play: Play, house: str, answer: Consolidate) -> None:
        """Takes the power or musters (CON-1 to CON-3, PRT-5)."""
        state, area = play.state, answer.from_
        known_area(area, "answer.from")
        order = own_order(state, house, area, self.kind)
        if not order:
            raise illegal(
                f"no consolidate power order of yours lies in {AREAS[area].name}",
                "CON-1",
                path="answer.from",
                hint="yours lie in: " + ", ".join(ordered(state, house, self.kind)),
            )
        if isinstance(answer.muster, list):
            if not ORDERS[order].starred or not AREAS[area].points:
                raise illegal(
                    "only a starred order on a castle or stronghold musters",
                    "CON-2",
                    path="answer.muster",
                    hint="leave muster out to take power",
                )
            made = muster_check.check(state, house, answer.muster, [area], "answer.muster")
            take_order(state, area)
            self.resolved(play, house)
            muster.carry_out(play, house, made, "CON-2")
            return
        take_order(state, area)
        self.resolved(play, house)
        facts = AREAS[area]
        rule = {"land": "CON-1", "port": "PRT-5", "sea": "CON-3"}[facts.kind]
        gained = gain_power(state, house, income(state, area))
        play.tell("power_gained", rule, house=house, area=area, gained=gained, power=state.houses[house].power)
