"""Bidding: secret bids of power, revealed together, and how ties are settled (BID)."""

from protocol.answers import Bid, Rank
from protocol.prompts import BidPrompt, RankPrompt
from server.game.agenda import Step
from server.game.pieces import lose_power
from server.game.play import Play
from server.game.refused import illegal
from server.game.state import State


class Bidding(Step, frozen=True):
    """Houses bid for a track or against the wildlings. Subclasses say who bids and what follows."""

    sealed = True
    subject: str
    """The track, or `wildlings`."""
    strength: int = 0
    """The strength of the wildlings."""

    def bidders(self, state: State) -> list[str]:
        """The houses that bid, in turn order."""
        return list(state.turn_order)

    def settle(self, play: Play, bids: dict[str, int]) -> None:
        """What the bids bring; they are in turn order and paid, and this step is done."""
        raise NotImplementedError

    def run(self, play: Play) -> None:
        """Asks every house that has power to bid; one without bids 0 (BID-1)."""
        state = play.state
        for house in self.bidders(state):
            if power := state.houses[house].power:
                play.ask(house, BidPrompt, kind="bid", subject=self.subject, power=power, strength=self.strength)
        if not state.prompts:
            self.reveal(play, {})

    def check(self, play: Play, house: str, prompt: BidPrompt, answer: Bid) -> None:
        """No bid is higher than the available power (BID-1)."""
        if answer.power > prompt.power:
            raise illegal(
                f"{answer.power} power bid, {prompt.power} available",
                "BID-1",
                path="answer.power",
                hint=f"bid from 0 to {prompt.power}",
            )

    def reveal(self, play: Play, answers: dict[str, Bid]) -> None:
        """All bids are revealed together and go to the pool, whatever they bring (BID-2)."""
        bids = {h: answers[h].power if h in answers else 0 for h in self.bidders(play.state)}
        for house, bid in bids.items():
            lose_power(play.state, house, bid)
        play.done()
        play.tell("bids_revealed", "BID-2", subject=self.subject, bids=bids)
        self.settle(play, bids)


def ranked(prompt: RankPrompt, answer: Rank) -> tuple[str, ...]:
    """The tied houses as the holder of the Iron Throne orders them; raises `Refused` (BID-3)."""
    named = tuple(answer.houses)
    if len(set(named)) != len(named) or len(named) != prompt.pick or not set(named) <= set(prompt.houses):
        raise illegal(
            f"that does not name {prompt.pick} of the tied houses, each once",
            "BID-3",
            "DOM-1",
            path="answer.houses",
            hint="tied are: " + ", ".join(prompt.houses),
        )
    return named
