"""Units given up anywhere on the board: for the wildlings (WIL-7) and for supply (SPL-5). Garrisons are no units (GAR-2)."""

from protocol.answers import Remove
from protocol.prompts import RemovePrompt
from server.game.agenda import Step
from server.game.board import UNITS
from server.game.pieces import army, counted, holds, occupied, put_units, size, take_units
from server.game.play import Play
from server.game.refused import illegal
from server.game.rules import ports, victory
from server.game.rules.names import known_area
from server.game.state import State, Units

Losses = dict[str, Units]
"""Units by area."""


class GiveUp(Step, frozen=True):
    """A house gives up some of its units for a wildling card, of its choice; with too few of them all."""

    house: str
    count: int
    card: str
    rule: str
    areas: tuple[str, ...] = ()
    """If any are named, all units must be in one of them."""
    only: str = ""
    """The kind of unit that counts, if not all do."""
    becomes: str = ""
    """The kind they turn into, if they are not destroyed."""

    def run(self, play: Play) -> None:
        """Asks the house, if it has a choice."""
        able = self._able(play.state)
        if not self.count or not able:
            play.done()
        elif (forced := only_choice(able, self.count)) is not None:
            self._lose(play, forced)
        else:
            play.ask(
                self.house,
                RemovePrompt,
                kind="wildlings",
                units=able,
                count=self.count,
                one_area=bool(self.areas),
                card=self.card,
                becomes=self.becomes,
            )

    def take(self, play: Play, house: str, prompt: RemovePrompt, answer: Remove) -> None:
        """The choice of the house."""
        self._lose(play, chosen(prompt, answer, self.rule, "WIL-7"))

    def _able(self, state: State) -> Losses:
        able = {area: army(state, area) for area in self.areas or occupied(state, self.house)}
        if not self.only:
            return able
        return {area: {self.only: n} for area, units in able.items() if (n := units.get(self.only, 0))}

    def _lose(self, play: Play, lost: Losses) -> None:
        play.done()
        if self.becomes:
            turn(play, self.house, lost, self.becomes, self.rule)
        else:
            destroy(play, self.house, lost, self.rule, "WIL-7", why="wildlings")


def only_choice(able: Losses, count: int) -> Losses | None:
    """What must be given up where nothing is to choose: all there is, or units of one kind in one area."""
    if sum(size(units) for units in able.values()) <= count:
        return able
    if len(able) == 1:
        ((area, units),) = able.items()
        if len(units) == 1:
            return {area: dict.fromkeys(units, count)}
    return None


def chosen(prompt: RemovePrompt, answer: Remove, *rules: str) -> Losses:
    """The units of an answer, `count` of those in the prompt; raises `Refused`."""
    lost: Losses = {}
    for area, named in answer.units.items():
        path = f"answer.units.{area}"
        known_area(area, path)
        able, units = prompt.units.get(area, {}), counted(named)
        if not holds(able, units):
            raise illegal(
                "those units are not there to be given up",
                *rules,
                path=path,
                hint="possible: " + (", ".join(f"{n} {unit}" for unit, n in able.items()) or ", ".join(prompt.units)),
            )
        lost[area] = units
    total = sum(size(units) for units in lost.values())
    if total != prompt.count:
        raise illegal(
            f"{total} units given up, it must be {prompt.count}",
            *rules,
            path="answer.units",
            hint="no more and no fewer",
        )
    if prompt.one_area and len(lost) > 1:
        raise illegal(
            "all of them must be in one area", *rules, path="answer.units", hint="one of: " + ", ".join(prompt.units)
        )
    return {area: lost[area] for area in sorted(lost)}


def destroy(play: Play, house: str, lost: Losses, *rules: str, why: str) -> None:
    """Units of a house are destroyed, and with them perhaps its hold on areas and ports (CTL-2, PRT-6, PRT-8, VIC-4).

    The step that does this is done already, since the ports may have questions to ask.
    """
    for area, units in lost.items():
        _take(play.state, area, units)
        play.tell("units_destroyed", *rules, house=house, area=area, units=units, why=why)
    ports.settle(play)
    victory.check(play)


def turn(play: Play, house: str, units: Losses, into: str, rule: str) -> None:
    """Units of a house turn into another kind, of which there must be enough pieces (MUS-5)."""
    for area, those in units.items():
        _take(play.state, area, those)
        put_units(play.state, house, area, {into: size(those)})
        play.tell("units_turned", rule, house=house, area=area, units=those, into=into)


def _take(state: State, area: str, units: Units) -> None:
    """Takes units away, routed ones first."""
    routed = {unit: n for unit in UNITS if (n := min(units.get(unit, 0), state.areas[area].routed.get(unit, 0)))}
    standing = {unit: rest for unit, n in units.items() if (rest := n - routed.get(unit, 0))}
    if routed:
        take_units(state, area, routed, routed=True)
    if standing:
        take_units(state, area, standing)
