"""Bots at a table."""

from protocol.answers import PlaceOrders
from server.bots.kinds import KINDS
from server.bots.table import at_pace
from server.lab.lab import Lab


async def test_every_kind_can_sit_at_a_table():
    lab = Lab.new(3, 1)
    house = lab.waiting[0]
    for kind in KINDS:
        answer = await at_pace(kind, "seed", 0.0, budget=1)(lab.prompt(house), lab.observe(house))
        assert isinstance(answer, PlaceOrders)
        lab.copy().play(house, answer)
