"""Raids (RAI)."""

from protocol.answers import Plan, Raid
from protocol.prompts import RaidOption, RaidPrompt
from server.game.board import AREAS, ORDERS, RAIDED_FROM
from server.game.pieces import gain_power, lose_power, ordered, take_order
from server.game.play import Play
from server.game.refused import illegal
from server.game.rules.names import known_area
from server.game.rules.turns import Turns, own_order
from server.game.state import State

PLAIN = {"support", "raid", "consolidate_power"}
STARRED = PLAIN | {"defense"}


def targets(state: State, house: str, area: str) -> list[str]:
    """The areas whose order a raid order in this area may remove, by id (RAI-1, RAI-2, RAI-3)."""
    may = STARRED if ORDERS[state.areas[area].order].starred else PLAIN
    return [
        t
        for t in RAIDED_FROM[area]
        if (there := state.areas[t]).order and there.house != house and ORDERS[there.order].kind in may
    ]


class Raids(Turns, frozen=True):
    """The raid step."""

    kind = "raid"

    def ask(self, play: Play, house: str) -> None:
        """Which raid order, against which order."""
        state = play.state
        raids = [RaidOption(a, targets(state, house, a)) for a in ordered(state, house, "raid")]
        play.ask(house, RaidPrompt, kind="raid", raids=raids)

    def only(self, state: State, house: str) -> Raid | None:
        """A raid without any target is discarded unasked."""
        areas = ordered(state, house, "raid")
        return None if any(targets(state, house, a) for a in areas) else Raid(areas[0])

    def planned(self, area: str, plan: Plan) -> Raid | None:
        """The planned target."""
        return Raid(area, plan.target) if plan.target else None

    def resolve(self, play: Play, house: str, answer: Raid) -> None:
        """Removes the order named, or discards the raid (RAI-1 to RAI-4)."""
        state, area = play.state, answer.from_
        known_area(area, "answer.from")
        order = own_order(state, house, area, "raid")
        if not order:
            raise illegal(
                f"no raid order of yours lies in {AREAS[area].name}",
                "RAI-1",
                path="answer.from",
                hint="yours lie in: " + ", ".join(ordered(state, house, "raid")),
            )
        target = answer.target or ""
        if target:
            known_area(target, "answer.target")
            _check_target(state, house, area, target)
        take_order(state, area)
        self.resolved(play, house)
        if not target:
            play.tell("raid_discarded", "RAI-1", house=house, from_=area)
            return
        victim = state.areas[target].house
        removed = take_order(state, target)
        gained = lost = 0
        if ORDERS[removed].kind == "consolidate_power":
            gained, lost = gain_power(state, house, 1), lose_power(state, victim, 1)
        play.tell(
            "raided",
            *(("RAI-1", "RAI-4") if gained or lost else ("RAI-1",)),
            house=house,
            from_=area,
            target=target,
            victim=victim,
            order=removed,
            gained=gained or None,
            lost=lost or None,
        )


def _check_target(state: State, house: str, area: str, target: str) -> None:
    options = targets(state, house, area)
    if target in options:
        return
    there, path = state.areas[target], "answer.target"
    hint = "possible targets: " + ", ".join(options) if options else "it has no target; leave target out to discard it"
    if target not in RAIDED_FROM[area]:
        raise illegal(
            f"{AREAS[target].name} cannot be raided from {AREAS[area].name}", "RAI-3", "RAI-6", path=path, hint=hint
        )
    if not there.order or there.house == house:
        raise illegal(f"no enemy order lies in {AREAS[target].name}", "RAI-1", path=path, hint=hint)
    raise illegal(f"this raid cannot remove {there.order}", "RAI-2", path=path, hint=hint)
