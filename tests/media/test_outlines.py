"""Outlines: from the mask of an object to polygons."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from fathom.media.outlines import outline_paths, outlines_of, svg_path
from fathom.records import Outline

Mask = NDArray[np.bool_]
masks = hnp.arrays(bool, hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=14))


def filled(paths: list[list[float]], shape: tuple[int, int]) -> Mask:
    """Return the pixels whose centre lies in an odd number of polygons."""
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    inside = np.zeros(shape, bool)
    for path in paths:
        points = np.reshape(path, (-1, 2))
        for (x0, y0), (x1, y1) in zip(points, np.roll(points, -1, axis=0), strict=True):
            if y0 == y1:
                continue
            crosses = (y0 <= y) != (y1 <= y)
            inside ^= crosses & (x < x0 + (y - y0) / (y1 - y0) * (x1 - x0))
    return inside


def disc(side: int, radius: float) -> Mask:
    y, x = np.mgrid[:side, :side] + 0.5
    found: Mask = np.hypot(x - side / 2, y - side / 2) <= radius
    return found


def signed_area(path: list[float]) -> float:
    x, y = np.reshape(path, (-1, 2)).T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@given(masks)
def test_unsimplified_outlines_fill_exactly_the_mask(mask: Mask) -> None:
    paths = outline_paths(mask, tolerance_px=0, smallest_area_px=0)
    assert np.array_equal(filled(paths, mask.shape), mask)


@given(masks)
def test_flipping_the_mask_flips_the_filled_outline(mask: Mask) -> None:
    paths = outline_paths(mask[:, ::-1], tolerance_px=0, smallest_area_px=0)
    assert np.array_equal(filled(paths, mask.shape)[:, ::-1], mask)


@given(masks, st.floats(0.1, 3))
def test_simplified_vertices_are_vertices_of_the_whole_outline(mask: Mask, tolerance: float) -> None:
    whole = {p for path in outline_paths(mask, 0, 0) for p in zip(path[::2], path[1::2], strict=True)}
    few = {p for path in outline_paths(mask, tolerance, 0) for p in zip(path[::2], path[1::2], strict=True)}
    assert few <= whole


def test_a_disc_needs_few_vertices_and_keeps_its_area() -> None:
    mask = disc(200, 80)
    (path,) = outline_paths(mask)
    assert len(path) // 2 < 60
    assert signed_area(path) == pytest.approx(mask.sum(), rel=0.01)
    assert (filled([path], (200, 200)) ^ mask).mean() < 0.004


def test_outer_outlines_run_clockwise_and_holes_the_other_way() -> None:
    ring = disc(100, 45) & ~disc(100, 20)
    outer, hole = outline_paths(ring)
    assert signed_area(outer) > 0 > signed_area(hole)
    assert signed_area(outer) + signed_area(hole) == pytest.approx(ring.sum(), rel=0.02)


def test_specks_are_left_out_but_never_the_largest_piece() -> None:
    mask = np.zeros((40, 40), bool)
    mask[10:20, 10:20] = True
    mask[30, 30] = True
    assert len(outline_paths(mask)) == 1
    assert len(outline_paths(mask, smallest_area_px=0)) == 2
    mask[10:20, 10:20] = False
    assert outline_paths(mask) == [[30.5, 30, 31, 30.5, 30.5, 31, 30, 30.5]]


def test_a_diagonal_line_stays_in_one_piece() -> None:
    assert len(outline_paths(np.eye(20, dtype=bool))) == 1


def test_an_empty_mask_has_no_outline() -> None:
    assert outline_paths(np.zeros((4, 5), bool)) == []


def test_outlines_stay_inside_the_picture() -> None:
    (path,) = outline_paths(np.ones((30, 50), bool))
    assert min(path) == 0
    assert max(path[::2]) == 50
    assert max(path[1::2]) == 30


def test_a_picture_of_ids_gives_an_outline_for_each_object_in_sight() -> None:
    ids = np.full((20, 20), -1, np.int16)
    ids[2:8, 2:8] = 0
    ids[10:15, 3:18] = 2
    outlines = outlines_of(ids, ("car", "unseen", "bus"), scene="s1")
    assert [o.object_id for o in outlines] == ["car", "bus"]
    assert all(isinstance(o, Outline) and o.scene == "s1" for o in outlines)
    assert np.array_equal(filled([list(p) for p in outlines[1].paths], (20, 20)), ids == 2)


def test_svg_paths_are_closed_and_short() -> None:
    assert svg_path([[0.5, 0, 4, 2.5, 1, 1]]) == "M0.5 0 4 2.5 1 1Z"
    assert svg_path([]) == ""
