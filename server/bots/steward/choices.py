"""Everything that is one of some options: support, cards, blade, abilities, retreats, Westeros and wildlings."""

from random import Random

from protocol.prompts import ChoosePrompt
from server.bots.steward.cards import Fight
from server.bots.steward.chance import typical
from server.bots.steward.sight import Sight
from server.bots.steward.value import Values
from server.game.board import AREAS, CARDS, ORDERS, STRUCTURES, SUPPORTED_FROM, TIDES

ORDER_WORTH: dict[str, float] = {"march": 3.0, "support": 2.0, "defense": 1.5, "consolidate_power": 1.5, "raid": 0.8}

DOUBT = 0.5
"""How much more of a danger one of two fighting houses must be to count as the greater one."""


def choose(sight: Sight, values: Values, prompt: ChoosePrompt, rng: Random) -> str:
    """The option that does most good."""
    match prompt.kind:
        case "support":
            return _support(sight, prompt)
        case "house_card":
            return _house_card(sight, values, prompt, rng)
        case "blade":
            return _blade(sight, prompt)
        case "ability":
            return _ability(sight, values, prompt)
        case "retreat":
            return _retreat(sight, values, prompt)
        case "westeros":
            return _westeros(sight, prompt)
        case "wildlings":
            return _wildlings(sight, values, prompt)
        case "port":
            return prompt.options[-1]
        case "wildling_card":
            return _wildling_card(prompt)
    return prompt.options[0]


def _support(sight: Sight, prompt: ChoosePrompt) -> str:
    """My own side; no help against a neutral force; else against whoever is the greater danger, in doubt the attacker."""
    if sight.me in (prompt.attacker, prompt.defender):
        return prompt.options[0]
    if "defender" not in prompt.options:
        return "none"
    attacker, defender = _danger(sight, prompt.attacker), _danger(sight, prompt.defender)
    return "attacker" if defender > attacker + DOUBT else "defender"


def _danger(sight: Sight, house: str) -> float:
    """How much a house is in my way: what it holds, and whether it stands next to me."""
    near = sum(sight.owner.get(a) == house and bool(sight.units(a)) for mine in sight.mine for a in sight.reach(mine))
    return sight.structures[house] + 0.15 * near


def _house_card(sight: Sight, values: Values, prompt: ChoosePrompt, rng: Random) -> str:
    fight = Fight(sight, values, prompt)
    combat = sight.view["combat"]
    shown = combat.get("cards", {}).get(fight.them.house)
    theirs = [shown] if shown else list(sight.hand(fight.them.house)) or [""]
    return rng.choices(prompt.options, fight.weights(prompt.options, theirs))[0]


def _blade(sight: Sight, prompt: ChoosePrompt) -> str:
    """The Blade, if 1 decides; another Tides card, if the drawn one is poor and the fight is close."""
    mine = "attacker" if prompt.attacker == sight.me else "defender"
    other = "defender" if mine == "attacker" else "attacker"
    ahead = prompt.strength[mine] - prompt.strength[other]
    if "redraw" in prompt.options:
        return "redraw" if TIDES[prompt.card].strength == 0 and -3 <= ahead <= 1 else "pass"
    # I hold the Fiefdoms token with the Blade, so a tie is mine already
    return "use" if ahead == -1 else "pass"


def _ability(sight: Sight, values: Values, prompt: ChoosePrompt) -> str:
    combat = sight.view.get("combat", {})
    them = combat.get("defender") if combat.get("attacker") == sight.me else combat.get("attacker")
    match prompt.card:
        case "tyrion-lannister":
            rest = [typical(c) for c in sight.hand(them)]
            return "use" if typical(combat["cards"][them]) > (sum(rest) / len(rest) if rest else 0.0) else "pass"
        case "aeron-damphair":
            return _aeron(sight, prompt)
        case "doran-martell":
            return min(prompt.options, key=lambda track: (sight.place(track, them), track != "kings_court"))
        case "patchface":
            return max((o for o in prompt.options if o != "pass"), key=typical)
        case "queen-of-thorns" | "cersei-lannister":
            return max((o for o in prompt.options if o != "pass"), key=lambda area: _order_worth(sight, prompt, area))
    return prompt.options[0]


