"""The pixels of triangles, found row by row, against a test of every pixel of the canvas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.triangles import Triangles, covered, in_reach

WIDTH, HEIGHT = 40, 30


def triangles(pixels: np.ndarray, width: int = WIDTH, height: int = HEIGHT) -> Triangles:
    """Triangles of (m, 3, 2) corners in pixels, on a canvas."""
    flat = np.asarray(pixels, np.float64).reshape(-1, 2)
    depth = np.array([1.0 + k % 7 for k in range(len(flat))])
    faces = np.arange(len(flat)).reshape(-1, 3)
    return in_reach(flat, depth, faces, np.array([0, 0]), np.array([width - 1, height - 1]))


def every_pixel(seen: Triangles, width: int, height: int) -> set[tuple[int, int, float]]:
    """(pixel, triangle, 1 / depth), by testing every pixel of the canvas against each triangle's bounds."""
    found = set()
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    for k in range(len(seen.of_face)):
        (ax, ay), (bx, by), (cx, cy) = seen.corners[:, :, k]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if abs(area) <= 1e-12:
            continue
        dx, dy = x + 0.5 - ax, y + 0.5 - ay
        u = dx * ((cy - ay) / area) + dy * ((ax - cx) / area)
        v = dx * ((ay - by) / area) + dy * ((bx - ax) / area)
        inside = (u >= 0) & (v >= 0) & (u + v <= 1)
        inside &= (x >= seen.low[0, k]) & (x <= seen.high[0, k])
        inside &= (y >= seen.low[1, k]) & (y <= seen.high[1, k])
        i = seen.inverse[:, k]
        value = i[0] + u * (i[1] - i[0]) + v * (i[2] - i[0])
        found |= {
            (int(y[p] * width + x[p]), k, float(value[p])) for p in zip(*np.nonzero(inside), strict=True)
        }
    return found


def as_set(seen: Triangles, width: int) -> set[tuple[int, int, float]]:
    pixels, values, owners = covered(seen, 0, 0, width)
    assert len(pixels) == len(values) == len(owners)
    return set(zip(pixels.tolist(), owners.tolist(), values.tolist(), strict=True))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 100_000), st.sampled_from(["wide", "small", "slivers", "on the grid"]))
def test_rows_find_the_same_pixels_and_depths_as_a_test_of_every_pixel(seed: int, kind: str) -> None:
    g = np.random.default_rng(seed)
    corners = g.uniform((-8, -8), (WIDTH + 8, HEIGHT + 8), (12, 3, 2))
    if kind == "small":
        corners = corners[:, :1] + g.uniform(-1.5, 1.5, (12, 3, 2))
    if kind == "slivers":
        corners[:, 2] = corners[:, 0] + g.random((12, 1)) * (corners[:, 1] - corners[:, 0])
        corners[:, 2] += 10.0 ** g.uniform(-14, 0, (12, 2))
    if kind == "on the grid":
        corners = np.round(corners * 2) / 2
    seen = triangles(corners)
    assert as_set(seen, WIDTH) == every_pixel(seen, WIDTH, HEIGHT)


def test_large_triangles_are_looked_at_in_portions_and_lose_nothing() -> None:
    corners = np.array([[[0, 0], [700, 0], [0, 500]], [[700, 500], [700, 0], [0, 500]]], float)
    pixels, _, _ = covered(triangles(corners, 700, 500), 0, 0, 700)
    assert len(np.unique(pixels)) == 700 * 500


def test_triangles_with_a_corner_behind_the_camera_are_left_out() -> None:
    pixels = np.array([[1, 1], [9, 1], [np.nan, np.nan], [1, 1], [9, 1], [1, 9]], float)
    depth = np.array([1, 1, -1, 1, 1, 1], float)
    faces = np.arange(6).reshape(2, 3)
    seen = in_reach(pixels, depth, faces, np.array([0, 0]), np.array([9, 9]))
    assert seen.of_face.tolist() == [1]


@pytest.mark.parametrize("corners", [[[1.1, 1.1], [1.4, 1.1], [1.1, 1.4]], [[3, 3], [3, 3], [3, 3]]])
def test_what_covers_no_centre_gives_nothing(corners: list[list[float]]) -> None:
    pixels, values, owners = covered(triangles(np.array([corners], float)), 0, 0, WIDTH)
    assert len(pixels) == len(values) == len(owners) == 0
