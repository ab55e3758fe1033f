"""Ids that clients send: the same plain refusal for every one that does not exist."""

from server.game.board import AREAS
from server.game.refused import Refused


def known_area(area: str, path: str) -> str:
    """The area, or `Refused` if there is none of that id."""
    if area not in AREAS:
        raise Refused(
            "bad_message", "there is no such area", path=path, hint="area ids are those of the document, as winterfell"
        )
    return area
