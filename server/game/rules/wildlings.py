"""A wildling attack (WIL-1 to WIL-7)."""

from protocol.answers import Rank
from protocol.prompts import RankPrompt
from server.game.agenda import Step
from server.game.board import SECOND_ATTACK, THREAT_RETREAT
from server.game.play import Play
from server.game.rules import decks
from server.game.rules.bidding import Bidding, ranked
from server.game.rules.wildling_cards import CARDS, RAID, SILENCE
from server.game.state import State


def attack(play: Play, strength: int, *rules: str, without: str = "") -> None:
    """The wildlings attack; all houses bid but the one that is left out (WIL-1, WIL-2, WIL-12)."""
    play.tell("wildling_attack", "WIL-1", *rules, strength=strength, without=without)
    play.push(WildlingBids("wildlings", strength, without))


class WildlingBids(Bidding, frozen=True):
    """The houses bid against the wildlings, before anybody knows their card (WIL-2)."""

    without: str = ""

    def bidders(self, state: State) -> list[str]:
        """All houses but the one left out."""
        return [house for house in state.turn_order if house != self.without]

    def settle(self, play: Play, bids: dict[str, int]) -> None:
        """Who wins, which card strikes and how far the threat goes back (WIL-3, WIL-5, WIL-6)."""
        state = play.state
        won = sum(bids.values()) >= self.strength
        state.threat = 0 if won else max(0, state.threat - THREAT_RETREAT)
        card = decks.draw(play, "wildling")
        decks.to_bottom(play, "wildling", card)
        play.tell(
            "wildling_battle",
            "WIL-3",
            "WIL-5",
            "WIL-6",
            victor="nights_watch" if won else "wildlings",
            strength=self.strength,
            total=sum(bids.values()),
            card=card,
            threat=state.threat,
        )
        if card != SILENCE:
            play.push(Bidder(card, won, bids))


class Bidder(Step, frozen=True):
    """The single highest bidder gets the reward; or the single lowest suffers first, then the others (WIL-4)."""

    card: str
    won: bool
    bids: dict[str, int]

    def run(self, play: Play) -> None:
        """Finds the bidder; a tie is for the holder of the Iron Throne to decide (DOM-1)."""
        which = max if self.won else min
        best = which(self.bids.values())
        tied = [house for house, bid in self.bids.items() if bid == best]
        if len(tied) == 1:
            self._strike(play, tied[0])
            return
        # The holder, if it is tied, comes first for a reward and last for a penalty: the first is the default of the absent.
        play.ask(
            play.state.tracks["iron_throne"][0],
            RankPrompt,
            kind="rank",
            subject="wildlings",
            houses=tied if self.won else tied[::-1],
            pick=1,
            card=self.card,
            lowest=not self.won,
        )

    def take(self, play: Play, house: str, prompt: RankPrompt, answer: Rank) -> None:
        """The holder names one of the tied houses."""
        order = ranked(prompt, answer)
        play.tell("tie_settled", "BID-3", "DOM-1", house=house, subject="wildlings", order=order)
        self._strike(play, order[0])

    def _strike(self, play: Play, house: str) -> None:
        """Carries the card out."""
        play.done()
        play.tell("wildling_card", "WIL-4", card=self.card, house=house, bidder="highest" if self.won else "lowest")
        if not self.won:
            others = [h for h in play.state.turn_order if h in self.bids and h != house]
            CARDS[self.card].afterwards(play)
            play.push(Penalty(self.card, house, lowest=True), *(Penalty(self.card, h) for h in others))
        elif self.card == RAID:
            attack(play, SECOND_ATTACK, "WIL-12", without=house)
        else:
            CARDS[self.card].won(play, house, self.bids[house])


class Penalty(Step, frozen=True):
    """What a card does to one house after a defeat."""

    card: str
    house: str
    lowest: bool = False

    def run(self, play: Play) -> None:
        """Begins it; what needs an answer is a step of its own."""
        play.done()
        card = CARDS[self.card]
        (card.lowest if self.lowest else card.others)(play, self.house)
