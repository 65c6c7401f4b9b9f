"""Pictures small enough to travel inside a page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fathom.pages.html import data_uri

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image

_MOST_PIXELS = 100_000_000


@dataclass(frozen=True)
class PagePicture:
    """A picture as a page carries it: its data URI, and the size in pixels of what it was made from."""

    uri: str
    width: int
    height: int


def page_picture(data: bytes, longest_px: int = 960, quality: int = 80) -> PagePicture | None:
    """Return a picture as WebP, upright, its longer side at most `longest_px`; None where `data` is none."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                return None
            image = ImageOps.exif_transpose(opened).convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    width, height = image.size
    return PagePicture(_webp(image, longest_px, quality), width, height)


def page_frame(pixels: NDArray[np.uint8], longest_px: int = 400, quality: int = 70) -> PagePicture:
    """Return a frame (height, width, 3) RGB as WebP, its longer side at most `longest_px`."""
    from PIL import Image

    height, width = pixels.shape[:2]
    return PagePicture(_webp(Image.fromarray(pixels), longest_px, quality), width, height)


def playing_film(frames: Sequence[Image.Image], each_ms: int, quality: int = 70) -> bytes:
    """Return frames as one WebP that plays them round and round, each for so many milliseconds."""
    out = io.BytesIO()
    first, *others = frames
    first.save(
        out, "WEBP", save_all=True, append_images=others, duration=each_ms, loop=0, quality=quality, method=2
    )
    return out.getvalue()


def page_film(
    frames: Sequence[NDArray[np.uint8]], each_ms: int, longest_px: int = 240, quality: int = 55
) -> str:
    """Return frames (height, width, 3) RGB as a film that travels inside a page, a data URI."""
    from PIL import Image

    small = [Image.fromarray(f) for f in frames]
    for image in small:
        image.thumbnail((longest_px, longest_px), Image.Resampling.BOX)
    return data_uri(playing_film(small, each_ms, quality), "image/webp")


def _webp(image: Image.Image, longest_px: int, quality: int) -> str:
    from PIL import Image as Resizing

    image.thumbnail((longest_px, longest_px), Resizing.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, "WEBP", quality=quality, method=4)
    return data_uri(out.getvalue(), "image/webp")
