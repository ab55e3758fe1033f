"""What houses pick for the wildling cards."""

from typing import ClassVar

from protocol.answers import Choose
from protocol.prompts import ChoosePrompt
from server.game.agenda import Step
from server.game.board import TRACKS
from server.game.pieces import army, in_card_order, occupied, pieces_left
from server.game.play import Play
from server.game.rules import tracks
from server.game.rules.losses import GiveUp, turn
from server.game.state import State


class Pick(Step, frozen=True):
    """A house picks one of some options for a card; a single option is taken unasked. Subclasses say what it means."""

    card: ClassVar[str]
    house: str

    def options(self, state: State) -> list[str]:
        """What there is to pick."""
        raise NotImplementedError

    def picked(self, play: Play, option: str) -> None:
        """Carries the choice out and is done, or goes on."""
        raise NotImplementedError

    def run(self, play: Play) -> None:
        """Asks."""
        choice = play.choose(self.house, "wildlings", self.options(play.state), card=self.card)
        if choice is not None:
            self.picked(play, choice)

    def take(self, play: Play, house: str, prompt: ChoosePrompt, answer: Choose) -> None:
        """The choice of the house."""
        self.picked(play, answer.option)


def discard(play: Play, house: str, cards: tuple[str, ...], rule: str) -> None:
    """Cards go from the hand to the discard pile."""
    has = play.state.houses[house]
    hand = tuple(card for card in has.hand if card not in cards)
    play.state.change_house(house, hand=hand, discard=in_card_order((*has.discard, *cards)))
    play.tell("cards_discarded", rule, house=house, cards=cards)


# ---- Preemptive Raid (WIL-12)


def highest_tracks(state: State, house: str) -> list[str]:
    """The track on which a house stands highest, or several."""
    place = {track: state.tracks[track].index(house) for track in TRACKS}
    return [track for track in TRACKS if place[track] == min(place.values())]


class RaidPenalty(Pick, frozen=True):
    """The lowest bidder destroys two units or goes down its best track."""

    card = "preemptive-raid"

    def options(self, state: State) -> list[str]:
        """`units`, and the track; `track` if there are several, for the holder of the Iron Throne to name (DOM-1)."""
        best = highest_tracks(state, self.house)
        return ["units", best[0] if len(best) == 1 else "track"]

    def picked(self, play: Play, option: str) -> None:
        """Gives up units, or goes down."""
        play.done()
        if option == "units":
            play.push(GiveUp(self.house, 2, self.card, "WIL-12"))
        else:
            play.push(RaidTrack(play.state.tracks["iron_throne"][0], self.house))


class RaidTrack(Pick, frozen=True):
    """The track on which another house, or the chooser itself, goes down two places."""

    card = "preemptive-raid"
    victim: str

    def options(self, state: State) -> list[str]:
        """Those on which it stands highest."""
        return highest_tracks(state, self.victim)

    def picked(self, play: Play, option: str) -> None:
        """The house goes down."""
        play.done()
        tracks.down(play.state, option, self.victim, 2)
        play.tell("track_changed", "WIL-12", "TRK-2", house=self.victim, track=option, order=play.state.tracks[option])


# ---- Crow Killers (WIL-13)


class FootmanToKnight(Pick, frozen=True):
    """The highest bidder turns footmen into knights, one after another."""

    card = "crow-killers"
    left: int = 2

    def options(self, state: State) -> list[str]:
        """The areas with footmen, as long as there are knights, and `pass`."""
        able = self.left and pieces_left(state, self.house, "knight")
        return [a for a in occupied(state, self.house) if able and army(state, a).get("footman")] + ["pass"]

    def picked(self, play: Play, option: str) -> None:
        """One footman becomes a knight."""
        if option == "pass":
            play.done()
            if self.left == 2:
                play.tell("reward_passed", "WIL-13", house=self.house, card=self.card)
            return
        play.become(left=self.left - 1)
        turn(play, self.house, {option: {"footman": 1}}, "knight", "WIL-13")


# ---- Massing on the Milkwater (WIL-15)


class CardToDiscard(Pick, frozen=True):
    """Everyone else discards a card of its choice."""

    card = "massing-on-the-milkwater"

    def options(self, state: State) -> list[str]:
        """The hand."""
        return list(state.houses[self.house].hand)

    def picked(self, play: Play, option: str) -> None:
        """The card is discarded."""
        play.done()
        discard(play, self.house, (option,), "WIL-15")


# ---- A King Beyond the Wall (WIL-16)


class TrackToTop(Pick, frozen=True):
    """The highest bidder goes to the top of a track and takes the token (TRK-3)."""

    card = "a-king-beyond-the-wall"

    def options(self, state: State) -> list[str]:
        """All tracks."""
        return list(TRACKS)

    def picked(self, play: Play, option: str) -> None:
        """The house goes up."""
        play.done()
        tracks.to_top(play.state, option, self.house)
        play.tell("track_changed", "WIL-16", "TRK-2", house=self.house, track=option, order=play.state.tracks[option])


class TrackToFall(Pick, frozen=True):
    """Everyone else goes to the bottom of a track."""

    card = "a-king-beyond-the-wall"

    def options(self, state: State) -> list[str]:
        """Fiefdoms and King's Court."""
        return ["fiefdoms", "kings_court"]

    def picked(self, play: Play, option: str) -> None:
        """The house goes down."""
        play.done()
        tracks.to_bottom(play.state, option, self.house)
        play.tell("track_changed", "WIL-16", "TRK-2", house=self.house, track=option, order=play.state.tracks[option])


# ---- Mammoth Riders (WIL-17)


class BackFromDiscard(Pick, frozen=True):
    """The highest bidder may take a card back from its discard pile."""

    card = "mammoth-riders"

    def options(self, state: State) -> list[str]:
        """The discard pile, and `pass`."""
        return [*state.houses[self.house].discard, "pass"]

    def picked(self, play: Play, option: str) -> None:
        """The card comes back."""
        play.done()
        if option == "pass":
            play.tell("reward_passed", "WIL-17", house=self.house, card=self.card)
            return
        has = play.state.houses[self.house]
        kept = tuple(card for card in has.discard if card != option)
        play.state.change_house(self.house, hand=in_card_order((*has.hand, option)), discard=kept)
        play.tell("hand_returned", "WIL-17", house=self.house, cards=[option])
