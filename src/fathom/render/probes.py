"""Folders of light probes: reading .hdr and .exr files, and refusing those that cannot light a scene."""

from __future__ import annotations

import re
import struct
from functools import lru_cache
from pathlib import Path

import numpy as np

from fathom.records import AssetError
from fathom.render.color import Floats
from fathom.render.variants import SLOW, Engine, mitsuba_module, prepare
from fathom.store.files import sha256_file

WIDEST = 16384
SUFFIXES = (".hdr", ".exr")


def read_probe(path: Path, sha256: str = "") -> Floats:
    """Return the (h, 2h, 3) linear radiance of a light probe.

    Raises AssetError where the file is missing, is not the one with this hash, is not a whole .hdr or
    .exr picture twice as wide as high, or holds values that are not finite.
    """
    if not path.is_file():
        raise AssetError(f"{path}: expected a light probe, but there is no such file; restore it")
    if sha256 and sha256_file(path) != sha256:
        raise AssetError(f"{path}: not the light probe that the scene was made with (its SHA-256 differs)")
    width, height = declared_size(path)
    if not (64 <= width <= WIDEST and width == 2 * height):
        raise AssetError(
            f"{path}: {width} × {height} pixels; a light probe is twice as wide as high, "
            f"from 64 to {WIDEST} wide"
        )
    return _pixels(path, width, height, stamp(path))


def stamp(path: Path) -> tuple[int, int]:
    """Return when a file was written and its size, by which a change shows; zeros where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return (found.st_mtime_ns, found.st_size)


def declared_size(path: Path) -> tuple[int, int]:
    """Return width and height as the file's header gives them. Raises AssetError for another kind of file."""
    try:
        with path.open("rb") as f:
            head = f.read(65536)
    except OSError as e:
        raise AssetError(f"{path}: a light probe that cannot be read ({e.strerror or e})") from e
    size = _radiance_size(head) if path.suffix.lower() == ".hdr" else _exr_size(head)
    if size is None:
        raise AssetError(
            f"{path}: expected a light probe, Radiance (.hdr) or OpenEXR (.exr), and its header is neither; "
            "export it again or leave it out"
        )
    return size


def _radiance_size(head: bytes) -> tuple[int, int] | None:
    if not head.startswith((b"#?RADIANCE", b"#?RGBE")):
        return None
    end = head.find(b"\n\n")
    match = re.match(rb"-Y (\d{1,6}) \+X (\d{1,6})\n", head[end + 2 : end + 40]) if end > 0 else None
    return (int(match.group(2)), int(match.group(1))) if match else None


def _exr_size(head: bytes) -> tuple[int, int] | None:
    """Return the size of the data window of an OpenEXR file with one part."""
    if not head.startswith(b"\x76\x2f\x31\x01"):
        return None
    match = re.search(rb"dataWindow\x00box2i\x00\x10\x00\x00\x00", head)
    if match is None or len(head) < match.end() + 16:
        return None
    x0, y0, x1, y1 = struct.unpack_from("<4i", head, match.end())
    return x1 - x0 + 1, y1 - y0 + 1


@lru_cache(maxsize=2)
def _pixels(path: Path, width: int, height: int, written: tuple[int, int]) -> Floats:
    mi = mitsuba_module()
    if mi.variant() is None:
        prepare(Engine(SLOW))
    try:
        bitmap = mi.Bitmap(str(path)).convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.Float32, False)
        pixels = np.array(bitmap, dtype=np.float32)
    except (RuntimeError, ValueError, MemoryError) as e:
        reason = str(e).strip().splitlines()[-1] if str(e).strip() else type(e).__name__
        raise AssetError(f"{path}: a light probe that cannot be decoded ({reason}); export it again") from e
    if pixels.shape != (height, width, 3):
        raise AssetError(f"{path}: its pixels ({pixels.shape}) are not as many as its header says")
    if not np.isfinite(pixels).all() or pixels.max() <= 0:
        raise AssetError(
            f"{path}: a light probe with values that are not finite, or without any light; export it again"
        )
    return pixels
