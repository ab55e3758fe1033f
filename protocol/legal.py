"""Legal answers to any prompt, from what the prompt says alone: a random one, and the default of an absent player.

A client that only ever calls `draw` is never refused, save where another seat decided meanwhile.
"""

from collections import Counter
from random import Random
from typing import get_args

from msgspec import UNSET

from protocol.answers import (
    AnyAnswer,
    Bid,
    Choose,
    Consolidate,
    March,
    Move,
    Muster,
    PlaceOrders,
    Raid,
    Rank,
    Raven,
    Recruit,
    Remove,
    Unit,
)
from protocol.prompts import (
    AnyPrompt,
    BidPrompt,
    ChoosePrompt,
    ConsolidatePrompt,
    MarchOption,
    MarchPrompt,
    MusterPrompt,
    MusterSite,
    PlaceOrdersPrompt,
    RaidPrompt,
    RankPrompt,
    RavenPrompt,
    RemovePrompt,
    SupplyRoom,
    Target,
    over_limits,
)

TRIES = 12
UNITS: tuple[Unit, ...] = get_args(Unit)


def draw(prompt: AnyPrompt, rng: Random) -> AnyAnswer:
    """A random legal answer to a prompt."""
    match prompt:
        case PlaceOrdersPrompt():
            return _orders(prompt, rng)
        case RavenPrompt():
            return _raven(prompt, rng)
        case RaidPrompt():
            raid = rng.choice(prompt.raids)
            return Raid(raid.from_, rng.choice(raid.targets) if raid.targets else UNSET)
        case MarchPrompt():
            return _march(prompt, rng)
        case ConsolidatePrompt():
            return _consolidate(prompt, rng)
        case MusterPrompt():
            sites = [rng.choice(prompt.sites)] if prompt.one_site else prompt.sites
            return Muster(_recruits(prompt, sites, prompt.supply, rng))
        case BidPrompt():
            return Bid(rng.randint(0, prompt.power))
        case RankPrompt():
            return Rank(rng.sample(prompt.houses, prompt.pick))
        case RemovePrompt():
            return _remove(prompt, rng)
        case ChoosePrompt():
            return Choose(rng.choice(prompt.options))


def default(prompt: AnyPrompt) -> AnyAnswer:
    """What an absent player is taken to answer: the careful choice that changes least (PROTOCOL.md, "Defaults")."""
    match prompt:
        case PlaceOrdersPrompt():
            careful = ("defense-plus-1", "consolidate-power", "support", "raid", "march-0", "march-minus-1")
            tokens = [o for o in careful if o in prompt.tokens for _ in range(prompt.tokens[o])]
            tokens += [o for o in prompt.starred if o in prompt.tokens]
            return PlaceOrders(dict(zip(prompt.areas[: prompt.required], tokens, strict=False)))
        case RavenPrompt():
            return Raven("pass")
        case RaidPrompt():
            return Raid(prompt.raids[0].from_)
        case MarchPrompt():
            return March(prompt.marches[0].from_, [])
        case ConsolidatePrompt():
            return Consolidate(prompt.orders[0].from_)
        case MusterPrompt():
            return Muster([])
        case BidPrompt():
            return Bid(0)
        case RankPrompt():
            return Rank(prompt.houses[: prompt.pick])
        case RemovePrompt():
            return _remove(prompt, Random(0))  # noqa: S311 - any losses will do, always the same
        case ChoosePrompt():
            return Choose(
                "pass" if "pass" in prompt.options else "none" if "none" in prompt.options else prompt.options[0]
            )


def _orders(prompt: PlaceOrdersPrompt, rng: Random) -> PlaceOrders:
    plain = [o for o, n in prompt.tokens.items() if o not in prompt.starred for _ in range(n)]
    fewest = max(0, prompt.required - len(plain))
    stars = rng.randint(fewest, max(fewest, min(prompt.stars, prompt.required)))
    tokens = rng.sample(prompt.starred, stars) + rng.sample(plain, prompt.required - stars)
    rng.shuffle(tokens)
    return PlaceOrders(dict(zip(rng.sample(prompt.areas, prompt.required), tokens, strict=True)))


def _raven(prompt: RavenPrompt, rng: Random) -> Raven:
    use = rng.choice(["replace", "look", "pass"] if prompt.exchanges else ["look", "pass"])
    if use != "replace":
        return Raven("look" if use == "look" else "pass")
    area = rng.choice(list(prompt.exchanges))
    return Raven("replace", area, rng.choice(prompt.exchanges[area]))


