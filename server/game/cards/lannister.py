"""House Lannister (HCD-L1 to HCD-L7)."""

from server.game.cards.text import Text, card
from server.game.pieces import gain_power, in_card_order, ordered_areas, take_order
from server.game.play import Play
from server.game.rules.house_cards import HouseCards
from server.game.state import State, Units


@card("tywin-lannister", "HCD-L1")
class TywinLannister(Text):
    """On a win, gain 2 power."""

    when = "won"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """No choice."""
        return ["use"]

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """From the pool (PWR-1)."""
        gained = gain_power(play.state, me, 2)
        play.tell("ability", self.rule, house=me, card="tywin-lannister", gained=gained)


@card("tyrion-lannister", "HCD-L5")
class TyrionLannister(Text):
    """May at once send the opponent's card back to hand; a different one must be played, or none if there is no other."""

    when = "cancel"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """Only against a card."""
        return ["use", "pass"] if opponent in state.fight.cards else []

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """The replacement's own ability works normally (HCD-X1)."""
        state = play.state
        cards = dict(state.fight.cards)
        sent_back = cards.pop(opponent)
        state.change_house(opponent, hand=in_card_order((*state.houses[opponent].hand, sent_back)))
        state.change_combat(cards=cards)
        play.tell("card_cancelled", self.rule, "HCD-X1", house=opponent, card=sent_back, by=me)
        play.push(HouseCards(again=opponent, without=sent_back))


@card("ser-kevan-lannister", "HCD-L6")
class SerKevanLannister(Text):
    """If attacking, every own footman taking part, supporting ones included, counts 2 instead of 1."""

    def values(self, state: State, me: str, owner: str, side: str, values: Units) -> Units:
        """Own footmen on the attacking side."""
        attacking = side == state.fight.side(me) == "attacker"
        return {**values, "footman": 2} if attacking and owner == me else values


@card("cersei-lannister", "HCD-L7")
class CerseiLannister(Text):
    """On a win, may remove one order of the losing opponent anywhere on the board."""

    when = "won"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """The areas with such an order."""
        areas = ordered_areas(state, opponent)
        return [*areas, "pass"] if areas else []

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """The order is gone."""
        order = take_order(play.state, option)
        play.tell("order_removed", self.rule, area=option, order=order, by=me)
