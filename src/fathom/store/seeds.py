"""Random numbers as a function of stable names; there is no global state."""

from __future__ import annotations

import hashlib

import numpy as np

Name = str | int


def digest(*names: Name) -> bytes:
    """Return 32 bytes that depend on the names alone, their types and their order included."""
    texts = [f"{type(name).__name__}:{name}".encode() for name in names]
    return hashlib.sha256(b"".join([len(text).to_bytes(4, "big") + text for text in texts])).digest()


def rng(seed: Name, *names: Name) -> np.random.Generator:
    """Return the generator that belongs to these names: `rng(seed, "scene", 17, "camera")`."""
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest(seed, *names)[:16], "big")))


def short_hash(*names: Name, length: int = 12) -> str:
    """Return a short hexadecimal name for these names."""
    return digest(*names).hex()[:length]
