"""House Greyjoy (HCD-G1 to HCD-G7)."""

from server.game.board import AREAS
from server.game.cards.text import Text, card
from server.game.pieces import in_card_order, lose_power
from server.game.play import Play
from server.game.rules.strength import supported
from server.game.state import State, Units


@card("victarion-greyjoy", "HCD-G2")
class VictarionGreyjoy(Text):
    """If attacking, every own ship taking part, supporting ones included, counts 2 instead of 1."""

    def values(self, state: State, me: str, owner: str, side: str, values: Units) -> Units:
        """Own ships on the attacking side."""
        attacking = side == state.fight.side(me) == "attacker"
        return {**values, "ship": 2} if attacking and owner == me else values


@card("theon-greyjoy", "HCD-G4")
class TheonGreyjoy(Text):
    """If defending an area with a structure, +1 strength and one sword."""

    def bonus(self, state: State, me: str) -> int:
        """The strength."""
        return int(self._holds(state, me))

    def icons(self, state: State, me: str) -> tuple[int, int]:
        """The sword."""
        return int(self._holds(state, me)), 0

    @staticmethod
    def _holds(state: State, me: str) -> bool:
        return state.fight.defender == me and AREAS[state.fight.area].points > 0


@card("balon-greyjoy", "HCD-G3")
class BalonGreyjoy(Text):
    """The printed strength of the opponent's card becomes 0; its bonuses and icons remain."""

    def printed(self, strength: int) -> int:
        """Nothing."""
        return 0


@card("asha-greyjoy", "HCD-G5")
class AshaGreyjoy(Text):
    """If Greyjoy is not supported in this combat, by anyone, two swords and one fortification (SUP-8)."""

    prefers_unsupported = True

    def icons(self, state: State, me: str) -> tuple[int, int]:
        """Read anew when a support order is removed (SUP-7)."""
        return (0, 0) if supported(state, me) else (2, 1)


@card("aeron-damphair", "HCD-G7")
class AeronDamphair(Text):
    """Immediately, may pay 2 available power to discard this card and play another from hand."""

    when = "immediately"
    price = 2

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """The other cards, if the price can be paid."""
        has = state.houses[me]
        return [*has.hand, "pass"] if has.power >= self.price and has.hand else []

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """Another card is in play."""
        state = play.state
        lose_power(state, me, self.price)
        has, played = state.houses[me], state.fight.cards[me]
        state.change_house(
            me, hand=tuple(c for c in has.hand if c != option), discard=in_card_order((*has.discard, played))
        )
        state.change_combat(cards={**state.fight.cards, me: option})
        play.tell("card_replaced", self.rule, house=me, card=played, by=option, paid=self.price)
