"""What a node counts while it runs: plain numbers, so that counting costs next to nothing."""

from collections import Counter
from collections.abc import Sequence
from time import perf_counter
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from protocol.messages import AnswerPrompt
from server.eyes.histogram import Histogram

By: TypeAlias = Literal["player", "bot", "server"]
"""Who gave an answer; the server does when time or patience is over."""
Resumed: TypeAlias = Literal["new", "ring", "log", "snapshot"]
"""What somebody got who entered a room: it had nothing before; all that it missed, from memory or the log; or all anew."""

SAMPLED: Final = 4
"""Of so many commits the news of one is followed to the sockets: measuring every frame would cost more than it is worth."""
LAG: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


class Meters:
    """The counters of one node. Who does something counts it here; who asks for the metrics reads them."""

    def __init__(self) -> None:
        self.answers: Counter[tuple[type[Struct], By, str]] = Counter()
        """Answers to prompts by kind, by who gave them and by what became of them: `ok`, or the code of a refusal."""
        self.refusals: Counter[tuple[str, ...]] = Counter()
        """Other requests that were refused, by type and code."""
        self.resumes: Counter[str] = Counter()
        """Entries to rooms, by `Resumed`."""
        self.commits: Counter[str] = Counter()
        """Pages and births that were written, or not, by outcome."""
        self.commit_seconds = Histogram()
        """How long transactions of the journal took."""
        self.committed = 0.0
        """When the commit ended whose changes are told at the moment, if it is one of the `SAMPLED`; 0 at any other time."""
        self._transactions = 0
        self.delivery_seconds = Histogram()
        """From one of the `SAMPLED` commits to the moment at which a socket was given the news of it."""
        self.lag_seconds = Histogram(LAG)
        """By how much the event loop was late."""
        self.leases: Counter[str] = Counter()
        """Leases that were `taken`, `given` back or `lost`."""
        self.renewals_failed = 0
        self.letters: Counter[str] = Counter()
        """Letters to other nodes that were `sent` or `not_sent`, gaps in theirs that were `missed`."""
        self.unanswered = 0
        """Messages that were taken to another node, which did not say that it has got them."""
        self.silent = 0
        """How often nothing more was heard of another node."""
        self.frozen = 0
        """Rooms that were frozen after a fault."""
        self.faults = 0
        """Exceptions that must not happen."""
        self.stored: dict[str, int] = {}
        """Rooms in the store by phase, as of the last look."""

    def wrote(self, begun: float, ended: float, outcomes: Sequence[str]) -> None:
        """A transaction of the journal took from then to then, by `perf_counter`; `outcomes` of what was to be written.

        Set `committed` back to 0 when all is told.
        """
        self.commit_seconds.add(ended - begun)
        for outcome in outcomes:
            self.commits[outcome] += 1
        self.committed = 0.0 if self._transactions % SAMPLED else ended
        self._transactions += 1

    def refused(self, message: Struct, code: str) -> None:
        """A request of a client was refused."""
        if isinstance(message, AnswerPrompt):
            self.answers[type(message.answer), "player", code] += 1
        else:
            self.refusals[str(message.__struct_config__.tag), code] += 1

    def delivered(self, since: float) -> None:
        """A socket was given the news of the commit that ended then."""
        self.delivery_seconds.add(perf_counter() - since)
