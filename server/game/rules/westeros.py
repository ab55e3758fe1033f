"""The Westeros phase (WES): three cards are revealed, the wildlings stir, then the cards are resolved."""

from server.game.agenda import Step
from server.game.board import DECKS, MAX_THREAT, THREAT_STEP, WILDLING_ICONS
from server.game.play import Play
from server.game.rules import decks, wildlings
from server.game.rules.westeros_cards import WesterosCard

REPLACED = {"winter-is-coming-1", "winter-is-coming-2"}


class Westeros(Step, frozen=True):
    """The whole phase, up to the cards that are to be resolved."""

    def run(self, play: Play) -> None:
        """A new round begins (WES-1); cards, threat, wildlings at 12, then the cards I, II, III (WES-2 to WES-5)."""
        state = play.state
        state.restrictions = ()
        play.done()
        play.tell("round_began", "WES-1", round=state.round)
        state.westeros = tuple(reveal(play, deck) for deck in ("westeros_1", "westeros_2", "westeros_3"))
        play.tell("westeros_revealed", "WES-2", cards=state.westeros)
        raise_threat(play)
        play.push(*(WesterosCard(card) for card in state.westeros))
        if state.threat == MAX_THREAT:
            wildlings.attack(play, state.threat, "WES-4")


def reveal(play: Play, deck: str) -> str:
    """The top card of a deck; Winter Is Coming shuffles all cards of its deck and is replaced (WES-7)."""
    card = decks.draw(play, deck)
    while card in REPLACED:
        decks.shuffle(play, deck, DECKS[deck])
        following = decks.draw(play, deck)
        play.tell("westeros_replaced", "WES-7", card=card, by=following)
        card = following
    return card


def raise_threat(play: Play) -> None:
    """Every wildling icon advances the threat one space, never beyond 12 (WES-3)."""
    state = play.state
    icons = [card for card in state.westeros if card in WILDLING_ICONS]
    if icons:
        state.threat = min(MAX_THREAT, state.threat + THREAT_STEP * len(icons))
        play.tell("threat_rose", "WES-3", cards=icons, threat=state.threat)
