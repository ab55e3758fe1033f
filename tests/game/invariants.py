"""What must hold after every answer of every game."""

from collections import Counter

from server.game.board import AREAS, HOUSES, LAND, ORDERS, TRACKS, UNITS
from server.game.game import Game
from server.game.pieces import armies, army, controller, fits, tokens_on_board


def check(game: Game) -> None:
    """Raises AssertionError if anything is as it can never be."""
    state = game.state
    for house, has in state.houses.items():
        units: Counter[str] = Counter()
        orders: Counter[str] = Counter()
        for area, here in state.areas.items():
            if here.house == house:
                units.update(army(state, area))
                if here.order:
                    orders[here.order] += 1
        fight = state.combat
        if fight and fight.attacker == house:
            units.update(fight.army)
        assert all(n <= UNITS[unit].limit for unit, n in units.items()), (house, units)
        assert all(n <= ORDERS[order].count for order, n in orders.items()), (house, orders)
        assert has.power >= 0 and has.power + tokens_on_board(state, house) <= 20
        assert 0 <= has.supply <= 6
        in_play = [fight.cards[house]] if fight and house in fight.cards and house not in fight.kept else []
        assert sorted((*has.hand, *has.discard, *in_play)) == sorted(HOUSES[house].cards), (house, has, in_play)
        if state.phase != "westeros":
            assert fits(state, house, armies(state, house)), (house, armies(state, house), has.supply)
    for track in TRACKS:
        assert sorted(state.tracks[track]) == sorted(state.houses)
    for area, here in state.areas.items():
        facts = AREAS[area]
        assert all(n > 0 for n in (*here.units.values(), *here.routed.values()))
        assert bool(here.house) == bool(here.units or here.routed)
        assert all(UNITS[u].at_sea == (facts.kind != "land") for u in (*here.units, *here.routed))
        assert not (here.neutral and here.house), "units beside a neutral force"
        assert not here.power or (area in LAND and facts.home_of != here.power)
        assert not (here.power and here.house and here.power != here.house), "a token under enemy units"
        assert not here.garrison or here.house in ("", facts.home_of)
        if facts.kind == "port":
            assert sum(army(state, area).values()) <= 3
    assert 0 <= state.threat <= 12
    _check_prompts(game)


def _check_prompts(game: Game) -> None:
    state = game.state
    if game.over:
        assert not state.prompts
        assert not state.agenda
        return
    assert game.waiting, "nobody waits for anybody"
    assert set(state.sealed) <= set(state.prompts)
    assert all(p.id < state.next_prompt for p in state.prompts.values())
    assert all(getattr(p, "options", True) for p in state.prompts.values())


class Remembering:
    """What may never come back: neutral forces, garrisons; and areas that can never be entered."""

    def __init__(self, game: Game) -> None:
        self._neutral = {a for a, here in game.state.areas.items() if here.neutral}
        self._closed = {a for a, here in game.state.areas.items() if here.neutral == "~"}
        self._garrisons = {a for a, here in game.state.areas.items() if here.garrison}
        self._prompts = 0

    def check(self, game: Game) -> None:
        """Called after every answer."""
        state = game.state
        neutral = {a for a, here in state.areas.items() if here.neutral}
        garrisons = {a for a, here in state.areas.items() if here.garrison}
        assert neutral <= self._neutral
        assert garrisons <= self._garrisons
        assert self._closed <= neutral
        assert all(not controller(state, a) for a in neutral)
        assert state.next_prompt >= self._prompts
        self._neutral, self._garrisons, self._prompts = neutral, garrisons, state.next_prompt
