"""The seats of a room: one a house, and who owns it."""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import UNSET

from protocol.messages import BotKind, TakeSeat
from server.game.refused import Refused
from server.rooms.keys import fits
from server.rooms.replies import Replies, fingerprint

UNGUESSABLE = 16
"""Characters of an id that was drawn at random."""
MOST_TOKENS = 8
"""So many tokens of a seat are good: the last that were given to whoever took it."""


class Seat:
    """A seat. Of its invite and its tokens only the hashes are kept; without a name it is free.

    One that a bot plays belongs to nobody, or to a player who is away and has a token to come back with. Whoever asked for
    the seat again, because the reply was lost, has got several tokens; all are good, as nobody can tell which one arrived.
    """

    def __init__(self, house: str, invite: bytes) -> None:
        self.house = house
        self.name = ""
        self.invite = invite
        self.tokens: list[bytes] = []
        self.bot: BotKind | Literal[""] = ""
        """The kind of the bot that plays it."""
        self.replies = Replies()
        self.claim: tuple[str, bytes] | None = None
        """The request that took it, its id and fingerprint, until somebody has come with the token."""

    def waits_for(self, message: TakeSeat) -> bool:
        """Whether this very request took the seat, and its reply has perhaps never arrived.

        Only an id that nobody can guess tells that it is the same client that asks again.
        """
        return len(message.id) >= UNGUESSABLE and self.claim == (message.id, fingerprint(message))

    def take(self, name: str, token: bytes, claim: tuple[str, bytes]) -> None:
        """Somebody sits down, or has asked again and gets one more token."""
        self.name, self.claim = name, claim
        self.tokens = [*self.tokens, token][-MOST_TOKENS:]

    def leave(self, invite: bytes) -> None:
        """Whoever sits there is gone, and what was told to them with it; there is another invite."""
        self.name, self.tokens, self.invite, self.bot = "", [], invite, ""
        self.replies, self.claim = Replies(), None

    def man(self, kind: BotKind) -> None:
        """A bot plays it from now on; if nobody owns it, it gets a name."""
        self.bot = kind
        self.name = self.name if self.tokens else f"{kind.title()} of {self.house.title()}"


class Seats:
    """All seats of a room, by house. Who asks for one that is not theirs to have is Refused."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._seats = {seat.house: seat for seat in seats}

    def __iter__(self) -> Iterator[str]:
        return iter(self._seats)

    def __getitem__(self, house: str) -> Seat:
        return self._seats[house]

    @property
    def free(self) -> list[str]:
        """The houses whose seat nobody has taken."""
        return [house for house, seat in self._seats.items() if not seat.name]

    @property
    def played(self) -> list[str]:
        """The houses that people play: seats that are owned and not given to a bot."""
        return [house for house, seat in self._seats.items() if seat.tokens and not seat.bot]

    @property
    def manned(self) -> list[str]:
        """The houses that bots play."""
        return [house for house, seat in self._seats.items() if seat.bot]

    def owned(self, token: str) -> Seat:
        """The seat that a token belongs to. Raises Refused."""
        for seat in self._seats.values():
            if any(fits(token, kept) for kept in seat.tokens):
                return seat
        hint = "Use the token of `seated`, or leave it out to watch."
        raise Refused("bad_token", "No seat of this room has this token.", path="token", hint=hint)

    def named(self, house: str, path: str) -> Seat:
        """The seat of a house; `path` is the field that names it. Raises Refused."""
        if house not in self._seats:
            hint = f"Here play {', '.join(self._seats)}."
            raise Refused("not_found", "This room has no such house.", path=path, hint=hint)
        return self._seats[house]

    def wanted(self, message: TakeSeat, private: bool) -> Seat:
        """The free seat that somebody may take: by invite or, unless the room is private, by house. Raises Refused."""
        if message.invite is not UNSET and message.house is UNSET:
            seat, path = self._invited(message.invite), "invite"
        elif message.house is not UNSET and message.invite is UNSET:
            if private:
                hint = "Ask the host for an invite and send it as `invite`."
                raise Refused("forbidden", "A private room is joined by invite only.", path="house", hint=hint)
            seat, path = self.named(message.house, "house"), "house"
            if not self.free and not seat.waits_for(message):
                raise Refused("room_full", "All seats are taken.", path="room", hint="You may watch: `enter` it.")
        else:
            raise Refused("bad_message", "Send either `invite` or `house`.", path="invite", hint="One of the two.")
        if seat.name and not seat.waits_for(message):
            hint = f"Still free: {', '.join(self.free)}." if self.free else "You may watch: `enter` the room."
            raise Refused("seat_taken", "This seat is taken.", path=path, hint=hint)
        return seat

    def _invited(self, invite: str) -> Seat:
        for seat in self._seats.values():
            if fits(invite, seat.invite):
                return seat
        hint = "Use the one that the host was given for your house."
        raise Refused("bad_token", "This invite is for no seat of this room.", path="invite", hint=hint)
