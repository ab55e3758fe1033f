"""How likely an attack wins when nobody knows yet which house cards will be played."""

from collections.abc import Iterable
from functools import lru_cache

from server.game.board import CARDS

TEXTS: dict[str, float] = {
    "balon-greyjoy": 1.4,
    "victarion-greyjoy": 0.4,
    "theon-greyjoy": 0.4,
    "aeron-damphair": 1.5,
    "ser-kevan-lannister": 0.8,
    "tyrion-lannister": 1.0,
    "stannis-baratheon": 0.5,
    "ser-davos-seaworth": 0.4,
    "salladhor-saan": 0.3,
    "mace-tyrell": 0.7,
    "queen-of-thorns": 0.6,
    "catelyn-stark": 0.6,
    "doran-martell": 0.3,
}
"""What the texts are good for on the whole, in strength."""


def typical(card: str) -> float:
    """The strength of a card with its text, roughly."""
    return CARDS[card].strength + TEXTS.get(card, 0.0)


def likely(hand: Iterable[str]) -> list[tuple[float, float]]:
    """Strengths of the cards in a hand with how likely each is played: strong ones rather than weak ones."""
    cards = [typical(card) for card in hand]
    if not cards:
        return [(0.0, 1.0)]
    total = sum(1 + s for s in cards)
    return [(s, (1 + s) / total) for s in cards]


@lru_cache(maxsize=65536)
def win_chance(attacking: tuple[str, ...], defending: tuple[str, ...], lead: float, tie_wins: bool) -> float:
    """The chance of an attacker that leads by `lead` before cards, with these hands."""
    lead += 0.01 if tie_wins else -0.01
    won = 0.0
    for mine, likelihood in likely(attacking):
        for theirs, against in likely(defending):
            ahead = lead + mine - theirs
            won += likelihood * against * (1.0 if ahead >= 0.5 else 0.0 if ahead <= -0.5 else ahead + 0.5)
    return won
