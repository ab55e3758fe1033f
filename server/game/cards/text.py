"""What a house card may do, and when. A card with a text overrides the moments that it speaks of (HCD-2).

Standing modifiers (`values` to `picks_retreat`) are asked for whenever they matter. An ability with a moment of its own names
it in `when`, lists its `options` then and is carried out with one of them.
"""

from collections.abc import Callable
from typing import ClassVar, TypeVar

from server.game.play import Play
from server.game.state import State, Units


class Text:
    """A card without a text. `me` is the house that played the card."""

    rule: ClassVar[str] = ""
    when: ClassVar[str] = ""
    """The moment of the ability: cancel, immediately, won, lost or after."""
    prefers_unsupported: ClassVar[bool] = False
    """Whether holding the card makes a house want to be asked about its own support."""
    spares_units: ClassVar[bool] = False
    """Whether the house takes no casualties from icons, abilities or Tides cards in this combat."""
    picks_retreat: ClassVar[bool] = False
    """Whether the house, winning, picks where the loser retreats to."""
    bars_entry: ClassVar[bool] = False
    """Whether the house, losing in defence, keeps the attackers out."""
    keeps_march: ClassVar[bool] = False
    """Whether the march token of a winning attacker goes on with its army."""

    def values(self, state: State, me: str, owner: str, side: str, values: Units) -> Units:
        """What the units of `owner` on a side count, given what they counted before this card."""
        return values

    def printed(self, strength: int) -> int:
        """What the printed strength of the opponent's card counts."""
        return strength

    def defense(self, bonus: int) -> int:
        """What the own defense order in the embattled area counts."""
        return bonus

    def bonus(self, state: State, me: str) -> int:
        """Strength on top of the printed one."""
        return 0

    def icons(self, state: State, me: str) -> tuple[int, int]:
        """Swords and fortifications on top of the printed ones."""
        return 0, 0

    def options(self, state: State, me: str, opponent: str) -> list[str]:
        """What may be chosen when the moment has come; nothing if there is nothing to do, one option is taken unasked."""
        return []

    def carry_out(self, play: Play, me: str, opponent: str, option: str) -> None:
        """Does what was chosen; never called with `pass`."""


T = TypeVar("T", bound=type[Text])

NO_TEXT = Text()
TEXTS: dict[str, Text] = {}
"""The texts by card, filled by the files of the houses."""


def card(name: str, rule: str) -> Callable[[T], T]:
    """Enters a text under its card."""

    def enter(kind: T) -> T:
        kind.rule = rule
        TEXTS[name] = kind()
        return kind

    return enter


def text(name: str) -> Text:
    """The text of a card; cards without one do nothing."""
    return TEXTS.get(name, NO_TEXT)


def prefers_unsupported(hand: tuple[str, ...]) -> bool:
    """Whether a hand holds a card that works better without support."""
    return any(text(name).prefers_unsupported for name in hand)
