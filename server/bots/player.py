"""What makes a player."""

from collections.abc import Callable
from typing import Any, TypeAlias

from protocol.answers import AnyAnswer
from protocol.prompts import AnyPrompt

View: TypeAlias = dict[str, Any]
"""The document of a seat: the public part and `you`, exactly as a client has it."""

Choose: TypeAlias = Callable[[AnyPrompt, View], AnyAnswer]
"""From a prompt and the view of the seat that is asked to an answer."""
