"""Supply: the markers, and bringing armies back within the limits (SPL-4, SPL-5). The limits themselves are in `pieces`."""

from collections.abc import Sequence

from protocol.answers import Remove
from protocol.prompts import RemovePrompt, SupplyRoom, over_limits
from server.game.agenda import Step
from server.game.board import AREAS, MAX_SUPPLY
from server.game.pieces import armies, army, fits, held, size, supply_limits
from server.game.play import Play
from server.game.refused import illegal
from server.game.rules import losses
from server.game.state import State, Units


def barrels(state: State, house: str) -> int:
    """The barrels in the areas a house controls."""
    return sum(AREAS[area].barrels for area in held(state, house))


def adjust(play: Play) -> None:
    """Every house sets its marker to its barrels, then all reconcile their armies (WES-11)."""
    state = play.state
    for house in state.turn_order:
        set_marker(play, house, barrels(state, house), "WES-11")
    reconcile(play)


def set_marker(play: Play, house: str, supply: int, rule: str) -> None:
    """Moves a marker, never above 6 or below 0 (SPL-4)."""
    supply = max(0, min(MAX_SUPPLY, supply))
    play.state.change_house(house, supply=supply)
    play.tell("supply_set", rule, "SPL-4", house=house, supply=supply)


def reconcile(play: Play) -> None:
    """All houses reconcile in turn order (SPL-5)."""
    play.push(*(Reconcile(house) for house in play.state.turn_order))


class Reconcile(Step, frozen=True):
    """A house destroys units until its armies are within its supply, no more than needed (SPL-5, SPL-7)."""

    house: str

    def run(self, play: Play) -> None:
        """Asks the house which units go, if it has a choice."""
        state, house = play.state, self.house
        sizes, limits = armies(state, house), supply_limits(state, house)
        needed = over_limits(limits, sizes.values())
        if not needed:
            play.done()
            return
        ways = cuts(limits, sizes, needed)
        able = {area: army(state, area) for area in sizes if any(area in way for way in ways)}
        if len(ways) == 1 and all(len(units) == 1 for units in able.values()):
            self._lose(play, {area: dict.fromkeys(units, ways[0][area]) for area, units in able.items()})
            return
        room = SupplyRoom(list(limits), sizes)
        play.ask(house, RemovePrompt, kind="reconcile", units=able, count=needed, supply=room)

    def take(self, play: Play, house: str, prompt: RemovePrompt, answer: Remove) -> None:
        """The answer is judged as a whole: so many units, and then all armies fit."""
        lost = losses.chosen(prompt, answer, "SPL-5")
        sizes = {area: n - size(lost.get(area, {})) for area, n in armies(play.state, house).items()}
        if not fits(play.state, house, sizes):
            raise illegal(
                "your armies would still be too large",
                "SPL-5",
                "SPL-2",
                path="answer.units",
                hint="the supply allows armies of " + ", ".join(map(str, supply_limits(play.state, house))),
            )
        self._lose(play, lost)

    def _lose(self, play: Play, lost: losses.Losses) -> None:
        play.done()
        losses.destroy(play, self.house, lost, "SPL-5", why="supply")


def cuts(limits: Sequence[int], sizes: Units, needed: int) -> list[Units]:
    """All ways to take away the units that are too many, each as a number by area.

    One unit less brings the armies at most one closer to the limits, so every unit of a way must, in whatever order.
    """
    ways: dict[tuple[int, ...], Units] = {(0,) * len(sizes): {}}
    for over in range(needed, 0, -1):
        further: dict[tuple[int, ...], Units] = {}
        for way in ways.values():
            for area in sizes:
                more = {**way, area: way.get(area, 0) + 1}
                key = tuple(more.get(a, 0) for a in sizes)
                if key not in further and over_limits(limits, (n - more.get(a, 0) for a, n in sizes.items())) < over:
                    further[key] = more
        ways = further
    return list(ways.values())
