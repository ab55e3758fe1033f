"""Legal answers to a prompt: all of them where they are few, else different drawn ones."""

from collections.abc import Iterator
from itertools import islice, permutations
from random import Random

import msgspec
from msgspec import UNSET

from protocol.answers import AnyAnswer, Bid, Choose, Consolidate, Raid, Rank, Raven
from protocol.legal import draw
from protocol.prompts import AnyPrompt, BidPrompt, ChoosePrompt, ConsolidatePrompt, RaidPrompt, RankPrompt, RavenPrompt

_encode = msgspec.msgpack.Encoder(order="deterministic").encode
DRAWS = 2
"""How many answers are drawn for each that is wanted, at most: many will be the same."""


def all_answers(prompt: AnyPrompt) -> Iterator[AnyAnswer] | None:
    """Every legal answer to a prompt, in a fixed order; nothing for plans, marches, musters and losses: there are too many."""
    match prompt:
        case ChoosePrompt():
            return (Choose(option) for option in prompt.options)
        case BidPrompt():
            return (Bid(power) for power in range(prompt.power + 1))
        case RankPrompt():
            return (Rank(list(houses)) for houses in permutations(prompt.houses, prompt.pick))
        case RaidPrompt():
            return _raids(prompt)
        case RavenPrompt():
            return _raven(prompt)
        case ConsolidatePrompt() if all(option.muster is UNSET for option in prompt.orders):
            return (Consolidate(option.from_) for option in prompt.orders)
    return None


def _raids(prompt: RaidPrompt) -> Iterator[AnyAnswer]:
    for raid in prompt.raids:
        yield Raid(raid.from_)
        for target in raid.targets:
            yield Raid(raid.from_, target)


def _raven(prompt: RavenPrompt) -> Iterator[AnyAnswer]:
    yield Raven("pass")
    yield Raven("look")
    for area, orders in prompt.exchanges.items():
        for order in orders:
            yield Raven("replace", area, order)


def legal(prompt: AnyPrompt, n: int, rng: Random) -> list[AnyAnswer]:
    """Up to `n` different legal answers: all if they can be listed and are no more, else a random choice of them."""
    answers = all_answers(prompt)
    if answers is not None:
        listed = list(islice(answers, 2000))
        return listed if len(listed) <= n else rng.sample(listed, n)
    found: dict[bytes, AnyAnswer] = {}
    for _ in range(n * DRAWS):
        answer = draw(prompt, rng)
        found.setdefault(_encode(answer), answer)
        if len(found) == n:
            break
    return list(found.values())
