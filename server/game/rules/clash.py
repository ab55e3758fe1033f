"""Clash of Kings: the three influence tracks are bid for (BID-10 to BID-12)."""

from protocol.answers import Rank
from protocol.prompts import RankPrompt
from server.game.agenda import Step
from server.game.board import TRACKS
from server.game.play import Play
from server.game.rules.bidding import Bidding, ranked


def begin(play: Play) -> None:
    """The tracks one after another: Iron Throne, Fiefdoms, King's Court (BID-10)."""
    play.push(*(TrackBids(track) for track in TRACKS))


class TrackBids(Bidding, frozen=True):
    """All houses bid for one track."""

    def settle(self, play: Play, bids: dict[str, int]) -> None:
        """The houses are placed by their bids."""
        play.push(Placing(self.subject, bids))


class Placing(Step, frozen=True):
    """Higher bids come first; each group of tied bids is ordered by the holder of the Iron Throne (BID-3, BID-10)."""

    track: str
    bids: dict[str, int]
    placed: tuple[str, ...] = ()
    """The houses whose place is settled, best first."""

    def run(self, play: Play) -> None:
        """Places house after house; asks at a tie.

        The old order stands until all are placed, so a tie for the Iron Throne is the old holder's to settle (BID-11), and
        the tokens move at the end, before the next track is bid for (BID-12).
        """
        state, placed = play.state, list(self.placed)
        while len(placed) < len(self.bids):
            best = max(bid for house, bid in self.bids.items() if house not in placed)
            tied = [h for h in state.tracks[self.track] if self.bids[h] == best]
            if len(tied) > 1:
                play.become(placed=tuple(placed))
                holder = state.tracks["iron_throne"][0]
                play.ask(holder, RankPrompt, kind="rank", subject=self.track, houses=tied, pick=len(tied))
                return
            placed += tied
        state.tracks[self.track] = tuple(placed)
        play.done()
        play.tell("track_settled", "BID-10", "BID-12", track=self.track, order=placed)

    def take(self, play: Play, house: str, prompt: RankPrompt, answer: Rank) -> None:
        """The tied houses take the next places in this order."""
        order = ranked(prompt, answer)
        play.become(placed=(*self.placed, *order))
        play.tell("tie_settled", "BID-3", "BID-11", house=house, subject=self.track, order=order)
