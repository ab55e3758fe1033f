"""Drawing from the decks. Draws that are fixed beforehand come first, also after a shuffle."""

from server.game.play import Play


def top(play: Play, deck: str) -> str:
    """The card that will be drawn next."""
    return (play.state.stacked.get(deck) or play.state.decks[deck])[0]


def draw(play: Play, deck: str) -> str:
    """Takes the next card from a deck. One that was fixed beforehand need not be in the deck any more."""
    state = play.state
    card = top(play, deck)
    if state.stacked.get(deck):
        state.stacked[deck] = state.stacked[deck][1:]
    cards = list(state.decks[deck])
    if card in cards:
        cards.remove(card)
    state.decks[deck] = tuple(cards)
    return card


def to_bottom(play: Play, deck: str, card: str) -> None:
    """Puts a card under a deck."""
    play.state.decks[deck] += (card,)


def shuffle(play: Play, deck: str, cards: tuple[str, ...]) -> None:
    """Makes a deck of these cards anew, in random order."""
    play.state.decks[deck], play.state.chance = play.state.chance.shuffled(cards)
