"""What a game is between two answers. All of it is plain data, so it can be stored, copied, hashed and resumed anywhere.

Areas, houses and the combat are values: a change puts a new one in the place of the old. Whatever was not touched is the
same object before and after, so a copy is cheap and what changed is found by identity.
"""

from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from protocol.answers import AnyAnswer, Plan
from protocol.prompts import AnyPrompt
from server.game.rng import Chance

Units: TypeAlias = dict[str, int]
"""Units by kind; never changed in place, no zeros."""


class Area(Struct, frozen=True, omit_defaults=True):
    """What lies in an area. `house` owns the units; an absent thing is empty, zero or the empty string."""

    house: str = ""
    units: Units = {}
    routed: Units = {}
    order: str = ""
    power: str = ""
    garrison: int = 0
    neutral: int | str = 0
    """The strength of the neutral force, `~` for one that cannot be beaten (NEU-12)."""


EMPTY = Area()


class House(Struct, frozen=True, omit_defaults=True):
    """A house in play. Hand and discard are in the order of base_game.json; a card in play is in neither."""

    power: int
    supply: int
    hand: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()


class Combat(Struct, frozen=True, omit_defaults=True):
    """The combat that is being fought (CMB). The marching units are with it, not in any area (MAR-12)."""

    attacker: str
    defender: str
    area: str
    origin: str
    order: str
    army: Units
    stage: str = "support"
    sides: dict[str, str] = {}
    """By house that was asked or fights: attacker, defender or none (SUP-2)."""
    cards: dict[str, str] = {}
    """The cards in play, from the reveal on."""
    kept: tuple[str, ...] = ()
    """Houses whose card is back in hand already and is not discarded."""
    blade: str = ""
    """The house that added 1 by the Valyrian Steel Blade."""
    drawn: dict[str, str] = {}
    """By house: the Tides card that only it may see yet."""
    tides: dict[str, str] = {}
    winner: str = ""
    final: dict[str, tuple[tuple[str, int], ...]] = {}
    """By house: the parts of its final strength, once the victor is known."""
    icons: dict[str, tuple[int, int]] = {}
    """By house: swords and fortifications, once the victor is known."""

    def side(self, house: str) -> str:
        """Which side a house fights or supports on: attacker, defender or none."""
        if house == self.attacker:
            return "attacker"
        return "defender" if house == self.defender else self.sides.get(house, "none")

    def opponent(self, house: str) -> str:
        """The other main side."""
        return self.defender if house == self.attacker else self.attacker

    @property
    def loser(self) -> str:
        """The beaten house; only once the winner is known."""
        return self.opponent(self.winner)


class Result(Struct, frozen=True):
    """How a game ended: the winner, the reason and all houses, best first."""

    winner: str
    reason: str
    standing: tuple[str, ...]


class State(Struct):
    """A whole game."""

    players: int
    tides: bool
    chance: Chance
    areas: dict[str, Area]
    houses: dict[str, House]
    tracks: dict[str, tuple[str, ...]]
    decks: dict[str, tuple[str, ...]]
    round: int = 1
    phase: str = "planning"
    step: str = ""
    blade_ready: bool = True
    raven_ready: bool = True
    threat: int = 0
    westeros: tuple[str, ...] = ()
    restrictions: tuple[str, ...] = ()
    combat: Combat | None = None
    result: Result | None = None
    agenda: tuple[Any, ...] = ()
    """The steps still to be done, the next one last (agenda.py)."""
    prompts: dict[str, AnyPrompt] = {}
    """The open prompt of each house that has one."""
    sealed: dict[str, AnyAnswer] = {}
    """Answers to a secret simultaneous prompt that is not revealed yet."""
    plans: dict[str, Plan] = {}
    """What the houses planned for their orders, by area."""
    dropped: dict[str, str] = {}
    """By house: why its last plan was dropped, for its own eyes."""
    next_prompt: int = 1
    stacked: dict[str, tuple[str, ...]] = {}
    """Draws that are fixed beforehand, by deck: rule cases and puzzles use them, played games do not."""

    def fork(self) -> "State":
        """A copy that may change without touching this one."""
        return replace(
            self,
            areas=self.areas.copy(),
            houses=self.houses.copy(),
            tracks=self.tracks.copy(),
            decks=self.decks.copy(),
            prompts=self.prompts.copy(),
            sealed=self.sealed.copy(),
            plans=self.plans.copy(),
            dropped=self.dropped.copy(),
            stacked=self.stacked.copy(),
        )

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The houses on the Iron Throne track, position 1 first (DOM-2)."""
        return self.tracks["iron_throne"]

    @property
    def waiting(self) -> list[str]:
        """The houses that owe a decision, in turn order."""
        return [h for h in self.turn_order if h in self.prompts and h not in self.sealed]

    def change(self, area: str, **parts: Any) -> None:
        """Puts a changed area in the place of the old one."""
        self.areas[area] = replace(self.areas[area], **parts)

    def change_house(self, house: str, **parts: Any) -> None:
        """Puts a changed house in the place of the old one."""
        self.houses[house] = replace(self.houses[house], **parts)

    def change_combat(self, **parts: Any) -> Combat:
        """Puts a changed combat in the place of the old one and gives it."""
        self.combat = replace(self.fight, **parts)
        return self.combat

    @property
    def fight(self) -> Combat:
        """The combat, which must be going on."""
        assert self.combat is not None
        return self.combat
