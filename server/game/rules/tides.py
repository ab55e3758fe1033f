"""Tides of Battle, an option agreed before the game (TID)."""

from protocol.answers import Choose, Remove
from protocol.prompts import ChoosePrompt, RemovePrompt
from server.game.agenda import Step
from server.game.board import DECKS, TIDES
from server.game.pieces import size
from server.game.play import Play
from server.game.rules import decks
from server.game.rules.casualties import chosen_units, destroy
from server.game.rules.strength import fighters, in_battle, played_text, sums
from server.game.state import State


class ShuffleTides(Step, frozen=True):
    """The whole deck is shuffled anew before house cards are chosen (TID-2)."""

    def run(self, play: Play) -> None:
        """Only where the option is used."""
        play.done()
        if play.state.tides:
            decks.shuffle(play, "tides", DECKS["tides"])


class DrawTides(Step, frozen=True):
    """Both sides draw a card and look at it secretly; the Blade may buy another one (TID-3, TID-5)."""

    def run(self, play: Play) -> None:
        """Attacker first; asks the Blade holder, then reveals."""
        state = play.state
        if not state.tides:
            play.done()
            return
        combat = state.fight
        drawn = {house: decks.draw(play, "tides") for house in (combat.attacker, combat.defender)}
        state.change_combat(drawn=drawn, stage="tides")
        holder = state.tracks["fiefdoms"][0]
        if not state.blade_ready or holder not in drawn:
            self._reveal(play)
            return
        play.ask(
            holder,
            ChoosePrompt,
            kind="blade",
            options=["redraw", "pass"],
            card=drawn[holder],
            area=combat.area,
            attacker=combat.attacker,
            defender=combat.defender,
            strength=sums(state),
        )

    def take(self, play: Play, house: str, prompt: ChoosePrompt, answer: Choose) -> None:
        """Another card, which must be kept, or not (TID-5)."""
        state = play.state
        if answer.option == "redraw":
            state.blade_ready = False
            play.tell("tides_redrawn", "TID-5", "DOM-4", house=house)
            state.change_combat(drawn={**state.fight.drawn, house: decks.draw(play, "tides")})
        self._reveal(play)

    @staticmethod
    def _reveal(play: Play) -> None:
        """Both cards are turned up (TID-4)."""
        state = play.state
        state.change_combat(tides=state.fight.drawn, drawn={})
        play.done()
        play.tell("tides_revealed", "TID-4", cards=state.fight.tides)


class Skulls(Step, frozen=True):
    """Each skull costs the other side one of its standing attacking or defending units (TID-6, TID-7)."""

    struck: tuple[str, ...] = ()

    def run(self, play: Play) -> None:
        """The next side that a skull strikes, in turn order."""
        state, combat = play.state, play.state.fight
        for house in fighters(state):
            if house in self.struck or not strikes(state, house):
                continue
            play.become(struck=(*self.struck, house))
            units = in_battle(state, house)
            if len(units) == 1:
                destroy(play, house, dict.fromkeys(units, 1), "TID-6", why="skull")
            else:
                play.ask(house, RemovePrompt, kind="casualties", units={combat.area: units}, count=1)
            return
        play.done()

    def take(self, play: Play, house: str, prompt: RemovePrompt, answer: Remove) -> None:
        """The unit that the house gives up."""
        destroy(play, house, chosen_units(prompt, answer, "TID-6"), "TID-6", why="skull")


def strikes(state: State, house: str) -> bool:
    """Whether a skull of the other side finds a unit of this one; garrisons are immune (GAR-8)."""
    combat = state.fight
    tide = combat.tides.get(combat.opponent(house))
    if not tide or not TIDES[tide].skulls or played_text(combat, house).spares_units:
        return False
    return size(in_battle(state, house)) > 0