def _march(prompt: MarchPrompt, rng: Random) -> March:
    option = rng.choice(prompt.marches)
    for _ in range(TRIES if option.targets else 0):
        groups = _groups(option, rng)
        if groups and allowed(prompt, option, groups):
            all_gone = sum((Counter(units) for units in groups.values()), Counter()) == Counter(option.units)
            leave = option.leave_power and all_gone and rng.random() < 0.5
            return March(option.from_, [Move(to, dict(units)) for to, units in groups.items()], leave)  # type: ignore[arg-type]
    return March(option.from_, [])


def _groups(option: MarchOption, rng: Random) -> dict[str, dict[str, int]]:
    """Units sent at random: mostly one army to one place, sometimes several groups."""
    some = rng.sample(option.targets, min(len(option.targets), rng.choice((1, 1, 2, 3))))
    stay = rng.random() < 0.3
    groups: dict[str, dict[str, int]] = {}
    for unit, n in option.units.items():
        for _ in range(n):
            if stay and rng.random() < 0.5:
                continue
            group = groups.setdefault(rng.choice(some).to, {})
            group[unit] = group.get(unit, 0) + 1
    return groups


def allowed(prompt: MarchPrompt, option: MarchOption, groups: dict[str, dict[str, int]]) -> bool:
    """Whether these groups (units by target) are one legal march of an option: one attack, strength, room and supply."""
    targets = {t.to: t for t in option.targets}
    attacks = [t for to in groups if (t := targets[to]).attack]
    if len(attacks) > 1 or any(not strong_enough(t, groups[t.to]) for t in attacks):
        return False
    armies = Counter(prompt.supply.armies)
    for to, units in groups.items():
        moved = sum(units.values())
        room = targets[to].room
        if isinstance(room, int) and moved > room:
            return False
        armies[option.from_] -= moved
        armies[to] += moved
    return not over_limits(prompt.supply.limits, armies.values())


def strong_enough(target: Target, units: dict[str, int]) -> bool:
    """Whether units may attack a target: always a house; a neutral force if they and all possible support suffice."""
    if target.attack != "neutral":
        return True
    brought = sum(n * target.strength[unit] for unit, n in units.items())
    return brought + target.bonus + sum(target.offers.values()) >= target.needed


def _consolidate(prompt: ConsolidatePrompt, rng: Random) -> Consolidate:
    option = rng.choice(prompt.orders)
    if option.muster is UNSET or prompt.supply is UNSET or rng.random() < 0.3:
        return Consolidate(option.from_)
    return Consolidate(option.from_, _recruits(prompt, [option.muster], prompt.supply, rng))


def _recruits(
    prompt: MusterPrompt | ConsolidatePrompt, sites: list[MusterSite], supply: SupplyRoom, rng: Random
) -> list[Recruit]:
    """Recruits one by one at random, each checked against points, pieces, room and supply."""
    pieces, armies = Counter(prompt.pieces), Counter(supply.armies)
    made: list[Recruit] = []
    for site in rng.sample(sites, len(sites)):
        points, footmen, room = site.points, site.footmen, Counter(site.ships)
        for _ in range(TRIES):
            unit = rng.choice(UNITS)
            upgrade = unit in prompt.upgrades and footmen > 0 and rng.random() < 0.5
            cost = prompt.upgrades[unit] if upgrade else prompt.costs[unit]
            if cost > points or pieces[unit] < 1:
                continue
            if upgrade:
                footmen -= 1
                pieces["footman"] += 1
                made.append(Recruit(site.at, unit, upgrade=True))
            else:
                to = site.at
                if unit == "ship":
                    places = [place for place, n in room.items() if n > 0]
                    if not places:
                        continue
                    to = rng.choice(places)
                armies[to] += 1
                if over_limits(supply.limits, armies.values()):
                    armies[to] -= 1
                    continue
                room[to] -= 1
                made.append(Recruit(site.at, unit, to if to != site.at else UNSET))
            points -= cost
            pieces[unit] -= 1
    return made


def _remove(prompt: RemovePrompt, rng: Random) -> Remove:
    """So many units at random; with supply only from armies that are too large."""
    left = {area: Counter(units) for area, units in prompt.units.items()}
    if prompt.one_area:
        area = rng.choice([a for a, units in left.items() if units.total() >= prompt.count])
        left = {area: left[area]}
    gone: dict[str, Counter[Unit]] = {}
    armies = Counter() if prompt.supply is UNSET else Counter(prompt.supply.armies)
    for _ in range(prompt.count):
        able = [(area, unit) for area, units in left.items() for unit in UNITS if units[unit] > 0]
        if prompt.supply is not UNSET:
            limits, before = prompt.supply.limits, over_limits(prompt.supply.limits, armies.values())
            able = [(a, u) for a, u in able if over_limits(limits, (armies - Counter({a: 1})).values()) < before]
        area, unit = rng.choice(able)
        left[area][unit] -= 1
        armies[area] -= 1
        gone.setdefault(area, Counter())[unit] += 1
    return Remove({area: dict(units) for area, units in gone.items()})
