"""The transcripts of PROTOCOL.md: `make docs` sends what their clients send to a server, and writes down what comes back.

A transcript begins with a marker and goes on over all the blocks of code up to the next marker. In a block `NAME> frame`
is sent by the connection of that name; `NAME< frame` is what it was sent. All that comes to a connection of which anything
is shown is on the page; a line `NAME< …` stands for frames that are left out, and an entry `"…"` in a map or a list for
entries that are.
"""

import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import structlog

from protocol.docs import PAGE
from protocol.messages import CreateRoom, Enter, TakeSeat
from protocol.wire import to_json
from tests.machine import Machine

MORE = "…"
_BEGINS = re.compile(r"<!-- transcript: (\w+) -->")
_FRAME = re.compile(r"(\w*)([<>]) (.*)")


def nothing(machine: Machine) -> None:
    """A server that has just started."""


def five_seats(machine: Machine) -> None:
    """A room of five whose seats are taken, and entered by those of whom the transcript shows nothing."""
    machine.send("host", to_json(CreateRoom("make", 5)))
    (made,) = map(json.loads, machine.taken("host"))
    for house, invite in made["invites"].items():
        machine.send(house, to_json(TakeSeat("sit", made["room"], house.title(), invite=invite)))
        (seated,) = map(json.loads, machine.taken(house))
        if house not in ("tyrell", "baratheon"):
            machine.send(house, to_json(Enter("enter", made["room"], token=seated["token"])))
    for house in made["invites"]:
        machine.taken(house)


BEGINNINGS: dict[str, tuple[int, Callable[[Machine], None]]] = {"first_look": (1, nothing), "round": (2, five_seats)}
"""By the name in the marker: the seed of the server's chance, and what has happened before."""


def renew(page: str) -> str:
    """The page with all frames of the server as they really are."""
    return "\n".join(_renewed(page.split("\n")))


def _renewed(lines: list[str]) -> Iterator[str]:
    transcript, inside = None, False
    for line in lines:
        if begins := _BEGINS.fullmatch(line):
            transcript = _Transcript(begins[1], lines)
        elif line.startswith("```"):
            inside = not inside
            if transcript and not inside:
                yield from transcript.rest()
        elif inside and transcript and (frame := _FRAME.fullmatch(line)):
            yield from transcript.line(*frame.groups())
            continue
        yield line


class _Transcript:
    """A conversation with a server of its own, line by line."""

    def __init__(self, name: str, lines: list[str]) -> None:
        seed, before = BEGINNINGS[name]
        self._machine = Machine(seed)
        before(self._machine)
        start = lines.index(f"<!-- transcript: {name} -->") + 1
        end = next((n for n, line in enumerate(lines[start:], start) if _BEGINS.fullmatch(line)), len(lines))
        shown = (frame[1] for line in lines[start:end] if (frame := _FRAME.fullmatch(line)) and frame[2] == "<")
        self._waiting: dict[str, list[str]] = {who: [] for who in shown}

    def line(self, who: str, way: str, frame: str) -> Iterator[str]:
        """What a line of the page is in truth."""
        if way == ">":
            yield from self.rest()
            yield f"{who}> {frame}"
            self._machine.send(who, frame)
            for viewer, waiting in self._waiting.items():
                waiting.extend(self._machine.taken(viewer))
        elif frame == MORE:
            if self._waiting[who]:
                yield f"{who}< {MORE}"
            self._waiting[who].clear()
        elif self._waiting[who]:
            real = json.loads(self._waiting[who].pop(0))
            yield f"{who}< {to_json(shortened(real, json.loads(frame)))}"

    def rest(self) -> Iterator[str]:
        """What came and is not on the page."""
        for who, waiting in self._waiting.items():
            yield from (f"{who}< {frame}" for frame in waiting)
            waiting.clear()


def shortened(real: Any, shown: Any) -> Any:
    """What is real, without what the page says that it leaves out."""
    match real, shown:
        case dict(), dict() if MORE in shown and not real.keys() <= shown.keys():
            return {
                key: MORE if key == MORE else shortened(real[key], shown[key]) for key in shown if key in {*real, MORE}
            }
        case dict(), dict():
            return {key: shortened(value, shown.get(key)) for key, value in real.items()}
        case list(), [*first, "…"] if len(first) < len(real):
            return [shortened(*pair) for pair in zip(real, first, strict=False)] + [MORE]
        case list(), list():
            pairs = zip(real, shown, strict=False)
            return [shortened(*pair) for pair in pairs] + real[len(shown) :]
    return real


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    PAGE.write_text(renew(PAGE.read_text()))
