"""The secrets of a room: how they are made, and how they are known again when only their hash is kept."""

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import TypeAlias

Entropy: TypeAlias = Callable[[int], bytes]
"""Gives that many random bytes: `secrets.token_bytes`, or a fixed stream in tests."""


def new_key(entropy: Entropy) -> str:
    """A fresh token or invite of 256 random bits, as 43 characters that survive any form and shell."""
    return base64.urlsafe_b64encode(entropy(32)).decode().rstrip("=")


def derived(key: str, what: str) -> str:
    """A token or invite that follows from a key, for some purpose: whoever does not know the key cannot tell it."""
    made = hmac.digest(key.encode(), what.encode(), "sha256")
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def new_room_id(entropy: Entropy) -> str:
    """A short id that can be read out aloud: 50 random bits in the letters a-z and the digits 2-7."""
    return base64.b32encode(entropy(7)).decode()[:10].lower()


def digest(key: str) -> bytes:
    """What is kept of a key. It has 256 random bits, so one round of SHA-256 is enough."""
    return hashlib.sha256(key.encode()).digest()


def fits(key: str, kept: bytes) -> bool:
    """Whether a key is the one of which only the hash was kept; takes the same time either way."""
    return hmac.compare_digest(digest(key), kept)


def commitment(seed: bytes) -> str:
    """What is shown of a seed before the game: whoever gets the seed afterwards can check that it was this one."""
    return hashlib.sha256(seed).hexdigest()
