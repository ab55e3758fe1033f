"""Settings that one process hands to another as a line of JSON."""

from typing import Any

import msgspec

from server.config import Config


def written(config: Config) -> bytes:
    """The line."""
    return msgspec.json.encode(config, enc_hook=str) + b"\n"


def read(line: bytes) -> Config:
    """The settings in it. Raises `msgspec.DecodeError`."""
    return msgspec.json.decode(line, type=Config, dec_hook=_made)


def _made(kind: type, value: Any) -> Any:
    return kind(value)  # a path
