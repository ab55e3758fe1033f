"""House Baratheon (HCD-B1 to HCD-B7)."""

from server.game.cards.text import Text, card
from server.game.pieces import in_card_order, minus, pieces_left, plus, put_units, take_units
from server.game.play import Play
from server.game.rules.strength import in_battle, supported, supporting_areas
from server.game.state import State, Units


@card("stannis-baratheon", "HCD-B1")
class StannisBaratheon(Text):
    """+1 if the opponent is better placed on the Iron Throne track."""

    def bonus(self, state: State, me: str) -> int:
        """By the places now (HCD-X3)."""
        place = state.tracks["iron_throne"].index
        return int(place(state.fight.opponent(me)) < place(me))


@card("renly-baratheon", "HCD-B2")
class RenlyBaratheon(Text):
    """On a win, may upgrade one own footman that took part or supported into an available knight."""

    when = "won"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """The areas of such footmen; attackers count where they attack."""
        if not pieces_left(state, me, "knight"):
            return []
        areas = {a for a in supporting_areas(state, state.fight.side(me)) if state.areas[a].house == me}
        areas = {a for a in areas if state.areas[a].units.get("footman")}
        if in_battle(state, me).get("footman"):
            areas.add(state.fight.area)
        return [*sorted(areas), "pass"] if areas else []

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """A knight in the footman's place."""
        state, combat = play.state, play.state.fight
        if option == combat.area and me == combat.attacker:
            state.change_combat(army=plus(minus(combat.army, {"footman": 1}), {"knight": 1}))
        else:
            take_units(state, option, {"footman": 1})
            put_units(state, me, option, {"knight": 1})
        play.tell("mustered", self.rule, house=me, upgraded={option: {"knight": 1}})


@card("ser-davos-seaworth", "HCD-B3")
class SerDavosSeaworth(Text):
    """+1 and one sword while Stannis Baratheon is in the discard pile."""

    def bonus(self, state: State, me: str) -> int:
        """The strength."""
        return int("stannis-baratheon" in state.houses[me].discard)

    def icons(self, state: State, me: str) -> tuple[int, int]:
        """The sword."""
        return self.bonus(state, me), 0


@card("salladhor-saan", "HCD-B6")
class SalladhorSaan(Text):
    """If Baratheon is supported in this combat, every non-Baratheon ship, on any side and supporting too, has strength 0."""

    def values(self, state: State, me: str, owner: str, side: str, values: Units) -> Units:
        """Foreign ships count nothing."""
        return {**values, "ship": 0} if owner != me and supported(state, me) else values


@card("patchface", "HCD-B7")
class Patchface(Text):
    """After combat, may look at the opponent's hand and discard one card from it."""

    when = "after"

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """The cards in that hand."""
        hand = state.houses[opponent].hand
        return [*hand, "pass"] if hand else []

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """Taking the last card brings the rest of the pile back (HCD-X7)."""
        state = play.state
        has = state.houses[opponent]
        hand = tuple(c for c in has.hand if c != option)
        if hand:
            state.change_house(opponent, hand=hand, discard=in_card_order((*has.discard, option)))
        else:
            state.change_house(opponent, hand=has.discard, discard=(option,))
        play.tell("card_discarded", self.rule, *([] if hand else ["HCD-X7"]), house=opponent, card=option, by=me)
