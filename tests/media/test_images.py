"""Pictures are known by their bytes, and only decoded where a limit on their size asks for it."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from fathom.media.images import ImageInfo, inspect_image, shrink_image, upright_image
from fathom.records import InputError


def picture(kind: str, size: tuple[int, int] = (61, 17), mode: str = "RGB", **options: Any) -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, 120).save(out, kind, **options)
    return out.getvalue()


KINDS = [
    ("PNG", {}, "image/png"),
    ("JPEG", {}, "image/jpeg"),
    ("JPEG", {"progressive": True, "exif": b"Exif\0\0" + b"x" * 300}, "image/jpeg"),
    ("GIF", {}, "image/gif"),
    ("WEBP", {}, "image/webp"),
    ("WEBP", {"lossless": True}, "image/webp"),
    ("WEBP", {"exif": b"Exif\0\0x"}, "image/webp"),
]


@pytest.mark.parametrize(("kind", "options", "mime"), KINDS)
def test_kind_and_size_are_read_from_the_first_bytes(kind: str, options: dict[str, Any], mime: str) -> None:
    assert inspect_image(picture(kind, **options), "x") == ImageInfo(mime, 61, 17)


@given(st.binary(max_size=64))
def test_other_bytes_are_refused_and_never_break_the_reader(data: bytes) -> None:
    with pytest.raises(InputError, match="expected a PNG, JPEG, WebP or GIF"):
        inspect_image(data, "x")


@given(st.integers(0, 200), st.sampled_from(["PNG", "JPEG", "GIF", "WEBP"]))
def test_a_file_cut_short_is_read_or_refused(length: int, kind: str) -> None:
    data = picture(kind)[:length]
    try:
        assert inspect_image(data, "x").width == 61
    except InputError as e:
        assert "expected a PNG" in str(e)


def test_a_small_file_that_claims_to_be_huge_is_refused_before_it_is_decoded() -> None:
    bomb = bytearray(picture("PNG"))
    bomb[16:24] = (60_000).to_bytes(4, "big") * 2
    with pytest.raises(InputError, match="60000 × 60000 pixels"):
        shrink_image(bytes(bomb), 100, "x")


@pytest.mark.parametrize(("kind", "options", "mime"), KINDS)
def test_a_picture_within_the_limit_is_the_same_bytes(kind: str, options: dict[str, Any], mime: str) -> None:
    data = picture(kind, **options)
    assert shrink_image(data, 61, "x") is data


@pytest.mark.parametrize(("kind", "options", "mime"), KINDS)
def test_a_larger_picture_fits_the_limit_and_keeps_its_shape(
    kind: str, options: dict[str, Any], mime: str
) -> None:
    info = inspect_image(shrink_image(picture(kind, (400, 100), **options), 80, "x"), "x")
    assert (info.width, info.height) == (80, 20)
    assert info.mime == ("image/jpeg" if mime == "image/jpeg" else "image/png")


@pytest.mark.parametrize("mode", ["RGBA", "P", "L", "LA", "1"])
def test_every_mode_can_be_made_smaller(mode: str) -> None:
    small = shrink_image(picture("PNG", (40, 40), mode=mode), 10, "x")
    assert inspect_image(small, "x").width == 10


def test_a_broken_picture_is_one_sentence() -> None:
    data = picture("PNG", (400, 400))
    with pytest.raises(InputError, match="cannot be decoded"):
        shrink_image(data[: len(data) // 2], 10, "x")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turn", range(1, 9))
def test_a_picture_is_turned_as_its_camera_says(kind: str, turn: int) -> None:
    """One red corner of a blue picture: it comes out where Pillow's own reading has it."""
    from PIL import Image, ImageOps

    picture_ = Image.new("RGB", (60, 40), (20, 40, 200))
    picture_.paste((220, 30, 20), (0, 0, 16, 16))
    exif = Image.Exif()
    exif[274] = turn
    out = io.BytesIO()
    picture_.save(out, kind, exif=exif, **({"quality": 95} if kind == "JPEG" else {"lossless": True}))
    data = out.getvalue()
    found = upright_image(data, "x")
    assert (found is data) == (turn == 1)
    with Image.open(io.BytesIO(found)) as one, Image.open(io.BytesIO(data)) as other:
        expected = ImageOps.exif_transpose(other)
        assert one.getexif().get(274, 1) == 1 and one.size == expected.size
        corners = [(4, 4), (one.width - 5, 4), (4, one.height - 5), (one.width - 5, one.height - 5)]
        pixels = [np.asarray(image.convert("RGB")) for image in (one, expected)]
        reds = [[at for at in corners if pixels_[at[1], at[0], 0] > 150] for pixels_ in pixels]
        assert reds[0] == reds[1] and len(reds[0]) == 1
    small = shrink_image(data, 30, "x")
    with Image.open(io.BytesIO(small)) as image:
        assert image.size == ((30, 20) if turn < 5 else (20, 30))
