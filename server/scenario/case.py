"""Playing one rule case."""

from collections.abc import Iterator
from typing import Any

import msgspec

from protocol.answers import AnyAnswer
from protocol.legal import default
from server.game.game import Game
from server.game.refused import Refused
from server.scenario.position import position

Wrong = tuple[str, Any, Any]
"""Where something differs, what was expected and what was found."""


def play(case: dict[str, Any]) -> list[Wrong]:
    """Everything that came out otherwise than the case says; empty if it passes. Stops at the first step that differs."""
    table = Table(position(case["setup"]))
    for n, step in enumerate(case["play"]):
        wrong = [(f"play[{n}].{path}".rstrip("."), expected, found) for path, expected, found in table.step(step)]
        if wrong:
            return wrong
    return []


class Table:
    """The game of a case and the events since the last answer."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.events: list[dict[str, Any]] = []

    def step(self, step: dict[str, Any]) -> Iterator[Wrong]:
        """One step of the play."""
        if "answer" in step:
            yield from self._answer(step)
        elif "auto" in step:
            self._auto()
        elif "waiting" in step:
            if set(self.game.waiting) != set(step["waiting"]):
                yield "waiting", step["waiting"], self.game.waiting
        elif "prompt" in step:
            yield from self._prompt(step["prompt"])
        elif "events" in step:
            yield from self._events(step["events"])
        else:
            yield from differences("", step["expect"], self._document(step.get("view")))

    def _document(self, viewer: str | None) -> dict[str, Any]:
        document = self.game.public()
        return {**document, "you": self.game.you(viewer)} if viewer else document

    def _answer(self, step: dict[str, Any]) -> Iterator[Wrong]:
        before, refusal = self.game.dump(), "none"
        try:
            self._submit(step["seat"], step["answer"])
        except Refused as refused:
            refusal = refused.code
            message = f"{refused.code} at {refused.path}: {refused.message} {refused.rules}"
        expected = step.get("refused", "none")
        if refusal != expected:
            yield "answer", f"refused: {expected}", f"refused: {message if refusal != 'none' else 'none'}"
        elif refusal != "none" and self.game.dump() != before:
            yield "answer", "a refusal that changes nothing", "the game has changed"

    def _submit(self, house: str, raw: dict[str, Any]) -> None:
        try:
            answer = msgspec.convert(raw, AnyAnswer)
        except msgspec.ValidationError as error:
            raise Refused("bad_message", str(error)) from None
        prompt = self.game.state.prompts.get(house)
        self.events = self.game.submit(house, prompt.id if prompt else 0, answer)

    def _auto(self) -> None:
        step, self.events = self.game.state.step, []
        while self.game.waiting and self.game.state.step == step:
            house = self.game.waiting[0]
            prompt = self.game.state.prompts[house]
            self.events += self.game.submit(house, prompt.id, default(prompt))

    def _prompt(self, expected: dict[str, Any]) -> Iterator[Wrong]:
        prompt = self.game.state.prompts.get(expected["seat"])
        if prompt is None:
            yield "prompt", expected, f"no prompt; waiting for {self.game.waiting}"
            return
        found = msgspec.to_builtins(prompt)
        for name, value in expected.items():
            if name == "options":
                if set(found.get(name, ())) != set(value):
                    yield f"prompt.{name}", value, found.get(name)
            elif name != "seat":
                yield from differences(f"prompt.{name}", value, found.get(name))

    def _events(self, expected: list[dict[str, Any]]) -> Iterator[Wrong]:
        rest = iter(self.events)
        for n, event in enumerate(expected):
            if not any(not list(differences("", event, found)) for found in rest):
                yield f"events[{n}]", event, self.events
                return


def differences(path: str, expected: Any, found: Any) -> Iterator[Wrong]:
    """Where a document is not as expected: maps key by key, null is absent, everything else exactly."""
    if isinstance(expected, dict):
        for name, value in expected.items():
            part = found.get(name) if isinstance(found, dict) else None
            yield from differences(f"{path}.{name}".lstrip("."), value, part)
    elif expected is None:
        if found not in (None, {}, []):
            yield path, "absent", found
    elif expected != found:
        yield path, expected, found
