"""Cameras around a place: where they stand, and that nothing is cut off."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.cameras import project
from fathom.geometry.views import MARGIN, fitted_orbit, orbit
from fathom.records import InputError

clouds = st.lists(
    st.tuples(*(st.floats(-3, 3).map(lambda v: round(v, 3)) for _ in range(3))), min_size=2, max_size=12
)


def test_the_first_view_stands_towards_x_and_the_rest_follow_counter_clockwise() -> None:
    cameras = orbit((1.0, 2.0, 0.5), 4.0, 0.0, 4, (64, 64), 0.5)
    eyes = np.array([c.poses[0].position_m for c in cameras]) - (1.0, 2.0, 0.5)
    assert np.allclose(eyes, [(4, 0, 0), (0, 4, 0), (-4, 0, 0), (0, -4, 0)], atol=1e-6)


def test_every_camera_sees_the_centre_in_the_middle_of_the_picture_and_up_is_up() -> None:
    for camera in orbit((0.3, -0.2, 0.8), 5.0, math.radians(25), 7, (80, 60), 0.6):
        pixels, _ = project(camera, np.array([(0.3, -0.2, 0.8), (0.3, -0.2, 1.0)]))
        assert np.allclose(pixels[0], (40, 30), atol=1e-3)
        assert pixels[1, 1] < pixels[0, 1]


@settings(max_examples=60, deadline=None)
@given(clouds, st.integers(1, 9), st.floats(-0.2, 0.9), st.sampled_from([(64, 64), (96, 64), (64, 96)]))
def test_all_points_are_inside_the_margin_of_every_view(
    points: list[tuple[float, float, float]], views: int, elevation: float, size: tuple[int, int]
) -> None:
    cross = np.concatenate([np.eye(3), -np.eye(3)]) / 2
    cloud = np.concatenate([np.array(points), cross])
    cameras = fitted_orbit(cloud, elevation, views, size, 0.5)
    shown = np.stack([project(c, cloud)[0] for c in cameras]) / size
    assert np.minimum(shown, 1 - shown).min() > MARGIN - 2e-3


def test_the_cameras_stand_as_near_as_they_can() -> None:
    box = np.array([(x, y, z) for x in (-1, 1) for y in (-0.6, 0.6) for z in (0, 0.8)])
    cameras = fitted_orbit(box, 0.26, 8, (64, 64), 0.5)
    shown = np.stack([project(c, box)[0] for c in cameras]) / 64
    assert np.minimum(shown, 1 - shown).min() == pytest.approx(MARGIN, abs=2e-3)


def test_a_line_towards_the_camera_does_not_reach_it() -> None:
    line = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    (camera,) = fitted_orbit(line, 0.0, 1, (64, 64), 0.5)
    assert project(camera, line)[1].min() > 0.1


@pytest.mark.parametrize("points", [np.zeros((0, 3)), np.array([(0.0, 0.0, math.nan)])])
def test_cameras_around_nothing_are_refused(points: np.ndarray) -> None:
    with pytest.raises(InputError, match="leave the asset out"):
        fitted_orbit(points, 0.2, 4, (64, 64), 0.5)


def test_a_film_without_views_is_refused() -> None:
    with pytest.raises(InputError, match="at least one view"):
        orbit((0, 0, 0), 1.0, 0.0, 0, (64, 64), 0.5)
