"""The tables of PROTOCOL.md, made from the types themselves. `python -m protocol.docs` writes them and schema.json anew."""

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT
from msgspec.inspect import DictType, Field, ListType, StructType, Type, UnionType, type_info

from protocol.answers import AnyAnswer
from protocol.errors import CODES
from protocol.events import EVENTS
from protocol.explain import describe
from protocol.messages import AnyClientMessage, AnyServerMessage
from protocol.prompts import AnyPrompt, Prompt
from protocol.schema import FILE, text

PAGE: Final = Path(__file__).with_name("PROTOCOL.md")
_MARKED: Final = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def renew(page: str) -> str:
    """The page with everything between its markers written anew."""
    return _MARKED.sub(lambda found: f"{found[1]}\n{_PARTS[found[2]]()}\n\n{found[3]}", page)


def _union(union: Any, heading: str) -> str:
    """A section for every type of a union, then one for every type used in them."""
    info = type_info(union)
    assert isinstance(info, UnionType)
    kinds = [kind for kind in info.types if isinstance(kind, StructType)]
    used = {each.cls.__name__: each for kind in kinds for field in kind.fields for each in _structs(field.type)}
    sections = [_section(heading.format(kind.tag), kind, used) for kind in kinds]
    return "\n\n".join(sections + [_section(name, kind, used) for name, kind in used.items()])


def _common(base: type, heading: str) -> str:
    """A section for what all types of a union have."""
    info = type_info(base)
    assert isinstance(info, StructType)
    return _section(heading, info, ())


def _structs(kind: Type) -> Iterator[StructType]:
    """The types without a tag that are used in a type, each before those that it uses itself."""
    match kind:
        case StructType(tag=None):
            yield kind
            for field in kind.fields:
                yield from _structs(field.type)
        case ListType():
            yield from _structs(kind.item_type)
        case DictType():
            yield from _structs(kind.value_type)
        case UnionType():
            for each in kind.types:
                yield from _structs(each)


def _section(heading: str, kind: StructType, linked: Iterable[str]) -> str:
    """What a type is for and a table of its fields."""
    said = _field_docs(kind.cls)
    own = [field for field in kind.fields if field.name in inspect.get_annotations(kind.cls)]
    rows = [[f"`{field.encode_name}`", describe(field.type), _notes(field, said)] for field in own]
    about = " ".join((inspect.getdoc(kind.cls) or "").split())
    table = _table(["field", "value", ""], rows) if rows else ""
    for name in linked:
        table = re.sub(rf"\b{name}\b", f"[{name}](#{name.lower()})", table)
    return f"#### {heading}\n\n{about}\n\n{table}"


def _notes(field: Field, said: dict[str, str]) -> str:
    notes = [said[field.name]] if field.name in said else []
    if not field.required:
        default = field.default_factory() if callable(field.default_factory) else field.default
        notes.insert(
            0, "Optional." if default is NODEFAULT else f"`{msgspec.json.encode(default).decode()}` if left out."
        )
    return " ".join(notes)


def _field_docs(cls: type) -> dict[str, str]:
    """The docstrings of a class's fields: the strings that follow them in the source."""
    docs: dict[str, str] = {}
    (tree,) = ast.parse(inspect.getsource(cls)).body
    assert isinstance(tree, ast.ClassDef)
    for field, doc in pairwise(tree.body):
        match field, doc:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(text))):
                docs[name] = " ".join(text.split())
    return docs


def _table(head: list[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _errors() -> str:
    rows = ([f"`{name}`", code.meaning, code.remedy] for name, code in CODES.items())
    return _table(["code", "what it means", "what to do"], rows)


def _events() -> str:
    rows = ([f"`{name}`", event.fields, re.sub(r"\|\w+\]", "]", event.text)] for name, event in EVENTS.items())
    return _table(["type", "fields (`?`: may be absent)", "in words"], rows)


_PARTS: Final[dict[str, Callable[[], str]]] = {
    "client": lambda: _union(AnyClientMessage, "`{}`"),
    "server": lambda: _union(AnyServerMessage, "`{}`"),
    "prompts": lambda: _common(Prompt, "Every prompt") + "\n\n" + _union(AnyPrompt, "Prompt for `{}`"),
    "answers": lambda: _union(AnyAnswer, "Answer `{}`"),
    "errors": _errors,
    "events": _events,
}

if __name__ == "__main__":
    PAGE.write_text(renew(PAGE.read_text()))
    FILE.write_text(text())
