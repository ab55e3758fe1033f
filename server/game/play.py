"""The play of one input: through the steps of the agenda, on a copy of the game."""

from typing import Any, TypeVar

from msgspec.structs import replace

from protocol.answers import Answer, Choose
from protocol.prompts import ChoosePrompt, Prompt
from server.game.agenda import Step
from server.game.refused import Refused, illegal
from server.game.state import State

P = TypeVar("P", bound=Prompt)


class Play:
    """One input being worked out on a copy of the game: the state as it changes and the events it brings."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[dict[str, Any]] = []

    def tell(self, event: str, *rules: str, **facts: Any) -> None:
        """Something happened that everybody may know, with the rules that decided it. Empty facts are left out."""
        told: dict[str, Any] = {"type": event}
        for name, fact in facts.items():
            if fact or (fact == 0 and fact is not False):
                told[name.removesuffix("_")] = list(fact) if isinstance(fact, tuple) else fact
        if rules:
            told["rules"] = list(rules)
        self.events.append(told)

    def adopt(self, trial: "Play") -> None:
        """What was tried on a copy has worked: it counts."""
        self.state = trial.state
        self.events += trial.events

    # ---- the stack

    def push(self, *steps: Step) -> None:
        """Puts steps on top; the first one named is done first."""
        self.state.agenda += tuple(reversed(steps))

    def done(self) -> None:
        """The step on top is finished."""
        self.state.agenda = self.state.agenda[:-1]

    def become(self, **parts: Any) -> None:
        """The step on top goes on with changed parts."""
        self.state.agenda = (*self.state.agenda[:-1], replace(self.state.agenda[-1], **parts))

    def ask(self, house: str, what: type[P], /, **parts: Any) -> P:
        """Opens a prompt for a house."""
        prompt = what(id=self.state.next_prompt, **parts)
        self.state.next_prompt += 1
        self.state.prompts[house] = prompt  # type: ignore[assignment]  # AnyPrompt lists all kinds of Prompt
        return prompt

    def choose(self, house: str, kind: str, options: list[str], **about: Any) -> str | None:
        """Asks for one of the options; a single option is taken unasked and given back."""
        if len(options) == 1:
            return options[0]
        self.ask(house, ChoosePrompt, kind=kind, options=options, **about)
        return None

    def run(self) -> None:
        """Goes on until somebody owes a decision or the game is over."""
        while not self.state.prompts and self.state.result is None:
            self.state.agenda[-1].run(self)
        if self.state.result is not None:
            self.state.prompts, self.state.agenda, self.state.plans = {}, (), {}

    def answer(self, house: str, answer: Answer) -> None:
        """Works out the answer of a house to its open prompt, and whatever follows from it.

        Raises `Refused`; the state is then of no use.
        """
        state = self.state
        prompt, step = state.prompts[house], state.agenda[-1]
        fits(prompt, answer)
        if not step.sealed:
            del state.prompts[house]
            step.take(self, house, prompt, answer)
        else:
            step.check(self, house, prompt, answer)
            state.sealed[house] = answer  # type: ignore[assignment]  # AnyAnswer lists all kinds of Answer
            if state.waiting:
                return
            answers = {h: state.sealed[h] for h in state.turn_order if h in state.sealed}
            state.prompts, state.sealed = {}, {}
            step.reveal(self, answers)
        self.run()


def fits(prompt: Prompt, answer: Answer) -> None:
    """Raises `Refused` if the answer is not of the kind the prompt asks for, or not one of its options."""
    wanted, got = prompt.__struct_config__.tag, answer.__struct_config__.tag
    if wanted != got:
        raise Refused(
            "bad_message",
            f"this prompt is answered with {wanted}, not with {got}",
            path="answer.type",
            hint=f"send an answer of type {wanted}",
        )
    if isinstance(prompt, ChoosePrompt) and isinstance(answer, Choose) and answer.option not in prompt.options:
        raise illegal(
            "that is not one of the options",
            path="answer.option",
            hint="choose one of: " + ", ".join(prompt.options),
        )
