"""The codes of `error` messages, and what a client raises.

The table is the one source of codes: PROTOCOL.md is generated from it. A code is never renamed.
"""

from typing import Final, NamedTuple

from msgspec import UNSET

from protocol.messages import Error


class Code(NamedTuple):
    """What an error code means and what its receiver should do."""

    meaning: str
    remedy: str


CODES: Final = {
    "bad_message": Code(
        "The frame is no message: broken, of the wrong shape, with an unknown or missing field.",
        "Mend the field that `path` names, as `hint` says. Sending the same again will fail the same.",
    ),
    "unsupported_protocol": Code("This server does not speak that version.", "Use protocol version 1."),
    "too_large": Code("The frame is larger than `limits.frame_bytes`.", "Send less in one message."),
    "rate_limited": Code("Too many messages in a short time.", "Wait a little, then send it again with the same `id`."),
    "not_found": Code("There is no such room, seat or page, or not for you.", "Check the id; list the public rooms."),
    "room_full": Code("Every seat of the room is taken.", "Watch it, or find another room."),
    "seat_taken": Code("Somebody else has that seat.", "Take another one. If it is yours, enter with its token."),
    "bad_token": Code("The token or invite is not one of this room.", "Check it, and the room's id."),
    "not_your_prompt": Code("The seat has no open prompt, or not this one.", "Wait until `you.prompt` asks."),
    "stale_prompt": Code(
        "That prompt is closed; `prompt` is the id of the one that is open now, if any.",
        "Drop the answer and look at `you.prompt`.",
    ),
    "illegal": Code(
        "The answer is against the rules named in `rules`. The prompt stays open.",
        "Choose another answer; `path` names the part that is wrong and `hint` what would do.",
    ),
    "insufficient_strength": Code(
        "The march is too weak for the neutral force: it has `needed`, this brings `total` at most.",
        "March elsewhere, or with more units.",
    ),
    "id_conflict": Code("This `id` was used before with another body.", "Use a new `id` for every new request."),
    "too_late": Code("The answers are revealed already.", "Go on; what was answered counts."),
    "not_ready": Code("The room cannot start yet.", "Wait until every seat is taken."),
    "not_supported": Code("This server cannot do that yet.", "Do without it, as `hint` says."),
    "too_many_rooms": Code("The server, or this connection, holds as many rooms as it may.", "Leave a room, or wait."),
    "unavailable": Code(
        "The server cannot make anything durable now; nothing has happened.",
        "Send it again in a moment with the same `id`.",
    ),
    "quarantined": Code("The room's log is damaged; its operator has been told.", "Wait, or play in another room."),
    "room_frozen": Code(
        "A fault of the server stopped the room; its operator has been told.",
        "Wait: watching and talking still work.",
    ),
    "not_over": Code(
        "The game is still being played: it is told again when it is over.",
        "Watch it with `enter`; ask again when its `phase` is `over`.",
    ),
    "room_over": Code("The game is over or the room closed.", "Read the `result` in the document."),
    "forbidden": Code("Only the host, a seat or an operator may do that.", "Enter with the right token first."),
    "server_draining": Code(
        "The server is about to stop and takes nothing new.",
        "Connect again in a moment and send it with the same `id`.",
    ),
    "internal": Code(
        "A fault of the server. Nothing has changed.",
        "Try once more with the same `id`; if it stays, report the room and its `seq`.",
    ),
}


class RequestError(Exception):
    """The server refused a request; nothing has changed. The fields are those of the `error` message."""

    def __init__(self, error: Error) -> None:
        super().__init__(f"{error.code}: {error.message}")
        self.code = error.code
        self.message = error.message
        self.path = error.path or ""
        self.hint = error.hint or ""
        self.rules = list(error.rules or ())
        self.needed = None if error.needed is UNSET else error.needed
        self.total = None if error.total is UNSET else error.total
        self.prompt = None if error.prompt is UNSET else error.prompt


class Disconnected(ConnectionError):  # noqa: N818 - says what happened, as ConnectionError's own children do
    """The connection is gone and is not made again."""
