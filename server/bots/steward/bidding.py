"""Bids for the tracks and against the wildlings, and the ties that the Iron Throne decides."""

from random import Random

from protocol.answers import Bid, Rank
from protocol.prompts import BidPrompt, RankPrompt
from server.bots.steward.sight import Sight

SHARES: dict[str, float] = {"iron_throne": 0.2, "fiefdoms": 0.35, "kings_court": 0.75}
"""How much of the power at hand is bid for a track; they are bid for in this order."""
PURSE = 2
"""Power to keep back for tokens and the wildlings."""
FAIR = 1.15
"""How much more than its share a house gives against the wildlings, lest others fall short."""


def bid(sight: Sight, prompt: BidPrompt, rng: Random) -> Bid:
    """A bid that is not to be foreseen exactly."""
    if prompt.subject == "wildlings":
        return Bid(min(prompt.power, _against_wildlings(sight, prompt, rng)))
    share = SHARES[prompt.subject] * rng.uniform(0.7, 1.3)
    purse = 0 if prompt.subject == "kings_court" and sight.round >= 8 else PURSE
    wanted = round(max(0, prompt.power - purse) * share)
    richest = max(sight.power(h) for h in sight.houses if h != sight.me)
    return Bid(max(0, min(prompt.power, wanted, richest + 1)))


def _against_wildlings(sight: Sight, prompt: BidPrompt, rng: Random) -> int:
    """A fair share and a bit, as long as all together can win; else just enough not to be the lowest."""
    powers = [sight.power(h) for h in sight.houses]
    if sum(powers) < prompt.strength:
        return 1 if prompt.power > 1 and rng.random() < 0.6 else 0
    share = prompt.strength / len(powers) * FAIR
    rich = sum(p >= share for p in powers) / len(powers)
    return round(share * rng.uniform(0.85, 1.25) + (1 - rich))


def rank(sight: Sight, prompt: RankPrompt) -> Rank:
    """Me first, then those who are least of a danger; for harm the most dangerous one."""

    def danger(house: str) -> tuple[int, int]:
        return sight.structures[house], -sight.place("iron_throne", house)

    friends = sorted(prompt.houses, key=lambda h: (h != sight.me, danger(h)))
    if prompt.lowest:
        friends.reverse()
    return Rank(friends[: prompt.pick])
