"""Silhouettes and covers against cases that can be worked out by hand, and against a slow second way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.cameras import look_at, pixel_rays
from fathom.geometry.visibility import Silhouette, object_visibility, silhouette
from fathom.records import Camera, Pose


def camera() -> Camera:
    """A camera at the origin that looks along world z, 64 × 48, one pixel per 0.01 m at 1 m."""
    pose = Pose(position_m=(0, 0, 0), rotation_wxyz=(1, 0, 0, 0))
    return Camera(width=64, height=48, fx=100, fy=100, cx=32, cy=24, poses=(pose,))


def sheet(x0: float, y0: float, x1: float, y1: float, z: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A rectangle that covers these pixels of `camera` at depth z."""
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=float)
    points = np.column_stack([(corners - (32, 24)) / 100 * z, np.full(4, z)])
    return points, np.array([[0, 1, 2], [0, 2, 3]]), np.zeros(2, int)


def test_a_sheet_covers_exactly_the_pixels_whose_centres_it_covers() -> None:
    s = silhouette(camera(), *sheet(10, 5, 30, 25, 2.0))
    assert (s.left, s.top, s.right, s.bottom) == (10, 5, 30, 25)
    assert np.allclose(s.depth_m, 2.0)


def test_what_lies_beyond_the_edge_counts_as_the_object_but_not_as_the_picture() -> None:
    (seen,) = object_visibility(
        camera(), {"a": silhouette(camera(), *sheet(-10, 5, 10, 25, 2.0))}, {"a": ["p"]}
    )
    assert (seen.full_px, seen.amodal_px, seen.visible_px) == (400, 200, 200)
    assert seen.box_px == (0, 5, 10, 25)


def test_three_sheets_in_a_row_cover_one_another_as_counted_by_hand() -> None:
    shapes = {
        "far": silhouette(camera(), *sheet(0, 0, 20, 20, 3.0)),
        "middle": silhouette(camera(), *sheet(10, 0, 30, 20, 2.0)),
        "near": silhouette(camera(), *sheet(15, 10, 35, 30, 1.0)),
    }
    far, middle, near = object_visibility(camera(), shapes, {k: ["p"] for k in shapes})
    assert far.visible_px == 400 - 200
    assert {c.object_id: (c.over_px, c.seen_px) for c in far.covers} == {
        "middle": (200, 150),
        "near": (50, 50),
    }
    assert {c.object_id: c.over_px for c in middle.covers} == {"near": 150}
    assert near.covers == () and near.visible_px == 400
    assert far.part_px == {"p": 200}


def test_a_gap_is_the_distance_between_the_nearest_pixels() -> None:
    shapes = {
        "a": silhouette(camera(), *sheet(0, 0, 10, 10, 1.0)),
        "b": silhouette(camera(), *sheet(20, 0, 30, 10, 1.0)),
        "c": silhouette(camera(), *sheet(10, 20, 20, 30, 2.0)),
    }
    a, b, _ = object_visibility(camera(), shapes, {k: ["p"] for k in shapes})
    assert a.gaps_px == {"b": 11.0, "c": pytest.approx(np.hypot(1, 11), abs=0.06)}
    assert b.gaps_px["a"] == a.gaps_px["b"]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_triangles_cover_what_rays_through_pixel_centres_meet(seed: int) -> None:
    g = np.random.default_rng(seed)
    eye = look_at((4.0, -3.0, 2.5), (0.0, 0.0, 0.0))
    view = Camera(width=64, height=48, fx=70, fy=70, cx=32, cy=24, poses=(eye,))
    points = g.uniform(-1, 1, (9, 3))
    faces = np.arange(9).reshape(3, 3)
    s = silhouette(view, points, faces, np.arange(3))
    expected = nearest_by_rays(view, points[faces])
    assert same_picture(view, s, expected) < 4  # pixels whose centre lies within rounding of an edge


def nearest_by_rays(view: Camera, triangles: np.ndarray) -> np.ndarray:
    """Depths by Möller and Trumbore's intersection, one pixel and one triangle at a time in effect."""
    origin, d = pixel_rays(view)
    best = np.full(d.shape[:2], np.inf)
    for a, b, c in triangles:
        e1, e2 = b - a, c - a
        p = np.cross(d, e2)
        det = p @ e1
        t = origin - a
        u = (p @ t) / det
        q = np.cross(t, e1)
        v = (d @ q) / det
        depth = (e2 @ q) / det
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth > 0)
        best = np.where(hit & (depth < best), depth, best)
    return best


def same_picture(view: Camera, s: Silhouette, expected: np.ndarray) -> int:
    """How many pixels of the picture differ in depth by more than rounding."""
    full = np.full((view.height * 3, view.width * 3), np.inf)
    y, x = s.top + view.height, s.left + view.width
    full[y : y + s.depth_m.shape[0], x : x + s.depth_m.shape[1]] = s.depth_m
    mine = full[view.height : 2 * view.height, view.width : 2 * view.width]
    both = np.isfinite(mine) & np.isfinite(expected)
    differ = np.isfinite(mine) != np.isfinite(expected)
    differ[both] |= np.abs(mine[both] - expected[both]) > 1e-6
    return int(differ.sum())
