"""Pictures as bytes: what they are, how large, and smaller copies where a limit is set.

Bytes go out as they came in; a picture is decoded and written anew only where it is larger than a limit
that was asked for.
"""

from __future__ import annotations

import io
from dataclasses import dataclass

from fathom.records import InputError

MAX_BYTES = 64 << 20
MAX_PIXELS = 100_000_000
"""More than any camera in use makes; a small file that claims more is a decompression bomb."""


@dataclass(frozen=True)
class ImageInfo:
    """What the first bytes of a picture say: its media type, and its size in pixels."""

    mime: str
    width: int
    height: int


def inspect_image(data: bytes, where: str) -> ImageInfo:
    """Return what `data` is, read from its first bytes alone; nothing is decoded.

    Raises InputError, with `where`, for anything but PNG, JPEG, WebP and GIF, and for one that is too large.
    """
    info = _png(data) or _gif(data) or _webp(data) or _jpeg(data)
    if info is None:
        raise InputError(
            f"{where}: expected a PNG, JPEG, WebP or GIF picture, found something else "
            f"(first bytes {data[:8].hex(' ') or 'none'}); convert it"
        )
    if len(data) > MAX_BYTES or info.width * info.height > MAX_PIXELS or not info.width or not info.height:
        raise InputError(
            f"{where}: the picture has {info.width} × {info.height} pixels in {len(data)} bytes, and at most "
            f"{MAX_PIXELS:,} pixels in {MAX_BYTES:,} bytes are read; make it smaller"
        )
    return info


def shrink_image(data: bytes, max_side_px: int, where: str) -> bytes:
    """Return `data` itself where its longer side is at most `max_side_px`, else a smaller copy.

    A JPEG stays a JPEG, and all else becomes a PNG.

    Raises InputError where the picture is larger than what is read at all, or cannot be decoded.
    """
    info = inspect_image(data, where)
    if max(info.width, info.height) <= max_side_px:
        return data
    from PIL import Image  # a limit is rarely set, and Pillow costs 30 ms to import

    scale = max_side_px / max(info.width, info.height)
    size = (max(1, round(info.width * scale)), max(1, round(info.height * scale)))
    jpeg = info.mime == "image/jpeg"
    try:
        with Image.open(io.BytesIO(data)) as picture:
            small = picture.convert("RGB" if jpeg or picture.mode not in ("RGBA", "LA", "P") else "RGBA")
            small = small.resize(size, Image.Resampling.LANCZOS)
    except (OSError, ValueError, SyntaxError) as e:
        raise InputError(f"{where}: the picture cannot be decoded ({e}); replace it") from e
    out = io.BytesIO()
    if jpeg:
        small.save(out, "JPEG", quality=95)
    else:
        small.save(out, "PNG")
    return out.getvalue()


def mirror_image(data: bytes, where: str) -> bytes:
    """Return the mirror image, left and right exchanged, as a PNG: every pixel is kept.

    Raises InputError where the picture is larger than what is read at all, or cannot be decoded.
    """
    inspect_image(data, where)
    from PIL import Image, ImageOps

    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data)) as picture:
            # A camera's note on which side is up holds for the picture before it is mirrored.
            upright = ImageOps.exif_transpose(picture)
            plain = upright.convert("RGB" if upright.mode not in ("RGBA", "LA", "P") else "RGBA")
            ImageOps.mirror(plain).save(out, "PNG")
    except (OSError, ValueError, SyntaxError) as e:
        raise InputError(f"{where}: the picture cannot be decoded ({e}); replace it") from e
    return out.getvalue()


def _png(data: bytes) -> ImageInfo | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or data[12:16] != b"IHDR" or len(data) < 24:
        return None
    return ImageInfo("image/png", int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))


def _gif(data: bytes) -> ImageInfo | None:
    if data[:6] not in (b"GIF87a", b"GIF89a") or len(data) < 10:
        return None
    return ImageInfo("image/gif", int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little"))


def _webp(data: bytes) -> ImageInfo | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP" or len(data) < 30:
        return None
    kind = data[12:16]
    if kind == b"VP8X":
        width = int.from_bytes(data[24:27], "little") + 1
        height = int.from_bytes(data[27:30], "little") + 1
    elif kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 ":
        width = int.from_bytes(data[26:28], "little") & 0x3FFF
        height = int.from_bytes(data[28:30], "little") & 0x3FFF
    else:
        return None
    return ImageInfo("image/webp", width, height)


_JPEG_FRAMES = frozenset({0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})


def _jpeg(data: bytes) -> ImageInfo | None:
    if data[:3] != b"\xff\xd8\xff":
        return None
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker in _JPEG_FRAMES:
            height = int.from_bytes(data[at + 5 : at + 7], "big")
            return ImageInfo("image/jpeg", int.from_bytes(data[at + 7 : at + 9], "big"), height)
        # Fill bytes and markers without a length stand alone.
        alone = marker in (0xFF, 0x01) or 0xD0 <= marker <= 0xD8
        at += (1 if marker == 0xFF else 2) if alone else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
