"""Pictures in KTX2 files with a Basis Universal payload, which KHR_texture_basisu brings.

Ref: Khronos KTX 2.0 specification §3 (header).
"""

from __future__ import annotations

import struct
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.decoders import KTX2, unpacked
from fathom.assets.gltf.limits import BrokenError, FileLimits

EXTENSION, PACKAGE = "KHR_texture_basisu", "opengl_basisu"
BRINGS_IT = "pip install 'fathom-bench[ktx2]' brings it"

_MAGIC = b"\xabKTX 20\xbb\r\n\x1a\n"


def is_ktx2(data: bytes) -> bool:
    """Return whether bytes are those of a KTX2 file."""
    return data.startswith(_MAGIC)


def can_be_read() -> bool:
    """Return whether the package that reads such pictures is at hand."""
    return find_spec(PACKAGE) is not None


def ktx2_size(data: bytes, what: str) -> tuple[int, int]:
    """Return width and height, before anything is decoded. Raises BrokenError."""
    if len(data) < 48:
        raise BrokenError(f"{what} is a KTX2 file that is cut short")
    width, height = struct.unpack_from("<II", data, 20)
    return width, max(height, 1)


def ktx2_pixels(data: bytes, what: str, limits: FileLimits) -> NDArray[np.uint8]:
    """Return the picture as (h, w, 4) sRGB bytes: the smallest of its levels that is as large as is kept.

    Raises BrokenError where it cannot be decoded in time.
    """
    longest = max(ktx2_size(data, what))
    (levels,) = struct.unpack_from("<I", data, 40)
    level = 0
    while level + 1 < min(levels, 32) and longest >> (level + 1) >= limits.texture_kept:
        level += 1
    pixels = unpacked(KTX2, data, limits, level).get("pixels")
    if pixels is None or pixels.ndim != 3 or pixels.shape[2] != 4 or pixels.dtype != np.uint8:
        raise BrokenError(f"{what} cannot be decoded as KTX2")
    return np.asarray(pixels, dtype=np.uint8)
