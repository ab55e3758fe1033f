"""How fast a seat may ask, over whatever connections."""

from collections.abc import Callable

from protocol.messages import AnswerPrompt, Retract, Say, Vote
from server.bucket import Buckets
from server.game.refused import Refused

PATIENCE = 50
"""How many answers of a seat may be refused one after the other before it is slowed to one a second."""


class Pace:
    """The pace of the seats of a node. Those that are idle take up no memory.

    A program that sends refused answers in a loop would keep the server busy for nothing: once patience is over it may
    try once a second, until an answer is accepted.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float]) -> None:
        """`clock` gives seconds and never runs backwards."""
        self._asked = Buckets(rate, burst, clock)
        self._refused = Buckets(1, PATIENCE, clock)

    def check(self, room: str, house: str, message: AnswerPrompt | Retract | Say | Vote) -> None:
        """Let a message of a seat through. Raises Refused; it was not looked at then and may be sent again."""
        seat = f"{room} {house}"
        if not self._asked.take(seat):
            hint = "Send it again later."
            raise Refused("rate_limited", "Too many messages of this seat; this one was not looked at.", hint=hint)
        if isinstance(message, AnswerPrompt) and not self._refused.take(seat):
            why = "Too many answers of this seat were refused; this one was not looked at."
            raise Refused(
                "rate_limited", why, path="answer", hint="Answer what `you.prompt` asks; once a second for now."
            )

    def accepted(self, room: str, house: str) -> None:
        """An answer of a seat was accepted: its earlier ones are forgiven."""
        self._refused.forget(f"{room} {house}")
