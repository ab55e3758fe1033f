"""How good a position is for a house: what it holds and may keep, its army, its cards, and how near the others are to winning."""

from server.bots.player import View
from server.bots.steward.sight import Sight
from server.bots.steward.value import POWER, Values
from server.game.board import AREAS, CARDS, ROUNDS, SETUPS, STRUCTURES_TO_WIN

WIN, LOSS = 60.0, -25.0
STRUCTURE_OF_OTHERS = 1.0
"""What it costs me that another house holds a structure."""
LEAD = 5.0
"""What a structure more than the best of the others is worth in the last round, before that in proportion."""
NEAR = {0: 40.0, 1: 14.0, 2: 4.0}
"""What it costs me that the leader lacks so few structures."""
HAND = 0.5
STAR = 1.6
"""What a starred order is worth for all rounds that could be left."""
PLACES: dict[str, float] = {"iron_throne": 0.4, "fiefdoms": 0.7, "kings_court": 0.3}
"""A place on a track, for all rounds."""
TOKENS: dict[str, float] = {"iron_throne": 0.6, "fiefdoms": 1.5, "kings_court": 0.8}
"""The dominance token of a track, for all rounds."""
PLENTY = 7
"""Power beyond this is worth half."""


def _standing(sight: Sight) -> float:
    """What my places on the tracks are worth for all rounds."""
    players = len(sight.houses)
    worth = STAR * SETUPS[players].stars[sight.place("kings_court")]
    for track, weight in PLACES.items():
        place = sight.place(track)
        worth += weight * (players - 1 - place) + (TOKENS[track] if not place else 0.0)
    return worth


def outlook(view: View, me: str) -> float:
    """The more the better, in the points of the steward's values."""
    if result := view.get("result"):
        if result["winner"] == me:
            return WIN
        sight = Sight(view, me)
        return LOSS + 4.0 * (sight.structures[me] - max(sight.structures.values()))
    sight = Sight(view, me)
    values = Values(sight)
    army = sum(values.lost(sight.army(area)) for area in sight.mine)
    routed = sum(sum(sight.part(area).get("routed", {}).values()) for area in sight.mine)
    held = sum(values.hold(a, sight.units(a)) for a, owner in sight.owner.items() if owner == me)
    cards = sum(1 + CARDS[card].strength for card in sight.hand(me))
    left = (ROUNDS - sight.round + 1) / ROUNDS
    power = sight.power() - max(0, sight.power() - PLENTY) / 2
    others = {house: n for house, n in sight.structures.items() if house != me}
    danger = NEAR.get(STRUCTURES_TO_WIN - 1 - max(others.values()), 0.0)
    lead = sight.structures[me] - max(others.values())
    barrels = sum(AREAS[a].barrels for a, owner in sight.owner.items() if owner == me)
    return (
        held
        + army
        - 0.8 * routed
        + POWER * power * (0.3 + 0.7 * left)
        + HAND * cards * (0.5 + 0.5 * left)
        + _standing(sight) * left
        + 0.2 * barrels
        - STRUCTURE_OF_OTHERS * sum(others.values())
        + LEAD * lead * sight.round / ROUNDS
        - danger
    )
