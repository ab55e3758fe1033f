"""House cards in combat: choosing them, and the moments in which their texts speak (HCD-1 to HCD-6)."""

from protocol.answers import Choose
from protocol.prompts import ChoosePrompt
from server.game.agenda import Step
from server.game.cards.text import Text, text
from server.game.pieces import in_card_order
from server.game.play import Play
from server.game.rules.strength import fighters, played_text, sums
from server.game.state import Combat, State


class HouseCards(Step, frozen=True):
    """Both sides secretly choose a card and reveal together (HCD-1); or one side plays another card `again`."""

    sealed = True
    again: str = ""
    without: str = ""

    def run(self, play: Play) -> None:
        """Asks a side that holds several cards; a single card is played unasked."""
        state = play.state
        combat = state.change_combat(stage="cards")
        for house in self._choosing(state):
            hand = self._hand(state, house)
            if len(hand) > 1:
                play.ask(
                    house,
                    ChoosePrompt,
                    kind="house_card",
                    options=hand,
                    area=combat.area,
                    attacker=combat.attacker,
                    defender=combat.defender,
                    strength=sums(state),
                )
        if not state.prompts:
            self.reveal(play, {})

    def reveal(self, play: Play, answers: dict[str, Choose]) -> None:
        """The cards are turned up together and leave the hands."""
        state = play.state
        cards: dict[str, str] = {}
        for house in self._choosing(state):
            hand = self._hand(state, house)
            if not hand:
                continue
            cards[house] = answers[house].option if house in answers else hand[0]
            kept = tuple(c for c in state.houses[house].hand if c != cards[house])
            state.change_house(house, hand=kept)
        state.change_combat(cards={**state.fight.cards, **cards}, stage="revealed")
        play.done()
        play.tell("cards_revealed", "HCD-1", cards=cards)

    def _choosing(self, state: State) -> list[str]:
        return [self.again] if self.again else fighters(state)

    def _hand(self, state: State, house: str) -> list[str]:
        return [c for c in state.houses[house].hand if c != self.without]


class CardTexts(Step, frozen=True):
    """The cards in play whose text speaks at a moment, in turn order, each once (HCD-2, HCD-3).

    The moments: cancel, immediately, and outcome, when the winner's cards speak of a win and the loser's of a loss.
    """

    when: str
    spoken: tuple[str, ...] = ()

    def run(self, play: Play) -> None:
        """The next card speaks."""
        state, combat = play.state, play.state.fight
        for house in fighters(state):
            if house in self.spoken:
                continue
            spoken = played_text(combat, house)
            if spoken.when != self._moment(combat, house):
                continue
            play.become(spoken=(*self.spoken, house))
            speak(play, house, combat.cards[house], combat.opponent(house), spoken)
            return
        play.done()

    def take(self, play: Play, house: str, prompt: ChoosePrompt, answer: Choose) -> None:
        """What the house chose."""
        combat = play.state.fight
        spoken = played_text(combat, house)
        obey(play, house, combat.cards[house], combat.opponent(house), spoken, answer.option)

    def _moment(self, combat: Combat, house: str) -> str:
        if self.when != "outcome":
            return self.when
        return "won" if combat.winner == house else "lost"


class AfterCombat(Step, frozen=True):
    """A card that speaks when the combat is over and it lies in the discard pile (HCD-2)."""

    house: str
    card: str
    opponent: str
    spoken: bool = False

    def run(self, play: Play) -> None:
        """The card speaks once."""
        if self.spoken:
            play.done()
            return
        play.become(spoken=True)
        speak(play, self.house, self.card, self.opponent, text(self.card))

    def take(self, play: Play, house: str, prompt: ChoosePrompt, answer: Choose) -> None:
        """What the house chose."""
        obey(play, house, self.card, self.opponent, text(self.card), answer.option)


def speak(play: Play, house: str, card: str, opponent: str, spoken: Text) -> None:
    """Carries a text out, after asking if it leaves a choice."""
    options = spoken.options(play.state, house, opponent)
    if not options:
        return
    combat = play.state.combat
    about = {"attacker": combat.attacker, "defender": combat.defender, "area": combat.area} if combat else {}
    choice = play.choose(house, "ability", options, card=card, **about)
    if choice is not None:
        obey(play, house, card, opponent, spoken, choice)


def obey(play: Play, house: str, card: str, opponent: str, spoken: Text, option: str) -> None:
    """Carries a text out as chosen."""
    if option == "pass":
        play.tell("ability_passed", spoken.rule, house=house, card=card)
    else:
        spoken.carry_out(play, house, opponent, option)


def after(state: State) -> list[AfterCombat]:
    """The cards in play that will speak when the combat is over, in turn order."""
    combat = state.fight
    speaking = [h for h in fighters(state) if played_text(combat, h).when == "after"]
    return [AfterCombat(h, combat.cards[h], combat.opponent(h)) for h in speaking]


def discard(play: Play, house: str, card: str) -> None:
    """A played card goes to the discard pile; with an empty hand the rest of the pile comes back (HCD-5, HCD-6)."""
    state = play.state
    has = state.houses[house]
    if has.hand:
        state.change_house(house, discard=in_card_order((*has.discard, card)))
        return
    state.change_house(house, hand=has.discard, discard=(card,))
    if has.discard:
        play.tell("hand_returned", "HCD-6", house=house, cards=has.discard)
