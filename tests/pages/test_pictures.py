"""Pictures small enough to travel inside a page."""

from __future__ import annotations

import base64
import io

from PIL import Image

from fathom.pages.pictures import page_picture


def png(width: int, height: int, mode: str = "RGB") -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height), 120).save(out, "PNG")
    return out.getvalue()


def test_a_large_picture_shrinks_and_keeps_its_own_size_on_record() -> None:
    picture = page_picture(png(1600, 1200), longest_px=400)
    assert picture is not None
    assert (picture.width, picture.height) == (1600, 1200)
    head, _, data = picture.uri.partition(",")
    assert head == "data:image/webp;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        assert image.size == (400, 300)


def test_grey_and_transparent_pictures_are_taken_too() -> None:
    assert page_picture(png(8, 8, "L")) is not None
    assert page_picture(png(8, 8, "LA")) is not None


def test_what_is_no_picture_gives_none() -> None:
    assert page_picture(b"") is None
    assert page_picture(b"<svg onload=alert(1)>") is None
    assert page_picture(png(64, 64)[:70]) is None


def test_the_same_picture_gives_the_same_bytes() -> None:
    assert page_picture(png(64, 48)) == page_picture(png(64, 48))
