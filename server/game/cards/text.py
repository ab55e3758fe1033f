"""What a house card may do, and when. A card with a text overrides the moments that it speaks of (HCD-2)."""

from collections.abc import Mapping

from server.game.state import State, Units


class Text:
    """A card without a text. `me` is the house that played the card."""

    prefers_unsupported = False
    """Whether holding the card makes a house want to be asked about its own support (INTERFACE §5)."""

    def values(self, state: State, me: str, owner: str, side: str, values: Units) -> Units:
        """What the units of `owner` on a side count, given what they counted before this card."""
        return values

    def printed(self, state: State, me: str, strength: int) -> int:
        """What the printed strength of the opponent's card counts."""
        return strength

    def defense(self, state: State, me: str, bonus: int) -> int:
        """What the own defense order in the embattled area counts."""
        return bonus

    def bonus(self, state: State, me: str) -> int:
        """Strength on top of the printed one."""
        return 0

    def icons(self, state: State, me: str) -> tuple[int, int]:
        """Swords and fortifications on top of the printed ones."""
        return 0, 0

    def spares_units(self) -> bool:
        """Whether the house takes no casualties from icons, abilities or Tides cards in this combat."""
        return False


NO_TEXT = Text()
TEXTS: dict[str, Text] = {}
"""The texts by card, filled by the files of the houses."""


def text(card: str) -> Text:
    """The text of a card; cards without one do nothing."""
    return TEXTS.get(card, NO_TEXT)


def prefers_unsupported(hand: tuple[str, ...], texts: Mapping[str, Text] = TEXTS) -> bool:
    """Whether a hand holds a card that works better without support."""
    return any(card in texts and texts[card].prefers_unsupported for card in hand)
