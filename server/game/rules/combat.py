"""Combat between two houses, step by step (CMB-2): support, house cards, Blade, victor, losses, retreat, clean-up."""

from protocol.answers import Choose
from protocol.prompts import ChoosePrompt
from server.game.agenda import Step
from server.game.board import AREAS
from server.game.pieces import enter, take_order
from server.game.play import Play
from server.game.rules import ports, strength, victory
from server.game.rules.casualties import Casualties
from server.game.rules.house_cards import CardTexts, HouseCards, after, discard
from server.game.rules.retreat import Retreat, TurnBack
from server.game.rules.support import CallForSupport
from server.game.rules.tides import DrawTides, ShuffleTides, Skulls
from server.game.state import Combat, Units


def begin(play: Play, house: str, origin: str, area: str, units: Units, order: str) -> None:
    """An attack on an area with enemy units or an enemy garrison (CMB-1, GAR-5, GAR-12, MAR-12)."""
    state = play.state
    defender = state.areas[area].house or AREAS[area].home_of
    state.combat = Combat(house, defender, area, origin, order, units)
    play.tell(
        "combat_began",
        "CMB-1",
        *(["GAR-5", "GAR-12"] if not state.areas[area].house else []),
        attacker=house,
        defender=defender,
        area=area,
        from_=origin,
        units=units,
        garrison=state.areas[area].garrison or None,
    )
    play.push(
        CallForSupport(),
        ShuffleTides(),
        HouseCards(),
        CardTexts("cancel"),
        CardTexts("immediately"),
        DrawTides(),
        Blade(),
        Decision(),
        CardTexts("outcome"),
        Casualties(),
        Skulls(),
        Retreat(),
        TurnBack(),
        CleanUp(),
    )


class Blade(Step, frozen=True):
    """The Valyrian Steel Blade: its holder, if it fights, may add 1 (VSB-1, DOM-4)."""

    def run(self, play: Play) -> None:
        """Asks the holder if the Blade is ready."""
        state = play.state
        combat = state.change_combat(stage="blade")
        holder = state.tracks["fiefdoms"][0]
        if not state.blade_ready or holder not in (combat.attacker, combat.defender):
            play.done()
            return
        play.ask(
            holder,
            ChoosePrompt,
            kind="blade",
            options=["use", "pass"],
            area=combat.area,
            attacker=combat.attacker,
            defender=combat.defender,
            strength=strength.sums(state),
        )

    def take(self, play: Play, house: str, prompt: ChoosePrompt, answer: Choose) -> None:
        """Adds 1 and turns the Blade over, or leaves it."""
        state = play.state
        play.done()
        if answer.option == "use":
            state.blade_ready = False
            state.change_combat(blade=house)
            play.tell("blade_used", "VSB-1", "DOM-4", house=house)
        else:
            play.tell("blade_kept", "VSB-1", house=house)


class Decision(Step, frozen=True):
    """The final strengths are compared (CMB-5, CMB-6, DOM-3)."""

    def run(self, play: Play) -> None:
        """Names the victor: the higher total, in a tie the house better placed on the Fiefdoms track."""
        state, combat = play.state, play.state.fight
        final = {h: tuple(strength.parts(state, h)) for h in (combat.attacker, combat.defender)}
        attack, defence = (strength.total(list(final[h])) for h in (combat.attacker, combat.defender))
        tie = attack == defence
        fiefdoms = state.tracks["fiefdoms"].index
        attacker_wins = attack > defence or (tie and fiefdoms(combat.attacker) < fiefdoms(combat.defender))
        winner = combat.attacker if attacker_wins else combat.defender
        state.change_combat(
            winner=winner, final=final, icons={h: strength.icons(state, h) for h in final}, stage="losses"
        )
        play.done()
        play.tell(
            "combat_decided",
            "CMB-5",
            *(["DOM-3"] if tie else []),
            area=combat.area,
            winner=winner,
            loser=combat.opponent(winner),
            attacker={"house": combat.attacker, "total": attack, "parts": [list(p) for p in final[combat.attacker]]},
            defender={"house": combat.defender, "total": defence, "parts": [list(p) for p in final[combat.defender]]},
            tie=tie or None,
        )


class CleanUp(Step, frozen=True):
    """The victors enter, orders and cards are cleared away (CLN)."""

    def run(self, play: Play) -> None:
        """CLN-1 to CLN-4, HCD-5, HCD-6, PRT-7, VIC-4."""
        state, combat = play.state, play.state.fight
        if combat.winner == combat.attacker and combat.army:
            self._conquer(play, combat)
        for area, here in state.areas.items():
            if here.order and not here.house:
                take_order(state, area)
                play.tell("order_removed", "CLN-3", area=area, order=here.order)
        speaking = after(state)
        for house, card in combat.cards.items():
            if house not in combat.kept:
                discard(play, house, card)
        state.combat = None
        play.done()
        play.tell("combat_ended", "CLN-4", area=combat.area, winner=combat.winner)
        play.push(*speaking)
        ports.settle(play)
        victory.check(play)

    @staticmethod
    def _conquer(play: Play, combat: Combat) -> None:
        state, attacker = play.state, combat.attacker
        if order := take_order(state, combat.area):
            play.tell("order_removed", "CLN-1", area=combat.area, order=order)
        token = enter(state, attacker, combat.area, combat.army)
        if token:
            play.tell("power_removed", "CLN-1", area=combat.area, house=token, by=attacker)
        play.tell("conquered", "CLN-1", house=attacker, area=combat.area, units=combat.army)
        if strength.played_text(combat, attacker).keeps_march:
            state.change(combat.area, order=combat.order)
            play.tell("march_goes_on", "HCD-T2", house=attacker, area=combat.area, order=combat.order)
