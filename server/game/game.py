"""A game: the only face of the rules that other parts see."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

import server.game.cards.every  # noqa: F401 - fills the registry of card texts
from protocol.answers import Answer
from protocol.prompts import AnyPrompt
from server.game.agenda import revive
from server.game.play import Play
from server.game.refused import Refused
from server.game.setup import begin
from server.game.state import State
from server.game.view import Document, Projector

RULES_VERSION = 1
"""Grows with every change after which the same inputs could give another game."""

Event = dict[str, Any]


class Game:
    """A value with a log of inputs: the same seed and the same answers give the same game, byte for byte.

    `submit` and `retract` give the events that the input brought, in order, or raise `Refused` and have changed nothing,
    whatever happened inside.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self._past: list[State] = []
        """The states before the last answers, as far back as nothing hidden has come to light since."""
        self._projector = Projector()

    @classmethod
    def new(cls, players: int, seed: bytes, *, tides: bool = False) -> "Game":
        """A game of 3 to 6 players at its first decision. `seed`: at least 16 random bytes."""
        play = Play(begin(players, seed.hex(), tides=tides))
        play.run()
        return cls(play.state)

    @property
    def houses(self) -> list[str]:
        """The houses in play."""
        return list(self.state.houses)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.result is not None

    @property
    def waiting(self) -> list[str]:
        """The houses that owe a decision, in turn order."""
        return self.state.waiting

    @property
    def owing(self) -> dict[str, int]:
        """The houses that owe a decision, with the ids of their prompts."""
        return {house: self.state.prompts[house].id for house in self.state.waiting}

    def prompt(self, house: str) -> AnyPrompt:
        """The open prompt of a house that has one."""
        return self.state.prompts[house]

    def submit(self, house: str, prompt: int, answer: Answer) -> list[Event]:
        """A house answers a prompt; until a secret simultaneous prompt is revealed it may answer again."""
        self._open(house, prompt)
        play = Play(self.state.fork())
        play.answer(house, answer)
        if reveals(self.state, play.state):
            self._past.clear()
        else:
            self._past.append(self.state)
        self.state = play.state
        return play.events

    def retract(self, house: str, prompt: int) -> list[Event]:
        """A house takes back its answer to a secret simultaneous prompt that is not revealed yet."""
        if house not in self.state.prompts and 0 < prompt < self.state.next_prompt:
            raise Refused("too_late", "that prompt is over", path="prompt", hint="answers stand once they are revealed")
        self._open(house, prompt)
        if house not in self.state.sealed:
            raise Refused("too_late", "there is no answer to take back", path="prompt", hint="answer the prompt first")
        state = self.state.fork()
        del state.sealed[house]
        self.state = state
        return []

    @property
    def undoable(self) -> int:
        """How many answers may be undone: those since something hidden last came to light. A stored game has none."""
        return len(self._past)

    def undo(self) -> list[Event]:
        """Takes the last answer back, with all that followed from it; its house is asked again under a new prompt id.

        Raises `Refused` if something hidden has come to light since.
        """
        if not self._past:
            raise Refused("too_late", "nothing can be undone", hint="what was hidden and is known stays known")
        state, following = self._past.pop().fork(), self.state.next_prompt
        for house, prompt in state.prompts.items():
            state.prompts[house] = replace(prompt, id=following)
            following += 1
        state.next_prompt = following
        self.state = state
        return [{"type": "undone", "waiting": state.waiting}]

    def _open(self, house: str, prompt: int) -> None:
        """Raises `Refused` unless this prompt of the house is open."""
        if self.over:
            raise Refused("room_over", "the game is over", hint="the final document stays readable")
        open_ = self.state.prompts.get(house)
        if open_ and open_.id == prompt:
            return
        if any(p.id == prompt for p in self.state.prompts.values()) or not 0 < prompt < self.state.next_prompt:
            hint = f"your open prompt is {open_.id}" if open_ else "you owe no decision now"
            raise Refused("not_your_prompt", "that prompt is not yours", path="prompt", hint=hint)
        raise Refused(
            "stale_prompt",
            "that prompt is over",
            path="prompt",
            hint=f"answer prompt {open_.id}" if open_ else "you owe no decision now",
            prompt=open_.id if open_ else None,
        )

    def public(self) -> Document:
        """The public part of the document. Parts that did not change are the same objects as last time; change none."""
        return self._projector.public(self.state)

    def you(self, house: str) -> Document:
        """The seat's own part of its document."""
        return self._projector.you(self.state, house)

    def dump(self) -> bytes:
        """The whole game, secrets and all, to be stored."""
        return msgspec.msgpack.encode(self.state)

    @classmethod
    def load(cls, data: bytes) -> "Game":
        """A stored game."""
        state = msgspec.msgpack.decode(data, type=State)
        state.agenda = revive(state.agenda)
        return cls(state)

    def hash(self) -> str:
        """A fingerprint of the whole game; two games with the same inputs have the same."""
        return sha256(self.dump()).hexdigest()


def reveals(before: State, after: State) -> bool:
    """Whether something hidden came to light between two states: a chance, a card of a deck, a secret answer."""
    if before.chance != after.chance or before.decks != after.decks or before.stacked != after.stacked:
        return True
    if before.sealed or after.sealed or after.result is not None:
        return True
    return any(p.kind in SECRET_KINDS for state in (before, after) for p in state.prompts.values())


SECRET_KINDS = {"place_orders", "bid", "house_card", "wildling_card"}
"""Prompts that are answered in secret or tell their house a secret."""
