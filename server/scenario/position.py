"""A game set up as a rule case says."""

from typing import Any

from server.game.game import Game
from server.game.pieces import in_card_order
from server.game.play import Play
from server.game.rules.rounds import Round
from server.game.setup import begin
from server.game.state import Area, State

SEED = bytes(range(32))


def position(setup: dict[str, Any]) -> Game:
    """The game of a case, run on to its first decision. Raises `KeyError` or `ValueError` for a set-up that makes no sense."""
    state = begin(setup["players"], SEED.hex(), tides=bool(setup.get("tides")))
    if setup["units"] == "none":
        for area, here in state.areas.items():
            state.areas[area] = Area(garrison=here.garrison, neutral=here.neutral)
    for area, changes in (setup.get("areas") or {}).items():
        _change_area(state, area, changes)
    for house, changes in (setup.get("houses") or {}).items():
        _change_house(state, house, changes)
    for track, order in (setup.get("tracks") or {}).items():
        if sorted(order) != sorted(state.houses):
            raise ValueError(f"tracks.{track} must list every house in play once")
        state.tracks[track] = tuple(order)
    tokens = setup.get("tokens") or {}
    state.blade_ready = tokens.get("blade") != "used"
    state.raven_ready = tokens.get("raven") != "used"
    state.round = setup.get("round", 1)
    state.threat = setup.get("threat", state.threat)
    state.restrictions = tuple(setup.get("restrictions") or ())
    state.stacked = {deck: tuple(cards) for deck, cards in (setup.get("decks") or {}).items()}
    state.agenda = (Round(stage=setup["step"]),)
    play = Play(state)
    play.run()
    return Game(play.state)


def _change_area(state: State, area: str, changes: dict[str, Any]) -> None:
    here = state.areas[area]
    house, units, routed = here.house, here.units, here.routed
    if changes.keys() & {"units", "routed", "power"}:
        house, units, routed = "", {}, {}
        for kind in ("units", "routed"):
            for owner, pieces in (changes.get(kind) or {}).items():
                house = owner
                units, routed = (dict(pieces), routed) if kind == "units" else (units, dict(pieces))
    state.areas[area] = Area(
        house=house,
        units=units,
        routed=routed,
        order=changes.get("order") or here.order,
        power=changes.get("power") or "",
        garrison=here.garrison if changes.get("garrison", 1) else 0,
        neutral=here.neutral if changes.get("neutral", 1) else 0,
    )


def _change_house(state: State, house: str, changes: dict[str, Any]) -> None:
    has = state.houses[house]
    hand, discard = has.hand, has.discard
    if "hand" in changes:
        hand = in_card_order(changes["hand"])
        discard = tuple(c for c in has.hand if c not in hand)
    if "discard" in changes:
        discard = in_card_order(changes["discard"])
        if "hand" not in changes:
            hand = tuple(c for c in has.hand if c not in discard)
    state.change_house(
        house,
        power=changes.get("power", has.power),
        supply=changes.get("supply", has.supply),
        hand=hand,
        discard=discard,
    )
