"""Why an answer is refused."""


class Refused(Exception):  # noqa: N818 - the word of the rulebook: an answer is refused, the server does not err
    """An answer that is against the rules or out of place; nothing has changed.

    `code` is one of the stable error codes of the protocol, `path` names the field (as in `answer.moves[0].to`), `rules` are
    rule ids, `hint` says what to do instead. `needed` and `total` belong to `insufficient_strength`, `prompt` (the id of
    the prompt that is open now) to `stale_prompt`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        path: str = "",
        rules: tuple[str, ...] = (),
        hint: str = "",
        needed: int | None = None,
        total: int | None = None,
        prompt: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.path = path
        self.rules = rules
        self.hint = hint
        self.needed = needed
        self.total = total
        self.prompt = prompt


def illegal(message: str, *rules: str, path: str = "answer", hint: str = "") -> Refused:
    """An answer against the rules named."""
    return Refused("illegal", message, path=path, rules=rules, hint=hint)
