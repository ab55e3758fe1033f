"""What the page knows beside the document: names, what is printed on board and cards, and the words for events.

It is made from the game's own data when a node starts, so it is never out of date.
"""

import re
from importlib import resources
from typing import Any

from msgspec import to_builtins

from protocol import events
from server.game import board

_RULE = re.compile(r"^- ([A-Z]{3}-[A-Z]?\d+) (.*(?:\n  .*)*)", re.MULTILINE)
_HOUSE_CARD = re.compile(r"(?P<name>[^:]+?) \d, \d/\d: (?P<text>.+)", re.DOTALL)
_DECK_CARD = re.compile(r"\*(?P<name>[^*]+)\*[^:]*: (?P<text>.+)", re.DOTALL)


def rules() -> dict[str, str]:
    """The text of every rule of RULES.md, by its id."""
    text = resources.files("server.game").joinpath("RULES.md").read_text(encoding="utf-8")
    return {match[1]: " ".join(match[2].split()) for match in _RULE.finditer(text)}


def card_texts(known: dict[str, str]) -> dict[str, str]:
    """What house cards, Westeros cards and wildling cards do, by card; those without a text are left out."""
    ids = {card.name: card.id for card in board.CARDS.values()}
    texts: dict[str, str] = {}
    decks: dict[str, str] = {}
    for rule, text in known.items():
        if rule.startswith("HCD-") and (shown := _HOUSE_CARD.match(text)) and shown["name"] in ids:
            texts[ids[shown["name"]]] = _plain(shown["text"])
        elif rule.startswith("WES-") and (shown := _DECK_CARD.match(text)):
            decks[shown["name"]] = _plain(shown["text"])
        elif rule.startswith("WIL-") and (shown := _DECK_CARD.match(text)):
            reward, lowest, rest = _plain(shown["text"]).removesuffix(".").split(" / ")
            decks[shown["name"]] = (
                f"Won: the highest bidder: {reward}. Lost: the lowest bidder: {lowest}; all others: {rest}."
            )
    return texts | {card: decks[name] for card, name in board.DECK_CARD_NAMES.items()}


def _plain(text: str) -> str:
    """A text without its remarks on sources and its references to other rules."""
    text = re.sub(r" ?\[[^\]]*\]| ?\((?:but )?(?:see )?[A-Z]{3}-[^)]*\)", "", text)
    text = re.sub(r" (as [A-Z]{3}-\d+|\([A-Z]{3}\))", "", text)
    return text[:1].upper() + text[1:]


def facts() -> dict[str, Any]:
    """Everything the page knows, as it is sent."""
    names = {**{a.id: a.name for a in board.AREAS.values()}, **{h.id: h.name for h in board.HOUSES.values()}}
    names |= {c.id: c.name for c in board.CARDS.values()}
    return {
        "names": names | board.DECK_CARD_NAMES | events.IDS,
        "areas": {a.id: {**to_builtins(a), "near": board.NEXT[a.id]} for a in board.AREAS.values()},
        "houses": list(board.HOUSES),
        "cards": to_builtins(board.CARDS),
        "texts": card_texts(rules()),
        "orders": to_builtins(board.ORDERS),
        "tides": to_builtins(board.TIDES),
        "seats": {players: setup.houses for players, setup in board.SETUPS.items()},
        "supply": board.SUPPLY_LIMITS,
        "rounds": board.ROUNDS,
        "to_win": board.STRUCTURES_TO_WIN,
        "threat": board.MAX_THREAT,
        "events": {kind: shown.text for kind, shown in events.EVENTS.items()},
        "phrases": events.PHRASES,
        "plain": events.PLAIN,
        "plurals": events.PLURALS,
    }
