"""A game as it begins (SET)."""

from server.game.board import AREAS, DECKS, HOUSES, SETUPS, START_POWER, START_THREAT
from server.game.rng import Chance
from server.game.rules.rounds import Round
from server.game.state import EMPTY, Area, House, State


def begin(players: int, seed: str, *, tides: bool = False) -> State:
    """The set-up for 3 to 6 players: houses, tracks, tokens, units, shuffled decks (SET-1 to SET-8)."""
    setup = SETUPS[players]
    areas = dict.fromkeys(AREAS, EMPTY)
    for area, strength in setup.neutral.items():
        areas[area] = Area(neutral=strength)
    for house, units in setup.units.items():
        for area, standing in units.items():
            areas[area] = Area(house=house, units=standing)
    state = State(
        players=players,
        tides=tides,
        chance=Chance(seed),
        areas=areas,
        houses={h: House(power=START_POWER, supply=HOUSES[h].supply, hand=HOUSES[h].cards) for h in setup.houses},
        tracks=dict(setup.tracks),
        decks={},
        threat=START_THREAT,
        agenda=(Round(),),
    )
    for house in setup.houses:
        state.change(HOUSES[house].home, garrison=HOUSES[house].garrison)
    for deck, cards in DECKS.items():
        state.decks[deck], state.chance = state.chance.shuffled(cards)
    return state
