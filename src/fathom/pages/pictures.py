"""Pictures small enough to travel inside a page."""

from __future__ import annotations

import io
from dataclasses import dataclass

from fathom.pages.html import data_uri

_MOST_PIXELS = 100_000_000


@dataclass(frozen=True)
class PagePicture:
    """A picture as a page carries it: its data URI, and the size in pixels of what it was made from."""

    uri: str
    width: int
    height: int


def page_picture(data: bytes, longest_px: int = 960, quality: int = 80) -> PagePicture | None:
    """Return a picture as WebP, its longer side at most `longest_px`; None where `data` is no picture."""
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data)) as opened:
            width, height = opened.size
            if width * height > _MOST_PIXELS:
                return None
            image = opened.convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    image.thumbnail((longest_px, longest_px), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    image.save(out, "WEBP", quality=quality, method=4)
    return PagePicture(data_uri(out.getvalue(), "image/webp"), width, height)
