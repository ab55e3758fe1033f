"""Mustering (MUS): what a structure may raise."""

from protocol.answers import Muster
from protocol.prompts import MusterPrompt, MusterSite, SupplyRoom
from server.game.agenda import Step
from server.game.board import AREAS, STRUCTURES, UNITS
from server.game.pieces import armies, held, pieces_left, put_units, supply_limits, take_units
from server.game.play import Play
from server.game.refused import illegal
from server.game.rules.muster_check import COSTS, UPGRADES, Mustered, check, possible, ship_places
from server.game.state import State


def site(state: State, house: str, area: str) -> MusterSite:
    """What a house is told about a structure of its own."""
    footmen = state.areas[area].units.get("footman", 0)
    return MusterSite(area, AREAS[area].points, footmen, ship_places(state, house, area))


def pieces(state: State, house: str) -> dict[str, int]:
    """The units a house has left to muster."""
    return {unit: n for unit in UNITS if (n := pieces_left(state, house, unit))}


def carry_out(play: Play, house: str, made: Mustered, rule: str) -> None:
    """Puts the new units on the board; upgraded footmen are free again at once (MUS-5)."""
    state = play.state
    for area, kinds in made.upgrades.items():
        take_units(state, area, {"footman": sum(kinds.values())})
        put_units(state, house, area, kinds)
    for area, kinds in made.new.items():
        put_units(state, house, area, kinds)
    play.tell("mustered", rule, house=house, units=made.new, upgraded=made.upgrades)


def everybody(play: Play) -> None:
    """In turn order every house musters in each structure area it controls (WES-12)."""
    play.push(*(Mustering(house, "WES-12") for house in play.state.turn_order))


class Mustering(Step, frozen=True):
    """A house musters in all its structures at once, or in one of them (MUS-7: control is enough)."""

    house: str
    rule: str
    one_site: bool = False

    def run(self, play: Play) -> None:
        """Asks the house, if it can muster anything."""
        state, house = play.state, self.house
        areas = held(state, house, STRUCTURES)
        if self.one_site:
            areas = [area for area in areas if possible(state, house, [area])]
        if not possible(state, house, areas):
            play.done()
            return
        play.ask(
            house,
            MusterPrompt,
            kind="muster",
            sites=[site(state, house, area) for area in areas],
            pieces=pieces(state, house),
            costs=COSTS,
            upgrades=UPGRADES,
            supply=SupplyRoom(list(supply_limits(state, house)), armies(state, house)),
            one_site=self.one_site,
        )

    def take(self, play: Play, house: str, prompt: MusterPrompt, answer: Muster) -> None:
        """The whole muster."""
        made = check(play.state, house, answer.recruits, [each.at for each in prompt.sites], "answer.recruits")
        if self.one_site and len({recruit.at for recruit in answer.recruits}) > 1:
            raise illegal(
                "all of this muster must be in one structure area",
                self.rule,
                path="answer.recruits",
                hint="keep the recruits of one area only",
            )
        play.done()
        carry_out(play, house, made, self.rule)
