"""A player that looks for what it has not seen: of several legal answers it takes the one that promises most."""

from collections import Counter
from random import Random

from protocol.answers import AnyAnswer, Bid, Choose, March, PlaceOrders, Raven
from protocol.legal import draw
from protocol.prompts import AnyPrompt, MarchPrompt

CANDIDATES = 4
WANTED_ORDERS = {"march": 2.0, "support": 1.2, "consolidate": 1.1}


def seek(prompt: AnyPrompt, rng: Random, seen: Counter[str]) -> AnyAnswer:
    """A legal answer, drawn until one is worth it: attacks, orders that lead to them, options rarely taken."""
    answers = [draw(prompt, rng) for _ in range(CANDIDATES)]
    return max(answers, key=lambda answer: _promise(prompt, answer, seen) + rng.random())


def _promise(prompt: AnyPrompt, answer: AnyAnswer, seen: Counter[str]) -> float:
    match answer:
        case March() if isinstance(prompt, MarchPrompt):
            option = next(m for m in prompt.marches if m.from_ == answer.from_)
            attacks = {t.to for t in option.targets if t.attack}
            return 2.0 * any(m.to in attacks for m in answer.moves) + 0.5 * bool(answer.moves)
        case PlaceOrders():
            worth = sum(WANTED_ORDERS.get(o.split("-")[0], 1.0) for o in answer.orders.values())
            return worth / max(1, len(answer.orders)) + sum(1 / (1 + seen[o]) for o in answer.orders.values())
        case Choose():
            return 1 / (1 + seen[f"{prompt.kind}:{answer.option}"])
        case Raven(use=use):
            return 0.5 * (use == "replace")
        case Bid(power=power):
            return 0.02 * power
        case _:
            return 0.0


def remember(prompt: AnyPrompt, answer: AnyAnswer, seen: Counter[str]) -> None:
    """Counts what was answered, so that next time something else is more promising."""
    match answer:
        case PlaceOrders():
            seen.update(answer.orders.values())
        case Choose():
            seen[f"{prompt.kind}:{answer.option}"] += 1
