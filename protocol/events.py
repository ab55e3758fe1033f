"""Every event a game tells: its fields, what they mean, and how it reads in plain words.

A text is a template: `{field}` is put into words, and a part in square brackets is left out when one of its fields is absent.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple


class EventKind(NamedTuple):
    """What an event of a type says. All events also have `type`, and most have `rules`: the rule ids that decided it."""

    text: str
    fields: str
    """Its fields, those that may be absent with a question mark."""


EVENTS: dict[str, EventKind] = {
    "round_began": EventKind("Round {round} begins", "round"),
    "round_ended": EventKind("Round {round} is over; routed units stand up and orders are cleared", "round"),
    "orders_revealed": EventKind("The orders are revealed", "orders: order by area"),
    "order_replaced": EventKind(
        "{house} sends the Raven: {order} instead of {instead_of} in {area}", "house, area, order, instead_of"
    ),
    "raven_looked": EventKind("{house} sends the Raven to look beyond the Wall", "house"),
    "wildling_card_put": EventKind(
        "{house} puts the wildling card on the {where} of the deck", "house, where: top or bottom"
    ),
    "raven_passed": EventKind("{house} keeps the Raven", "house"),
    "planned": EventKind("As planned by {house}: the {order} in {area}", "house, area, order"),
    "plan_dropped": EventKind(
        "The plan of {house} for {area} cannot be carried out and is dropped", "house, area, code: why, as in errors"
    ),
    "raided": EventKind(
        "{house} raids {target} from {from}: the {order} of {victim} is removed[; {house} takes {gained} power]"
        "[; {victim} loses {lost}]",
        "house, from, target, victim, order, gained?, lost?",
    ),
    "raid_discarded": EventKind("{house} discards the raid order in {from}", "house, from"),
    "marched": EventKind(
        "{house} marches from {from} with {order}: {moves}[ and leaves a power token|left_power]",
        "house, from, order, moves: list of to and units, left_power?",
    ),
    "march_discarded": EventKind("{house} discards the {order} in {from}", "house, from, order"),
    "power_removed": EventKind("{by} removes the power token of {house} in {area}", "area, house: whose token, by"),
    "support_declared": EventKind(
        "{house} supports [{helped}][nobody|none][ with {adds} from {areas}]",
        "house, side: attacker, defender or none, helped?: the house, areas?, adds?: strength, asked?: was it a prompt",
    ),
    "neutral_destroyed": EventKind(
        "{house} brings {total} against the neutral force of {needed} in {area} ({parts}): it is destroyed",
        "house, area, needed, total, parts: list of source and strength",
    ),
    "neutral_held": EventKind(
        "{house} brings only {total} against the neutral force of {needed} in {area}: nothing moves",
        "house, area, needed, total",
    ),
    "combat_began": EventKind(
        "{attacker} attacks {defender} in {area} from {from} with {units}[, against a garrison of {garrison}]",
        "attacker, defender, area, from, units, garrison?",
    ),
    "cards_revealed": EventKind("House cards: {cards}", "cards: card by house"),
    "blade_used": EventKind("{house} swings the Valyrian Steel Blade: +1", "house"),
    "blade_kept": EventKind("{house} keeps the Valyrian Steel Blade", "house"),
    "combat_decided": EventKind(
        "{attacker} against {defender}: {winner} wins[ the tie on the Fiefdoms track|tie]",
        "area, winner, loser, attacker and defender: house, total and parts (list of source and strength), tie?",
    ),
    "garrison_destroyed": EventKind(
        "The garrison of {house} in {area} falls and is gone for good", "house, area, strength"
    ),
    "units_destroyed": EventKind(
        "{house} loses {units} in {area} ({why})",
        "house, area, units, why: swords, siege_engines, routed, no_retreat, supply, port_lost, wildlings, skull, mace_tyrell",
    ),
    "retreated": EventKind(
        "{house} retreats from {from} to {to} with {units}", "house, side: attacker or defender, from, to, units"
    ),
    "conquered": EventKind("{house} takes {area} with {units}", "house, area, units"),
    "order_removed": EventKind("The {order} in {area} is removed[ by {by}]", "area, order, by?"),
    "hand_returned": EventKind("{house} takes back its house cards: {cards}", "house, cards"),
    "combat_ended": EventKind("The combat in {area} is over", "area, winner"),
    "port_captured": EventKind(
        "{house} takes {area} from {from}: {taken} ships taken over, {destroyed} destroyed",
        "house, area, from, taken, destroyed",
    ),
    "power_gained": EventKind("{house} gains {gained} power in {area} and has {power}", "house, area, gained, power"),
    "mustered": EventKind(
        "{house} musters[ {units}][, by upgrading footmen, {upgraded}]",
        "house, units?: by area, upgraded?: new kinds by area",
    ),
    "westeros_revealed": EventKind("The Westeros cards: {cards}", "cards: I, II, III"),
    "westeros_replaced": EventKind("{card} is shuffled back and replaced by {by}", "card, by"),
    "threat_rose": EventKind("The wildling threat rises to {threat} ({cards})", "cards: those with an icon, threat"),
    "westeros_card": EventKind("{card}[: {house} picks {option}]", "card, house?: who picks, option?"),
    "orders_forbidden": EventKind("Forbidden this round: {order}", "order: a kind of order, or march-plus-1"),
    "power_collected": EventKind(
        "{house} collects {gained} power (crowns {crowns}, ports {ports}) and has {power}",
        "house, crowns, ports, gained, power",
    ),
    "supply_set": EventKind("The supply of {house} is {supply}", "house, supply"),
    "bids_revealed": EventKind("Bids for {subject}: {bids}", "subject: a track or wildlings, bids: power by house"),
    "tie_settled": EventKind(
        "{house} settles the tie for {subject}: {order}",
        "house: who decides, subject: a track or wildlings, order: houses, best first",
    ),
    "track_settled": EventKind("{track}: {order}", "track, order: houses, best first"),
    "track_changed": EventKind(
        "{house} moves on the track {track}: {order}", "house, track, order, by?: who caused it"
    ),
    "wildling_attack": EventKind(
        "Wildlings attack with strength {strength}[; {without} is left out]", "strength, without?: the house left out"
    ),
    "wildling_battle": EventKind(
        "{total} power against {strength}: {victor} win; {card}; the threat is {threat} now",
        "victor: nights_watch or wildlings, strength, total, card, threat",
    ),
    "wildling_card": EventKind("{card} strikes {house}, the {bidder} bidder", "card, house, bidder: highest or lowest"),
    "units_turned": EventKind("{house}: {units} in {area} become {into}", "house, area, units, into: their new kind"),
    "cards_discarded": EventKind("{house} discards {cards}", "house, cards"),
    "power_lost": EventKind("{house} loses {lost} power and has {power}", "house, lost, power"),
    "bid_returned": EventKind("{house} gets {gained} power back and has {power}", "house, gained, power"),
    "reward_passed": EventKind("{house} does not take the reward of {card}", "house, card"),
    "ability": EventKind("{card}: {house} gains {gained} power", "house, card, gained"),
    "ability_passed": EventKind("{house} does not use {card}", "house, card"),
    "card_cancelled": EventKind(
        "{by} sends {card} back to the hand of {house}, who must play another", "house, card, by"
    ),
    "card_replaced": EventKind("{house} pays {paid} power to play {by} instead of {card}", "house, card, by, paid"),
    "card_discarded": EventKind("{by} discards {card} from the hand of {house}", "house, card, by"),
    "march_goes_on": EventKind("The {order} of {house} moves on to {area}", "house, area, order"),
    "turned_back": EventKind(
        "{house} may not enter {from} and goes back to {to} with {units}", "house, from, to, units"
    ),
    "tides_revealed": EventKind("Tides of Battle: {cards}", "cards: card by house"),
    "tides_redrawn": EventKind("{house} spends the Valyrian Steel Blade on another Tides card", "house"),
    "undone": EventKind("The last decision is taken back; {waiting} decides again", "waiting: houses"),
    "seat_taken": EventKind("{name} sits down as {house}", "house, name"),
    "game_started": EventKind("The game begins: {houses}", "houses"),
    "seat_freed": EventKind("The host frees the seat of {house}", "house"),
    "deadline_missed": EventKind("{house} lets its time run out", "house"),
    "invite_renewed": EventKind("{house} has another invite; nobody sits there", "house"),
    "answers_given_up": EventKind(
        "{house} has sent one wrong answer after the other; the server has answered for it", "house"
    ),
    "seat_on_autopilot": EventKind("{house} is on autopilot until its player comes back", "house"),
    "bot_seated": EventKind("A {kind} plays for {house}", "house, kind: of the bot"),
    "seat_returned": EventKind("The player of {house} is back", "house"),
    "voted": EventKind("{house} votes for: {on} ({yes})", "house, on: undo, pause, resume or extend, yes"),
    "clocks_paused": EventKind("The clocks stand still", "nothing"),
    "clocks_resumed": EventKind("The clocks go on", "nothing"),
    "clocks_extended": EventKind("Everybody who owes a decision has {minutes} more minutes", "minutes"),
    "room_closed": EventKind("The host has closed the room", "nothing"),
    "room_frozen": EventKind("The room is frozen after a fault of the server", "nothing"),
    "game_over": EventKind(
        "{winner} wins the game by {reason} ({structures})",
        "winner, reason: structures or rounds, standing: houses, best first, structures: by house",
    ),
}
"""By type."""

PHRASES: dict[str, str] = {
    "swords": "by swords",
    "siege_engines": "siege engines do not retreat",
    "routed": "routed units do not retreat again",
    "no_retreat": "nowhere to retreat to",
    "port_lost": "the port is lost",
    "supply": "for want of supply",
    "wildlings": "by the wildlings",
    "skull": "by a skull",
    "mace_tyrell": "by Mace Tyrell",
    "structures": "seven castles and strongholds",
    "rounds": "most castles and strongholds after the last round",
}
"""How causes read (`why`, `reason`)."""
PLAIN = ("why", "reason", "bidder", "where", "name")
"""Fields whose values are words, not ids."""
IDS: dict[str, str] = {
    "nights_watch": "The Night's Watch",
    "none": "nothing",
    "kings_court": "King's Court",
    "consolidate_power": "Consolidate Power",
}
"""Ids that do not read well spelled out, where no name is given for them."""
PLURALS = {"footman": "footmen", "knight": "knights", "siege_engine": "siege engines", "ship": "ships"}

_BRACKET = re.compile(r"\[([^\[\]|]*)(?:\|(\w+))?\]")
_FIELD = re.compile(r"\{(\w+)\}")


def say(event: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """An event in plain words. `names` gives readable names for ids; other ids are spelled out."""
    kind = EVENTS.get(event["type"])
    if kind is None:
        return str(event["type"]).replace("_", " ")

    def optional(match: re.Match[str]) -> str:
        text, condition = match.groups()
        wanted = [condition] if condition else _FIELD.findall(text)
        present = all(event.get(name) or event.get("side") == name for name in wanted)
        return text if present else ""

    text = _BRACKET.sub(optional, kind.text)

    def fact(match: re.Match[str]) -> str:
        value = event.get(match[1], "")
        return PHRASES.get(value, value) if match[1] in PLAIN else words(value, names or {})

    return _FIELD.sub(fact, text)


def words(value: Any, names: Mapping[str, str]) -> str:
    """A fact in words: an id, a number, units, a side of a combat, groups of a march, lists of any of these."""
    match value:
        case {"to": to, "units": units}:
            return f"{words(units, names)} to {words(to, names)}"
        case {"house": house, "total": total, "parts": parts}:
            return f"{words(house, names)} {total} ({words(parts, names) or 'nothing'})"
        case dict():
            return join([_pair(key, part, names) for key, part in value.items()])
        case [str() as source, int() as n]:
            return f"{_source(source, names)} {n:+d}"
        case list():
            return join([words(part, names) for part in value])
        case bool():
            return "yes" if value else "no"
        case str():
            spelled = value.replace("-minus-", " \N{MINUS SIGN}").replace("-plus-", " +").replace("-", " ")
            return names.get(value) or IDS.get(value) or spelled.replace("_", " ").title().replace(" Of ", " of ")
        case _:
            return str(value)


def _pair(key: str, part: Any, names: Mapping[str, str]) -> str:
    if key in PLURALS and isinstance(part, int):
        return f"{part} {PLURALS[key] if part > 1 else key.replace('_', ' ')}"
    return f"{words(key, names)} {part}" if isinstance(part, int) else f"{words(key, names)}: {words(part, names)}"


def _source(source: str, names: Mapping[str, str]) -> str:
    first, _, rest = source.partition(" ")
    return f"{first} {words(rest.removeprefix('of '), names)}" if rest else words(source, names)


def join(parts: list[str]) -> str:
    """A list in words."""
    return ", ".join(parts)
