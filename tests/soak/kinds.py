"""What a game can do: everything that must have happened at least once before the rules may be called tried."""

from collections.abc import Iterator

from server.game.board import AREAS, CARDS, DECKS, ORDERS, TIDES
from server.game.cards.text import TEXTS
from server.game.game import Event, Game

WESTEROS = {c for deck in ("westeros_1", "westeros_2", "westeros_3") for c in DECKS[deck]}
WINTER = {c for c in WESTEROS if c.startswith("winter")}
PROMPTS = (
    *("place_orders", "raven", "wildling_card", "raid", "march", "support", "house_card", "ability", "blade"),
    *("casualties", "retreat", "port", "consolidate", "muster", "reconcile", "bid", "rank", "westeros", "wildlings"),
)
CAUSES = ["swords", "siege_engines", "routed", "no_retreat", "port_lost", "supply", "wildlings", "skull", "mace_tyrell"]

ALL: frozenset[str] = frozenset(
    {
        *(f"card {c}" for c in CARDS),
        *(f"order {o}" for o in ORDERS),
        *(f"raided {o}" for o, f in ORDERS.items() if f.kind != "march"),
        *(f"replaced by {o}" for o in ORDERS),
        *(f"westeros {c}" for c in WESTEROS - WINTER),
        *(f"winter {c}" for c in WINTER),
        *(f"wildling {c} {victor}" for c in DECKS["wildling"] for victor in ("nights_watch", "wildlings")),
        *(f"tide {c}" for c in TIDES),
        *(f"prompt {kind}" for kind in PROMPTS),
        *(f"destroyed {why}" for why in CAUSES),
        *(f"retreat of the {side} to {to}" for side, to in (("attacker", "origin"), ("defender", "land"))),
        *(f"retreat of the defender to {to}" for to in ("sea", "port")),
        *(f"picks {o}" for o in ("supply", "mustering", "clash-of-kings", "game-of-thrones", "none")),
        *(f"picks {o}" for o in ("storm-of-swords", "rains-of-autumn")),
        *(f"over by {reason}" for reason in ("structures", "rounds")),
        "neutral alone",
        "neutral with support of others",
        "neutral with own support",
        "neutral held",
        "garrison destroyed",
        "garrison alone",
        "garrison holds",
        "tie",
        "port taken over",
        "port destroyed",
        "wildlings at 12",
        "second attack",
        "power token left",
        "power token removed",
        "blade_used",
        "blade_kept",
        "tides_redrawn",
        "hand_returned",
        "march_goes_on",
        "turned_back",
        "card_cancelled",
        "card_replaced",
        "card_discarded",
        "units_turned",
        "cards_discarded",
        "ability_passed",
        "reward_passed",
        "tie_settled",
        "mustered by order",
        "mustered by card",
        "support for attacker",
        "support for defender",
        "support for none",
        *(f"text {c}" for c, t in TEXTS.items() if t.when and t.when not in ("cancel",)),
    }
)
"""Every kind, by name."""


def of_events(events: list[Event]) -> Iterator[str]:
    """The kinds that some events show."""
    for event in events:
        yield from _of_event(event)


def of_prompts(game: Game) -> Iterator[str]:
    """The kinds of the prompts that are open."""
    return (f"prompt {prompt.kind}" for prompt in game.state.prompts.values())


TEXT_EVENTS = {t.rule: c for c, t in TEXTS.items() if t.when}


def _of_event(event: Event) -> Iterator[str]:
    yield event["type"]
    for rule in event.get("rules", []):
        if rule in TEXT_EVENTS:
            yield f"text {TEXT_EVENTS[rule]}"
    match event:
        case {"type": "cards_revealed", "cards": cards}:
            yield from (f"card {c}" for c in cards.values())
        case {"type": "orders_revealed", "orders": orders}:
            yield from (f"order {o}" for o in orders.values())
        case {"type": "raided", "order": order}:
            yield f"raided {order}"
        case {"type": "order_replaced", "order": order}:
            yield f"replaced by {order}"
        case {"type": "westeros_revealed", "cards": cards}:
            yield from (f"westeros {c}" for c in cards)
        case {"type": "westeros_replaced", "card": card}:
            yield f"winter {card}"
        case {"type": "westeros_card", "option": option}:
            yield f"picks {option}"
        case {"type": "wildling_battle", "card": card, "victor": victor}:
            yield f"wildling {card} {victor}"
        case {"type": "wildling_attack", "rules": rules}:
            yield from ["wildlings at 12"] if "WES-4" in rules else []
            yield from ["second attack"] if "WIL-12" in rules else []
        case {"type": "tides_revealed", "cards": cards}:
            yield from (f"tide {c}" for c in cards.values())
        case {"type": "units_destroyed", "why": why}:
            yield f"destroyed {why}"
        case {"type": "support_declared", "side": side}:
            yield f"support for {side}"
        case {"type": "retreated"}:
            where = "origin" if event["side"] == "attacker" else AREAS[event["to"]].kind
            yield f"retreat of the {event['side']} to {where}"
        case {"type": "neutral_destroyed", "parts": parts}:
            sources = [source for source, _ in parts]
            others = any(s.startswith("support of ") for s in sources)
            own = any(s.startswith("support ") and not s.startswith("support of ") for s in sources)
            yield "neutral with support of others" if others else "neutral alone"
            yield from ["neutral with own support"] if own else []
        case {"type": "neutral_held"}:
            yield "neutral held"
        case {"type": "garrison_destroyed"}:
            yield "garrison destroyed"
        case {"type": "combat_began", "rules": rules, **rest}:
            yield from ["garrison alone"] if "GAR-5" in rules else []
            assert rest
        case {"type": "combat_decided", **rest}:
            yield from ["tie"] if "tie" in rest else []
            guarded = any(source == "garrison" for source, _ in rest["defender"]["parts"])
            yield from ["garrison holds"] if guarded and rest["winner"] == rest["defender"]["house"] else []
        case {"type": "port_captured", "taken": taken, "destroyed": destroyed}:
            yield from ["port taken over"] if taken else []
            yield from ["port destroyed"] if destroyed else []
        case {"type": "marched", "left_power": True}:
            yield "power token left"
        case {"type": "power_removed"}:
            yield "power token removed"
        case {"type": "mustered", "rules": rules}:
            yield "mustered by order" if "CON-2" in rules else "mustered by card"
        case {"type": "game_over", "reason": reason}:
            yield f"over by {reason}"
