"""A game to experiment with: play, undo, copy, legal answers, and what a seat observes."""

from random import Random
from typing import Any

from protocol.answers import AnyAnswer
from protocol.prompts import AnyPrompt
from server.game.game import Event, Game
from server.game.refused import Refused
from server.game.state import Result, State
from server.lab.answers import legal

View = dict[str, Any]


class Lab:
    """A game with its past. States share what did not change, so copies and undoing cost next to nothing."""

    def __init__(self, game: Game, past: tuple[State, ...] = ()) -> None:
        self._game = game
        self._past = list(past)

    @classmethod
    def new(cls, players: int = 6, seed: int | bytes = 0, *, tides: bool = False) -> "Lab":
        """A game of 3 to 6 players at its first decision; the same seed and the same answers give the same game."""
        return cls(Game.new(players, seed if isinstance(seed, bytes) else seed.to_bytes(16, "big"), tides=tides))

    # ---- how it stands

    @property
    def houses(self) -> list[str]:
        """The houses in play."""
        return self._game.houses

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.over

    @property
    def result(self) -> Result | None:
        """How it ended, once it is over."""
        return self._game.state.result

    @property
    def waiting(self) -> list[str]:
        """The houses that owe a decision, in turn order."""
        return self._game.waiting

    def prompt(self, house: str) -> AnyPrompt:
        """The open prompt of a house. Raises `KeyError` if it has none."""
        return self._game.state.prompts[house]

    def legal(self, house: str, n: int, rng: Random) -> list[AnyAnswer]:
        """Up to `n` different legal answers of a house: all there are if they are few and can be listed, else drawn ones."""
        return legal(self.prompt(house), n, rng)

    def observe(self, house: str) -> View:
        """The document of a seat as a remote client has it. Do not change it."""
        return {**self.spectate(), "you": self._game.you(house)}

    def spectate(self) -> View:
        """The public document. Do not change it."""
        state = self._game.state
        return {"options": {"players": state.players, "tides": state.tides}, **self._game.public()}

    def hash(self) -> str:
        """A fingerprint of the whole game, secrets and all."""
        return self._game.hash()

    # ---- what can be done

    def play(self, house: str, answer: AnyAnswer) -> list[Event]:
        """A house answers its open prompt; gives what happened. Raises `Refused` and has then changed nothing."""
        prompt = self._game.state.prompts.get(house)
        if prompt is None:
            raise Refused("not_your_prompt", f"{house} owes no decision now", path="house", hint="see `waiting`")
        before = self._game.state
        events = self._game.submit(house, prompt.id, answer)
        self._past.append(before)
        return events

    def undo(self) -> None:
        """Takes the last answer back. Raises `IndexError` if there is none."""
        self._game.state = self._past.pop()

    def copy(self) -> "Lab":
        """Another game that goes its own way from here, with the same luck ahead."""
        return Lab(Game(self._game.state), tuple(self._past))