def _aeron(sight: Sight, prompt: ChoosePrompt) -> str:
    """Another card, the weakest that wins; if none does, none."""
    strength = sight.view["combat"]["strength"]
    mine, other = ("attacker", "defender") if prompt.attacker == sight.me else ("defender", "attacker")
    needed = strength[other]["total"] - strength[mine]["total"]
    winning = [c for c in prompt.options if c != "pass" and CARDS[c].strength >= max(needed, 1) + (needed >= 1)]
    return min(winning, key=lambda c: CARDS[c].strength) if winning and needed > -1 else "pass"


def _order_worth(sight: Sight, prompt: ChoosePrompt, area: str) -> float:
    """What an order is worth to its house; support next to the fight most of all."""
    kind = ORDERS[sight.orders[area]].kind
    near = kind == "support" and area in SUPPORTED_FROM.get(prompt.area, ())
    return ORDER_WORTH[kind] + (6.0 if near and prompt.card == "queen-of-thorns" else 0.0)


def _retreat(sight: Sight, values: Values, prompt: ChoosePrompt) -> str:
    """Mine: where the units do most good. An enemy's, by Robb Stark: where they do least."""
    loser = prompt.defender if prompt.attacker == sight.me else prompt.attacker
    if prompt.card and loser != sight.me:
        return max(prompt.options, key=lambda a: (sight.owner.get(a, "") == sight.me, -values.worth(a)))

    def good(area: str) -> float:
        near_home = (
            sum(bool(AREAS[n].points) and sight.holds(n) for n in sight.reach(area)) if sight.owner.get(area) else 0
        )
        return values.worth(area) - 0.6 * sight.threats.get(area, 0.0) + 0.5 * near_home

    return max(prompt.options, key=good)


def _westeros(sight: Sight, prompt: ChoosePrompt) -> str:
    match prompt.card:
        case "a-throne-of-blades":
            barrels = sum(AREAS[a].barrels for a, o in sight.owner.items() if o == sight.me)
            if barrels > sight.houses[sight.me].get("supply", 0) + 1:
                return "supply"
            points = {h: sum(AREAS[a].points for a in STRUCTURES if sight.holds(a, h)) for h in sight.houses}
            return "mustering" if points[sight.me] * len(points) >= sum(points.values()) else "none"
        case "dark-wings-dark-words":
            powers = sorted((sight.power(h) for h in sight.houses), reverse=True)
            if sight.power() >= powers[0] and sight.power() >= 5:
                return "clash-of-kings"
            return "game-of-thrones"
        case "put-to-the-sword":
            return "storm-of-swords" if sight.structures[sight.me] >= sight.structures[sight.leader] - 1 else "none"
    return prompt.options[0]


def _wildlings(sight: Sight, values: Values, prompt: ChoosePrompt) -> str:
    match prompt.card:
        case "preemptive-raid":
            if prompt.options[0] == "units":
                return prompt.options[1] if len(sight.mine) < 6 else "units"
            return prompt.options[-1]
        case "crow-killers":
            return max(
                prompt.options, key=lambda a: -1.0 if a == "pass" else sight.threats.get(a, 0.0) + values.worth(a)
            )
        case "massing-on-the-milkwater":
            return min(prompt.options, key=typical)
        case "mammoth-riders":
            return max((o for o in prompt.options if o != "pass"), key=typical, default="pass")
        case "a-king-beyond-the-wall":
            if "iron_throne" not in prompt.options:
                return max(prompt.options, key=sight.place)
            return max(("kings_court", "fiefdoms", "iron_throne"), key=sight.place)
    return prompt.options[0]


def _wildling_card(prompt: ChoosePrompt) -> str:
    """Harmless cards stay on top."""
    return "top" if prompt.card in ("silence-at-the-wall", "massing-on-the-milkwater") else "bottom"
