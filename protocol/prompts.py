"""What a seat is asked. A prompt holds everything needed to answer it legally without knowing the rules.

`answer` names the answer wanted (its `type`), `kind` what the question is about. Ids never come back in a room.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct, UnsetType, field


def over_limits(limits: Sequence[int], sizes: Iterable[int]) -> int:
    """How many units are too many: the i-th largest army may not exceed the i-th limit, further ones are no armies (SPL-2)."""
    ranked = sorted(sizes, reverse=True)
    allowed = (*limits, *[1] * len(ranked))
    return sum(n - room for n, room in zip(ranked, allowed, strict=False) if n > room)


class SupplyRoom(Struct, frozen=True, omit_defaults=True):
    """Supply (SPL-1, SPL-2): the sizes allowed for armies of two or more, largest first, and the armies there are."""

    limits: list[int]
    armies: dict[str, int] = {}
    """Units of the house by area, lone units too."""


class Prompt(Struct, frozen=True, omit_defaults=True, kw_only=True, tag_field="answer"):
    """Base of all prompts."""

    id: int
    kind: str
    deadline: int | UnsetType = UNSET
    """Milliseconds since 1970 after which the server answers by itself."""


class PlaceOrdersPrompt(Prompt, frozen=True, tag="place_orders"):
    """Give `required` of the `areas` an order each, from `tokens`, at most `stars` of them in `starred`."""

    areas: list[str]
    tokens: dict[str, int]
    starred: list[str]
    stars: int
    required: int


class RavenPrompt(Prompt, frozen=True, tag="raven"):
    """The orders that may be replaced, each with the tokens that may lie there instead."""

    exchanges: dict[str, list[str]]


class RaidOption(Struct, frozen=True, omit_defaults=True):
    """A raid order and the areas whose order it may remove."""

    from_: str = field(name="from")
    targets: list[str]


class RaidPrompt(Prompt, frozen=True, tag="raid"):
    """Resolve one of these raid orders."""

    raids: list[RaidOption]


class Target(Struct, frozen=True, omit_defaults=True):
    """An area that groups of a march may enter.

    `attack` is absent for a plain move, `combat` against a house, `neutral` against a neutral force. `strength` is what
    each unit counts in that attack. Against a neutral force the units must bring `needed - bonus`, where the bonus is
    the march modifier and the own support; `offers` is what other houses could add if they are willing.
    """

    to: str
    attack: str = ""
    defender: str = ""
    strength: dict[str, int] = {}
    needed: int = 0
    bonus: int = 0
    offers: dict[str, int] = {}
    room: int | UnsetType = UNSET
    """Ships that still fit into a port."""


class MarchOption(Struct, frozen=True, omit_defaults=True):
    """A march order, the units that may march and where they may go."""

    from_: str = field(name="from")
    order: str
    units: dict[str, int]
    targets: list[Target] = []
    leave_power: bool = False
    """True if a power token may be left when all units march away."""


class MarchPrompt(Prompt, frozen=True, tag="march"):
    """Resolve one of these march orders: each group to another target, at most one attack, within supply."""

    marches: list[MarchOption]
    supply: SupplyRoom


class MusterSite(Struct, frozen=True, omit_defaults=True):
    """A structure: its points, where its ships may go (with room, where limited) and its footmen to upgrade."""

    at: str
    points: int
    footmen: int = 0
    ships: dict[str, int] = {}


class MusterPrompt(Prompt, frozen=True, tag="muster"):
    """Muster in these structures, from these pieces, within supply; `costs` and `upgrades` are points a unit."""

    sites: list[MusterSite]
    pieces: dict[str, int]
    costs: dict[str, int]
    upgrades: dict[str, int]
    supply: SupplyRoom
    one_site: bool = False
    """True if all recruits must be at one of the sites."""


class ConsolidateOption(Struct, frozen=True, omit_defaults=True):
    """A consolidate power order: the power it brings, and the site where it may muster instead."""

    from_: str = field(name="from")
    power: int
    muster: MusterSite | UnsetType = UNSET


class ConsolidatePrompt(Prompt, frozen=True, tag="consolidate"):
    """Resolve one of these orders: take its power or muster there (then as in `muster`)."""

    orders: list[ConsolidateOption]
    pieces: dict[str, int] = {}
    costs: dict[str, int] = {}
    upgrades: dict[str, int] = {}
    supply: SupplyRoom | UnsetType = UNSET


class BidPrompt(Prompt, frozen=True, tag="bid"):
    """Bid from 0 to `power`; `subject` is the track, or `wildlings`, who attack with `strength`."""

    subject: str
    power: int
    strength: int = 0


class RankPrompt(Prompt, frozen=True, tag="rank"):
    """Name `pick` of the tied houses, best first; for wildlings the one that counts as the highest or lowest bidder."""

    subject: str
    houses: list[str]
    pick: int
    card: str = ""
    """The wildling card that will strike."""
    lowest: bool = False
    """True if the house named is the lowest bidder, to its harm."""


class RemovePrompt(Prompt, frozen=True, tag="remove"):
    """Give up units: `count` of them, with `supply` so that the armies come within the limits."""

    units: dict[str, dict[str, int]]
    count: int
    supply: SupplyRoom | UnsetType = UNSET
    one_area: bool = False
    """True if all must be in one of the areas."""
    card: str = ""
    """The wildling card that asks for them."""
    becomes: str = ""
    """What the units turn into, where they are not destroyed."""


class ChoosePrompt(Prompt, frozen=True, tag="choose"):
    """Pick one of `options`. The other fields say what it is about, where they apply."""

    options: list[str]
    card: str = ""
    area: str = ""
    attacker: str = ""
    defender: str = ""
    strength: dict[str, int] = {}
    """Of `support`: what the own support orders add; of the others: the sums of both sides so far."""


AnyPrompt: TypeAlias = (
    PlaceOrdersPrompt
    | RavenPrompt
    | RaidPrompt
    | MarchPrompt
    | ConsolidatePrompt
    | MusterPrompt
    | BidPrompt
    | RankPrompt
    | RemovePrompt
    | ChoosePrompt
)
