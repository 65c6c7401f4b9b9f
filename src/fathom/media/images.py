"""Pictures as bytes: what they are, how large, and smaller copies where a limit is set.

Bytes go out as they came in; a picture is decoded and written anew only where it is larger than a limit
that was asked for, or where its camera was not held upright and says so.
"""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fathom.records import InputError

if TYPE_CHECKING:
    from PIL import Image

MAX_BYTES = 64 << 20
MAX_PIXELS = 100_000_000
"""More than any camera in use makes; a small file that claims more is a decompression bomb."""

_CONVERTED = {
    "BMP": re.compile(rb"BM.{12}", re.DOTALL),
    "TIFF": re.compile(rb"II\*\0|MM\0\*"),
    "AVIF": re.compile(rb".{4}ftyp(?:avif|avis|mif1)", re.DOTALL),
    "JPEG2000": re.compile(rb"\0\0\0\x0cjP  \r\n\x87\n|\xff\x4f\xff\x51"),
}
"""How pictures begin that are converted, by the names that Pillow has for their kinds."""

_PNG_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA", "I;16", "YCbCr"})


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


_TURNS = 274
"""The EXIF tag that says which way up a camera was held."""


def upright_image(data: bytes, where: str) -> bytes:
    """Return `data` itself where its camera was held upright, else the picture the way up that it says.

    Not everything that reads pictures looks at what the camera says. A JPEG stays a JPEG, and all else
    becomes a PNG.

    Raises InputError where the picture is larger than what is read at all, or cannot be decoded.
    """
    if not data.startswith(b"RIFF") and b"exif" not in data[: 1 << 16].lower():
        return data
    info = inspect_image(data, where)
    from PIL import Image, ImageOps

    out = io.BytesIO()
    try:
        with Image.open(io.BytesIO(data)) as picture:
            if not _is_turned(picture):
                return data
            turned = ImageOps.exif_transpose(picture)
            if info.mime == "image/jpeg":
                turned.convert("RGB").save(out, "JPEG", quality=95)
            else:
                turned.save(out, "PNG")
    except (OSError, ValueError, SyntaxError) as e:
        raise InputError(f"{where}: the picture cannot be decoded ({e}); replace it") from e
    return out.getvalue()


def _is_turned(picture: Image.Image) -> bool:
    """Return whether a camera says that it was not held upright; not where what it says cannot be read."""
    try:
        return picture.getexif().get(_TURNS, 1) in range(2, 9)
    except (OSError, ValueError, SyntaxError, KeyError):
        return False


def shrink_image(data: bytes, max_side_px: int, where: str) -> bytes:
    """Return `data` itself where it is upright and its longer side at most `max_side_px`, else one that is.

    A JPEG stays a JPEG, and all else becomes a PNG.

    Raises InputError where the picture is larger than what is read at all, or cannot be decoded.
    """
    data = upright_image(data, where)
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


def as_png(data: bytes, where: str) -> tuple[bytes, str]:
    """Return a BMP, TIFF, AVIF or JPEG 2000 picture as a PNG of the same pixels, upright, and what it was.

    Anything else is returned as it is, with "". Raises InputError for a picture of these kinds that cannot be
    decoded, is too large, or is one of several in its file.
    """
    kind = next((name for name, begins in _CONVERTED.items() if begins.match(data)), "")
    if not kind:
        return data, ""
    from PIL import Image, ImageOps

    out = io.BytesIO()
    try:
        # What Pillow warns of either fails below, or changes no pixel.
        with (
            warnings.catch_warnings(action="ignore"),
            Image.open(io.BytesIO(data), formats=[kind]) as picture,
        ):
            _check_plain(picture.size, getattr(picture, "n_frames", 1), picture.mode, f"{where}: the {kind}")
            plain = picture.convert("RGB") if picture.mode == "YCbCr" else picture
            upright = ImageOps.exif_transpose(plain)
            upright.save(out, "PNG", icc_profile=picture.info.get("icc_profile"))
    except (OSError, ValueError, SyntaxError, KeyError, Image.DecompressionBombError) as e:
        raise InputError(f"{where}: the {kind} picture cannot be decoded ({e}); convert it to PNG") from e
    return out.getvalue(), kind


def _check_plain(size: tuple[int, int], count: int, mode: str, what: str) -> None:
    """Raise InputError for a picture that is too large, one of several, or of colors that PNG has not."""
    width, height = size
    if width * height > MAX_PIXELS:
        raise InputError(
            f"{what} picture has {width} × {height} pixels, and at most {MAX_PIXELS:,} are read; make it "
            "smaller"
        )
    if count > 1:
        raise InputError(f"{what} file holds {count} pictures, expected one; save the one that is meant")
    if mode not in _PNG_MODES:
        raise InputError(
            f"{what} picture has pixels of the kind {mode}, which PNG does not have; convert it to RGB"
        )


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
