"""What a seat may answer to a prompt (PROTOCOL.md, "Answers")."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
"""The id of an area, house, order, card or option; whether it exists is the game's to say."""
Unit: TypeAlias = Literal["footman", "knight", "siege_engine", "ship"]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=10)]
Units: TypeAlias = Annotated[dict[Unit, Count], Meta(min_length=1, max_length=4)]
Areas: TypeAlias = Annotated[list[Name], Meta(max_length=60)]
Houses: TypeAlias = Annotated[list[Name], Meta(max_length=6)]


class Move(Struct, frozen=True, forbid_unknown_fields=True):
    """One group of a march: these units go to that area (MAR-1)."""

    to: Name
    units: Units


class Recruit(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One unit mustered for the points of the structure in `at` (MUS-2, MUS-3)."""

    at: Name
    unit: Unit
    to: Name | UnsetType = UNSET
    upgrade: bool = False


Moves: TypeAlias = Annotated[list[Move], Meta(max_length=20)]
Recruits: TypeAlias = Annotated[list[Recruit], Meta(max_length=40)]


class Plan(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the server shall do with an order when its turn comes, without asking."""

    moves: Moves | UnsetType = UNSET
    leave_power: bool = False
    target: Name | UnsetType = UNSET
    muster: Recruits | UnsetType = UNSET
    help: Houses | UnsetType = UNSET
    others: Literal["ask", "none"] = "ask"
    rank: Annotated[int, Meta(ge=1, le=15)] | UnsetType = UNSET


class Answer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="type"):
    """Base of all answers; `type` names the answer."""


class PlaceOrders(Answer, frozen=True, tag="place_orders"):
    """One order for every area that takes one (PLN-1), all at once."""

    orders: Annotated[dict[Name, Name], Meta(max_length=60)]
    plans: Annotated[dict[Name, Plan], Meta(max_length=60)] = {}


class Raven(Answer, frozen=True, tag="raven"):
    """The Messenger Raven: replace an order, look at the wildling deck, or pass (RAV-1)."""

    use: Literal["replace", "look", "pass"]
    area: Name | UnsetType = UNSET
    order: Name | UnsetType = UNSET


class Raid(Answer, frozen=True, tag="raid"):
    """Resolve a raid order; without a target it is discarded (RAI-1)."""

    from_: Name = field(name="from")
    target: Name | UnsetType = UNSET


class March(Answer, frozen=True, tag="march"):
    """Resolve a march order in one or more groups; without moves it is discarded (MAR-1)."""

    from_: Name = field(name="from")
    moves: Moves
    leave_power: bool = False


class Consolidate(Answer, frozen=True, tag="consolidate"):
    """Resolve a consolidate power order: take power, or muster with a starred one (CON-1, CON-2)."""

    from_: Name = field(name="from")
    muster: Recruits | UnsetType = UNSET


class Muster(Answer, frozen=True, tag="muster"):
    """Everything a house musters at once (MUS)."""

    recruits: Recruits


class Bid(Answer, frozen=True, tag="bid"):
    """A secret bid of available power (BID-1)."""

    power: Annotated[int, Meta(ge=0, le=20)]


class Rank(Answer, frozen=True, tag="rank"):
    """Houses in the order in which a tie is decided, best first (BID-3)."""

    houses: Houses


class Remove(Answer, frozen=True, tag="remove"):
    """Units given up: casualties, supply, retreat losses, wildlings."""

    units: Annotated[dict[Name, Units], Meta(max_length=60)]


class Choose(Answer, frozen=True, tag="choose"):
    """One of the options that the prompt lists."""

    option: Name


AnyAnswer: TypeAlias = PlaceOrders | Raven | Raid | March | Consolidate | Muster | Bid | Rank | Remove | Choose
