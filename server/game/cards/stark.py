"""House Stark (HCD-S1 to HCD-S7)."""

from server.game.cards.text import Text, card
from server.game.pieces import in_card_order
from server.game.play import Play
from server.game.state import State


@card("robb-stark", "HCD-S2")
class RobbStark(Text):
    """On a win Stark picks the area the opponent retreats to."""

    picks_retreat = True


@card("roose-bolton", "HCD-S3")
class RooseBolton(Text):
    """On a loss the whole Stark discard pile, this card included, returns to hand."""

    when = "lost"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """No choice."""
        return ["use"]

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """All cards are in hand again."""
        state = play.state
        has, played = state.houses[me], state.fight.cards[me]
        state.change_house(me, hand=in_card_order((*has.hand, *has.discard, played)), discard=())
        state.change_combat(kept=(*state.fight.kept, me))
        play.tell("hand_returned", self.rule, house=me, cards=state.houses[me].hand)


@card("the-blackfish", "HCD-S5")
class TheBlackfish(Text):
    """Stark takes no casualties in this combat from abilities, swords or Tides cards."""

    spares_units = True


@card("catelyn-stark", "HCD-S7")
class CatelynStark(Text):
    """A Stark defense order in the embattled area counts double."""

    def defense(self, bonus: int) -> int:
        """Twice the token."""
        return 2 * bonus
