"""Poses, cameras and boxes obey their laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.geometry.boxes import crossing, footprint
from fathom.geometry.cameras import look_at, pixel_rays, project, unproject
from fathom.geometry.poses import (
    from_world,
    heading_rad,
    quaternion,
    rotation_matrix,
    to_world,
    yaw_quaternion,
)
from fathom.records import Camera, Pose
from tests.geometry.separating import separation_m

angles = st.floats(-10, 10)
metres = st.floats(-5, 5)
points = st.lists(st.tuples(metres, metres, metres), min_size=1, max_size=8).map(np.array)


def paper_camera(eye: tuple[float, float, float] = (7.4811, -6.5076, 5.3437)) -> Camera:
    pose = look_at(eye, (0.0, 0.0, 0.0))
    return Camera(width=640, height=480, fx=700, fy=700, cx=320, cy=240, poses=(pose,))


@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: np.linalg.norm(q) > 1e-2))
def test_a_quaternion_survives_the_way_through_its_matrix(q: tuple[float, float, float, float]) -> None:
    m = rotation_matrix(q)
    assert np.allclose(m @ m.T, np.eye(3)) and np.linalg.det(m) == pytest.approx(1)
    assert np.allclose(rotation_matrix(quaternion(m)), m, atol=1e-7)


@given(angles, metres, metres, points)
def test_from_world_undoes_to_world(turn: float, x: float, y: float, p: np.ndarray) -> None:
    pose = Pose(position_m=(x, y, 0.3), rotation_wxyz=yaw_quaternion(turn))
    assert np.allclose(from_world(pose, to_world(pose, p)), p)


@given(angles)
def test_a_heading_is_the_angle_it_was_made_from(turn: float) -> None:
    pose = Pose(position_m=(0, 0, 0), rotation_wxyz=yaw_quaternion(turn))
    assert math.remainder(float(heading_rad(pose)) - turn, 2 * math.pi) == pytest.approx(0, abs=1e-7)


@given(points)
def test_unproject_undoes_project(p: np.ndarray) -> None:
    camera = paper_camera()
    pixels, depth = project(camera, p)
    front = depth > 0.1
    assert np.allclose(unproject(camera, pixels[front], depth[front]), p[front], atol=1e-9)


def test_the_ray_through_a_pixel_centre_projects_to_that_pixel_centre() -> None:
    camera = paper_camera()
    origin, directions = pixel_rays(camera)
    pixels, depth = project(camera, origin + 7.5 * directions[[3, 400], [5, 600]])
    assert np.allclose(pixels, [[5.5, 3.5], [600.5, 400.5]]) and np.allclose(depth, 7.5)


def test_the_paper_s_camera_has_the_axes_of_the_published_scene_file() -> None:
    # Ref: PulseCheck457 §3.2; the axes stand in the published base scene.
    right, down, forward = rotation_matrix(paper_camera().poses[0].rotation_wxyz).T
    assert np.allclose(right, (0.6563, 0.7545, 0), atol=2e-4)
    assert np.allclose(-down, (-0.3579, 0.3114, 0.8803), atol=2e-4)
    assert np.allclose(forward, (-0.6642, 0.5778, -0.4744), atol=2e-4)


def test_what_is_to_the_right_of_the_axis_appears_right_and_what_is_high_appears_above() -> None:
    camera = paper_camera()
    right = rotation_matrix(camera.poses[0].rotation_wxyz)[:, 0]
    pixels, _ = project(camera, np.array([[0, 0, 0], right, (0, 0, 1)]))
    assert np.allclose(pixels[0], (320, 240))
    assert pixels[1, 0] > 320 and pixels[2, 1] < 240


@given(metres, metres, angles, angles, st.floats(0.2, 3), st.floats(0.2, 3))
def test_boxes_are_apart_exactly_when_no_point_of_one_lies_in_the_other(
    x: float, y: float, a: float, b: float, length: float, width: float
) -> None:
    first, second = footprint(0, 0, a, length, width), footprint(x, y, b, 2.0, 1.0)
    gap = separation_m(first, second)
    assert gap == pytest.approx(separation_m(second, first))
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 41), np.linspace(-0.5, 0.5, 41)), -1).reshape(-1, 2)
    c, s = math.cos(b), math.sin(b)
    inside_second = grid @ np.array([[c, s], [-s, c]]) + (x, y)
    c, s = math.cos(a), math.sin(a)
    own = inside_second @ np.array([[c, -s], [s, c]])
    meets = bool(((np.abs(own[:, 0]) <= length / 2) & (np.abs(own[:, 1]) <= width / 2)).any())
    if gap > 1e-9:
        assert not meets
    if gap < -0.1:  # deep enough that the grid must find it
        assert meets


@given(metres, metres, angles, angles, st.floats(0.2, 3), st.floats(0.2, 3))
def test_crossing_says_what_the_separating_gap_says(
    x: float, y: float, a: float, b: float, length: float, width: float
) -> None:
    gap = separation_m(footprint(0, 0, a, length, width), footprint(x, y, b, 2.0, 1.0))
    found = crossing(
        np.zeros((1, 2)), a, (length, width), np.array([[x, y]]), np.array([b]), np.array([[2.0, 1.0]])
    )
    if abs(gap) > 1e-9:
        assert found.tolist() == [[gap < 0]]
