"""How large a model from outside may be, and the error that stays within the reader."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FileLimits:
    """Where a file is refused instead of filling the memory.

    `triangles` and `vertices` count every instance of a mesh. `decoded_bytes` bounds all arrays of one file
    together, `texture_side` one side of a picture, `texture_pixels` all pictures of a file, read one
    after the other.
    `texture_kept` is the longer side that a texture is shrunk to: things are seen a few hundred pixels large.
    Meshes with more vertices than `vertices_kept` are simplified to as many.
    """

    file_bytes: int = 512 * 2**20
    triangles: int = 2_000_000
    vertices: int = 6_000_000
    vertices_kept: int = 6_000_000
    decoded_bytes: int = 2 * 2**30
    nodes: int = 65_536
    parts: int = 4_096
    texture_side: int = 8_192
    texture_pixels: int = 8 * 8_192**2
    texture_kept: int = 1_024
    decoder_seconds: float = 60.0


LIMITS = FileLimits()

REMEDY = "export the model again, or leave it out of the manifest"


class BrokenError(ValueError):
    """What is wrong with a file, in words that follow "PATH: "; never leaves the reader."""


def shown(text: str) -> str:
    """Return a name from a file as it can stand in a sentence: printable and short."""
    return repr(text if len(text) <= 60 else f"{text[:57]}…")
