"""What is measured of how good an object looks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.assets.model import Material, Part
from fathom.curation.colors import NAMES, named
from fathom.curation.pixels import covered, reduced, thumbnail
from fathom.curation.quality import FLOORS, Floors, Gaze, look_reasons, shape_of, shape_reasons
from fathom.records import InputError
from tests.curation.made import blob, picture


@pytest.mark.parametrize(
    ("name", "color"),
    [
        ("red", (200, 30, 25)), ("red", (90, 10, 12)), ("orange", (240, 140, 30)), ("brown", (110, 70, 35)),
        ("yellow", (240, 220, 40)), ("green", (40, 140, 60)), ("green", (120, 200, 80)),
        ("blue", (30, 70, 190)), ("blue", (90, 190, 230)), ("purple", (120, 40, 160)),
        ("pink", (245, 150, 190)), ("pink", (250, 140, 135)), ("white", (250, 248, 245)),
        ("gray", (128, 128, 130)), ("black", (12, 12, 14)),
    ],
)  # fmt: skip
def test_colors_have_the_names_that_people_give_them(name: str, color: tuple[int, int, int]) -> None:
    assert NAMES[named(np.array(color, np.float32))] == name


@given(st.tuples(*[st.integers(0, 255)] * 3))
def test_every_color_has_a_name(color: tuple[int, int, int]) -> None:
    assert 0 <= named(np.array(color, np.float32)) < len(NAMES)


def test_the_shape_is_measured_on_triangles() -> None:
    lump = blob("a")
    shape = shape_of([lump])
    assert shape.triangles == len(lump.faces)
    assert shape.materials == 1
    assert shape.textured_share == 0
    # A ball of rings has no area where the rings close at its poles.
    assert 0 < shape.degenerate_share < 0.1
    assert 0.3 < shape.thickness < 1
    assert not shape_reasons(shape)


def test_texture_counts_by_area_and_a_sheet_is_thin() -> None:
    square = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    image = np.zeros((4, 4, 3), np.uint8)
    plain = Part("a", square * 2, faces, Material("a"))
    textured = Part("b", square, faces, Material("b", texture=image), uv=square[:, :2])
    shape = shape_of([plain, textured])
    assert shape.textured_share == 0.2
    assert shape.thickness == 0
    reasons = shape_reasons(shape, Floors(least_textured_share=0.5))
    assert "textured share of the surface: 20%, at least 50% asked for" in reasons
    assert "triangles: 4, at least 200 asked for" in reasons
    assert any(r.startswith("thickness") for r in reasons)


def test_colors_that_vary_from_vertex_to_vertex_count_as_texture() -> None:
    lump = blob("a")
    colors = np.tile(np.linspace(0, 1, len(lump.vertices))[:, None], 3)
    assert (
        shape_of([Part("a", lump.vertices, lump.faces, lump.material, vertex_colors=colors)]).textured_share
        == 1
    )
    same = np.ones_like(colors)
    assert (
        shape_of([Part("a", lump.vertices, lump.faces, lump.material, vertex_colors=same)]).textured_share
        == 0
    )


def test_no_triangles_and_degenerate_ones_are_said_to_be_so() -> None:
    assert shape_of([]).triangles == 0
    nothing = Part("a", np.zeros((3, 3)), np.array([[0, 1, 2]], np.int32), Material("a"))
    shape = shape_of([nothing])
    assert shape.degenerate_share == 1
    assert "degenerate triangles: 100%, at most 25% asked for" in shape_reasons(shape)


def test_the_look_is_measured_on_frames() -> None:
    gaze = Gaze()
    gaze.add(picture(64, 64))
    gaze.add(picture(50, 70))
    look = gaze.look()
    assert set(look.colors[:2]) == {"red", "green"}
    assert look.coverage == pytest.approx(40 * 40 / 128**2, rel=0.1)
    assert look.color_bits == pytest.approx(1.0, abs=0.3)
    assert look.cut_share == 0
    assert not look_reasons(look)


def test_an_object_of_one_color_or_cut_off_or_far_away_goes() -> None:
    plain = Gaze()
    plain.add(picture(64, 64, first=(200, 40, 30), second=(200, 40, 30)))
    assert any("colors" in r for r in look_reasons(plain.look()))
    cut = Gaze()
    cut.add(picture(5, 64))
    assert "frames that cut the object off: 100%, at most 25% asked for" in look_reasons(cut.look())
    far = Gaze()
    far.add(np.full((128, 128, 3), 255, np.uint8))
    assert "coverage of the picture: 0.0%, at least 2.0% asked for" in look_reasons(far.look())
    assert Gaze().look().frames == 0


def test_floors_of_nothing_ask_for_nothing() -> None:
    nothing = Floors(**{f: 0 if f.startswith("least") else 1 for f in FLOORS.__struct_fields__})
    assert not shape_reasons(shape_of([]), nothing)
    assert not look_reasons(Gaze().look(), nothing)


def test_transparency_says_where_the_object_is_even_where_it_is_white() -> None:
    frame = np.full((32, 32, 4), 255, np.uint8)
    frame[..., 3] = 0
    frame[8:16, 8:24, 3] = 255
    assert covered(reduced(frame, 64)).sum() == 8 * 16


@given(st.integers(1, 5), st.integers(0, 255))
def test_reducing_keeps_the_mean(factor: int, level: int) -> None:
    frame = np.full((16 * factor, 24 * factor, 3), level, np.uint8)
    small = reduced(frame, 24)
    assert small.shape == (16, 24, 3)
    assert np.allclose(small, level, atol=1e-4)


def test_thumbnails_are_means_and_need_enough_pixels() -> None:
    grid = np.zeros((30, 30, 3), np.float32)
    grid[:15] = 200
    assert np.allclose(thumbnail(grid, 16)[:7], 200)
    assert np.allclose(thumbnail(grid, 16).mean(), 100, atol=10)
    with pytest.raises(InputError, match="at least 64 × 64"):
        thumbnail(grid, 64)
