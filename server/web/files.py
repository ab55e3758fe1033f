"""The files of the page, read once and handed out from memory: a path that is not among them cannot reach any file."""

import gzip
import hashlib
from collections.abc import Iterable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

import msgspec

from server.web import facts

KINDS: Final = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may do: use its own scripts, styles and pictures, and talk to its own server."""


FETCHED: Final = ("/web/board/board.json", "/web/facts.json")
"""What the page fetches at its start."""


class File(NamedTuple):
    """A file as it is sent: in full and packed, its content type, and the mark that changes when its content does."""

    body: bytes
    packed: bytes
    kind: str
    mark: str


def file(name: str, body: bytes) -> File:
    """A file from its name and content."""
    kind = KINDS["." + name.rpartition(".")[2]]
    return File(body, gzip.compress(body, mtime=0), kind, f'"{hashlib.sha256(body).hexdigest()[:20]}"')


def load() -> dict[str, File]:
    """All files by the path of their address."""
    found = {f"/web/{name}": file(name, path.read_bytes()) for name, path in _walk(resources.files("server.web"))}
    for name, content in (("facts.json", facts.facts()), ("rules.json", facts.rules())):
        found[f"/web/{name}"] = file(name, msgspec.json.encode(content))
    page = found.pop("/web/index.html").body.replace(b"<!-- preload -->", preloads(found).encode())
    found["/"] = file("index.html", page)
    return found


def preloads(files: Iterable[str]) -> str:
    """Links to all modules and what they fetch at once: a browser asks for all of them before it has read the first."""
    scripts = [f'<link rel="modulepreload" href="{path}">' for path in sorted(files) if path.endswith(".js")]
    facts = [f'<link rel="preload" as="fetch" crossorigin href="{path}">' for path in FETCHED]
    return "\n".join([*facts, *scripts])


def _walk(folder: Traversable, before: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        name = before + entry.name
        if entry.is_dir():
            yield from _walk(entry, name + "/")
        elif any(name.endswith(kind) for kind in KINDS):
            yield name, entry


FILES: Final = load()
