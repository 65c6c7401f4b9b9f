"""Quantities at one time: sizes, distances, boxes, poses, and what the laws of geometry say of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.box_gaps import gap_m
from fathom.geometry.poses import rotation_matrix
from fathom.programs.operators import quantities as q
from fathom.programs.operators import relations as r
from fathom.programs.operators import speeds as m
from fathom.programs.values import Measured, Unanswerable
from fathom.programs.views.video import CAMERA, Array, VideoView, video_view
from fathom.records import InputError, Pose
from fathom.store.seeds import rng
from tests.tracks.worlds import (
    level_view,
    moved,
    obj,
    pose,
    random_video,
    tracks,
    upright,
    video,
)

SPAN = (10, 100)

WITHOUT_GRAVITY: dict[str, Callable[[VideoView], Measured]] = {
    "length": lambda t: q.side(t, 0, "length"),
    "distance": lambda t: q.distance(t, 0, 1, 50),
    "distance to the camera": lambda t: q.distance(t, 0, CAMERA, 50),
    "gap": lambda t: q.gap(t, 0, 2, 50),
    "gap to the camera": lambda t: q.gap(t, 0, CAMERA, 50),
    "least distance": lambda t: q.extreme_distance(t, 0, CAMERA, SPAN, False),
    "greatest distance": lambda t: q.extreme_distance(t, 0, 3, SPAN, True),
    "centre": lambda t: q.in_camera(t, 1, 50),
    "displacement": lambda t: m.displacement(t, 0, SPAN),
    "path length": lambda t: m.path_length(t, CAMERA, SPAN),
    "average speed": lambda t: m.average_speed(t, 1, SPAN),
    "velocity": lambda t: m.velocity(t, 1, SPAN),
    "speed": lambda t: m.speed(t, 0, 60),
    "acceleration": lambda t: m.acceleration(t, 0, 60),
    "mean acceleration": lambda t: m.mean_acceleration(t, CAMERA, SPAN),
}

WITH_GRAVITY: dict[str, Callable[[VideoView], Measured]] = {
    "box": lambda t: q.box(t, 0, 50),
    "box in the first frame": lambda t: q.box(t, 0, 50, 0),
    "azimuth change": lambda t: m.azimuth_change(t, SPAN),
    "camera pose": lambda t: q.camera_pose(t, 90),
    "camera pose as a quaternion": lambda t: q.camera_pose(t, 90, "quaternion"),
    "side": lambda t: r.pair_word(t, 0, 1, 50, "side"),
    "depth": lambda t: r.pair_word(t, 0, 1, 50, "depth"),
    "height": lambda t: r.pair_word(t, 0, 1, 50, "height"),
}


def box_to_world(numbers: tuple[float, ...], eye_m: Array, view: Array) -> tuple[Array, Array, Array]:
    """Return centre (3,), axes (3, 3) as columns and size (3,) in the world of a box in a camera's frame.

    `eye_m` (3,) and `view` (3, 3) are the camera's place and axes. The box stands upright.
    """
    centre = np.asarray(view) @ np.array(numbers[:3]) + eye_m
    heading = math.radians(numbers[6]) + math.atan2(view[1, 2], view[0, 2])
    c, s = math.cos(heading), math.sin(heading)
    return centre, np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]), np.array(numbers[3:6])


def rotation_of_angles(yaw_deg: float, pitch_deg: float, roll_deg: float) -> Array:
    """Return the rotation of camera axes (3, 3) that turns left, then up, then clockwise by these angles."""
    a, b, c = -math.radians(yaw_deg), math.radians(pitch_deg), math.radians(roll_deg)
    about_y = np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])
    about_x = np.array([[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]])
    about_z = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    return np.asarray(about_y @ about_x @ about_z)


def outcome(measure: Callable[[VideoView], Measured], t: VideoView) -> Measured | str:
    try:
        return measure(t)
    except Unanswerable as stop:
        return str(stop)


def same(a: Measured | str, b: Measured | str) -> None:
    if isinstance(a, str) or isinstance(b, str):
        assert a == b
        return
    if isinstance(a.value, str):
        assert a.value == b.value
        assert a.truth.ratio == pytest.approx(b.truth.ratio, abs=1e-6)
    else:
        assert a.numbers == pytest.approx(b.numbers, abs=1e-7)
        assert a.tolerance == pytest.approx(b.tolerance, abs=1e-7)
    assert a.unit == b.unit


@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_no_quantity_knows_where_the_world_begins(seed: int) -> None:
    scene, g = random_video(seed), rng(seed, "motion")
    here = video_view(scene)
    turn = rotation_matrix(tuple(g.normal(size=4)))
    there = video_view(moved(scene, turn, g.normal(size=3) * 10))
    for measure in WITHOUT_GRAVITY.values():
        same(outcome(measure, here), outcome(measure, there))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_no_quantity_knows_where_north_is(seed: int) -> None:
    scene, g = random_video(seed), rng(seed, "motion")
    here = video_view(scene)
    there = video_view(moved(scene, upright(g.uniform(0, 7)), g.normal(size=3) * 10))
    for measure in (*WITHOUT_GRAVITY.values(), *WITH_GRAVITY.values()):
        same(outcome(measure, here), outcome(measure, there))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_a_box_in_the_cameras_frame_goes_back_to_where_it_was(seed: int) -> None:
    t = video_view(random_video(seed))
    for body, into in itertools.product(range(4), (0, 50)):
        found = q.box(t, body, 50, into)
        centre, axes, size = box_to_world(found.numbers, t.eyes_m[into], t.views[into])
        assert centre == pytest.approx(t.centres_m[body, 50], abs=1e-9)
        assert axes == pytest.approx(t.rotations[body, 50], abs=1e-9)
        assert size == pytest.approx(t.sizes_m[body])


def test_a_yaw_of_nought_faces_where_the_camera_looks_and_90_its_left() -> None:
    # Camera axes: x right, y down, z forward; the camera looks along world y.
    camera = [pose((0, 0, 1.5), level_view(math.pi / 2))]
    away = obj("away", [pose((1, 5, 0), upright(math.pi / 2))])
    left = obj("left", [pose((0, 5, 0), upright(math.pi))])
    t = tracks(away, left, camera=camera)
    assert q.box(t, 0, 0).numbers == pytest.approx((1, 1.35, 5, 0.2, 0.1, 0.3, 0))
    assert q.box(t, 1, 0).numbers[6] == pytest.approx(90)


def test_a_box_that_leans_has_no_yaw() -> None:
    leaning = rotation_matrix((math.cos(0.3), math.sin(0.3), 0.0, 0.0))
    with pytest.raises(Unanswerable, match="leans by 34°"):
        q.box(tracks(obj("a", [pose((0, 0, 0), leaning)])), 0, 0)


@given(angles=st.tuples(st.floats(-179, 179), st.floats(-79, 79), st.floats(-179, 179)))
def test_yaw_pitch_and_roll_make_the_rotation_again(angles: tuple[float, float, float]) -> None:
    assert q.yaw_pitch_roll_deg(rotation_of_angles(*angles)) == pytest.approx(angles, abs=1e-6)


def test_yaw_is_to_the_left_pitch_up_and_roll_clockwise() -> None:
    first = level_view(0.0)
    for angles, axis, way in (
        ((30, 0, 0), first[:, 2], (math.cos(0.5236), 0.5, 0)),  # looks to the left: world y
        ((0, 30, 0), first[:, 2], (math.cos(0.5236), 0, 0.5)),  # looks up
        ((0, 0, 30), first[:, 0], (0, -math.cos(0.5236), -0.5)),  # its right side is down
    ):
        turned = first @ rotation_of_angles(*angles)
        column = 2 if axis is first[:, 2] or (axis == first[:, 2]).all() else 0
        assert turned[:, column] == pytest.approx(way, abs=1e-4)


def test_a_camera_pose_is_told_in_the_level_frame_of_the_first() -> None:
    start, end = level_view(0.4), level_view(0.4 + math.radians(25))
    tilted = start @ rotation_of_angles(0, -20, 3)
    # 2 m ahead, 1 m to the left, half a metre up.
    place = np.array([1, 2, 1.5]) + 2 * start[:, 2] - start[:, 0] + (0, 0, 0.5)
    camera = [pose((1, 2, 1.5), tilted)] * 299 + [pose(place, end)]
    t = tracks(camera=camera)
    assert q.camera_pose(t, 0).numbers == pytest.approx((0, 0, 0, 0, -20, 3), abs=1e-6)
    assert q.camera_pose(t, 299).numbers == pytest.approx((-1, -0.5, 2, 25, 0, 0), abs=1e-6)
    w = math.cos(math.radians(12.5))
    assert q.camera_pose(t, 299, "quaternion").numbers[3] == pytest.approx(w)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_poses_are_upright_and_their_yaws_add_up(seed: int) -> None:
    t = video_view(random_video(seed))
    if isinstance(outcome(lambda t: Measured(tuple(q.camera_poses(t).ravel())), t), str):
        return
    poses = q.camera_poses(t)
    for frame in (0, 40, 110):
        numbers = q.camera_pose(t, frame).numbers
        assert numbers[1] == pytest.approx(t.eyes_m[0, 2] - t.eyes_m[frame, 2])
        assert math.sin(math.radians(numbers[4])) == pytest.approx(t.views[frame, 2, 2])
        assert numbers[:3] == pytest.approx(poses[frame, :3])
        assert np.remainder(np.subtract(numbers[3:], poses[frame, 3:]) + 180, 360) == pytest.approx(180)
        turned = m.azimuth_change(t, (0, frame)).numbers[0] if frame else 0.0
        assert poses[frame, 3] == pytest.approx(turned, abs=1e-6)


def test_a_camera_that_looks_straight_down_has_no_pose() -> None:
    down = np.array([[1.0, 0, 0], [0, -1.0, 0], [0, 0, -1.0]])
    t = tracks(camera=[pose((0, 0, 2), level_view(0.1))] * 200 + [pose((0, 0, 2), down)] * 100)
    assert q.camera_pose(t, 199).numbers[4] == pytest.approx(0, abs=1e-9)
    for measure in (lambda: q.camera_pose(t, 200), lambda: q.camera_poses(t)):
        with pytest.raises(Unanswerable, match="straight up or down"):
            measure()
    with pytest.raises(Unanswerable, match="looks straight down"):
        q.camera_pose(tracks(camera=[pose((0, 0, 2), down)] * 300), 10)


def test_distances_are_those_of_centres_of_nearest_points_and_to_the_camera() -> None:
    t = tracks(obj("a", (0, 0, 0)), obj("b", (0, 0.5, 0.4), size=(0.2, 0.1, 0.1)))
    assert q.distance(t, 0, 1, 0).numbers == pytest.approx((math.hypot(0.5, 0.3),))
    # From the corner at y 0.05, z 0.3 to that at y 0.45, z 0.4.
    assert q.gap(t, 0, 1, 0).numbers == pytest.approx((math.hypot(0.4, 0.1),))
    assert q.distance(t, 0, CAMERA, 0).numbers == pytest.approx((math.hypot(4, 1.35),))
    assert q.gap(t, 0, CAMERA, 0).numbers == pytest.approx((math.hypot(3.9, 1.2),))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_gap_of_two_boxes_is_the_least_distance_of_their_points(seed: int) -> None:
    from scipy.optimize import lsq_linear

    g = rng(seed, "gap")
    boxes = []
    for spread in (0.0, 1.5):
        turn = rotation_matrix(tuple(g.normal(size=4)))
        boxes.append((g.normal(size=(1, 3)) * spread, turn[None], g.uniform(0.1, 2.0, 3)))
    a, b = boxes
    # Two points, one in either box, as near to one another as can be: six bounded numbers.
    matrix = np.hstack([a[1][0], -b[1][0]])
    half = np.concatenate([a[2], b[2]]) / 2
    best = lsq_linear(matrix, b[0][0] - a[0][0], bounds=(-half, half), method="bvls")
    gap = float(gap_m(a, b)[0])
    assert gap == pytest.approx(math.sqrt(2 * best.cost), abs=1e-6)
    assert gap == pytest.approx(float(gap_m(b, a)[0]), abs=1e-9)


def test_the_tolerance_is_a_share_or_a_pixel_and_grows_with_the_annotations_own() -> None:
    exact = tracks(obj("a", (0, 0, 0), size=(2, 1, 1)), obj("far", (496, 0, 1), size=(1, 1, 1)))
    assert q.side(exact, 0, "length").tolerance == (0.02,)
    assert q.side(exact, 1, "length").tolerance[0] == pytest.approx(1.0, rel=1e-3)  # one pixel at 500 m
    unsure = tracks(obj("a", [pose((0, 0, 0), position_sigma_m=0.05)], size=(2, 1, 1)))
    assert q.side(unsure, 0, "length").tolerance[0] == pytest.approx(0.02 + 2 * math.sqrt(2) * 0.05)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=5, deadline=None)
def test_noise_of_the_stated_size_stays_within_three_tolerances(seed: int) -> None:
    exact, g = random_video(seed, 90), rng(seed, "noise")
    noisy = video_view(exact)
    sigma = 0.01
    for course in (noisy.positions_m, noisy.eyes_m):
        course += g.normal(size=course.shape) * sigma
    noisy.sigmas_m[:], noisy.eye_sigmas_m[:] = sigma, sigma
    noisy.__dict__.pop("centres_m", None)
    true = video_view(exact)
    measures: tuple[Callable[[VideoView], Measured], ...] = (
        lambda t: q.distance(t, 0, 1, 40),
        lambda t: m.displacement(t, 0, (5, 80)),
        lambda t: m.path_length(t, 0, (5, 80)),
        lambda t: m.speed(t, 0, 45),
        lambda t: m.acceleration(t, 1, 45),
        lambda t: m.average_speed(t, CAMERA, (5, 80)),
    )
    for measure in measures:
        a, b = measure(noisy), measure(true)
        assert abs(a.numbers[0] - b.numbers[0]) <= 3 * a.tolerance[0]


def test_one_pose_stands_still_and_what_is_unknown_is_not_asked() -> None:
    poses = [pose((0, 0, 0), valid=k != 7) for k in range(300)]
    t = tracks(obj("a", poses), obj("b", (1, 0, 0)))
    assert t.positions_m.shape == (2, 300, 3)
    assert q.distance(t, 0, 1, 6).numbers == pytest.approx((1.0,))
    with pytest.raises(Unanswerable, match=r"not known where a is at 0\.233333 s"):
        q.distance(t, 0, 1, 7)
    with pytest.raises(Unanswerable, match="not known where a is"):
        m.path_length(t, 0, (0, 7))


def test_what_is_unknown_for_a_moment_is_bridged_and_for_longer_is_not() -> None:
    def track(unknown: range) -> list[Pose]:
        return [pose((0.02 * k, 5.0 * (k in unknown), 0), valid=k not in unknown) for k in range(300)]

    t = tracks(obj("short", track(range(60, 65))), obj("long", track(range(60, 80))))
    assert m.path_length(t, 0, (30, 120)).numbers == pytest.approx((1.8,))
    assert q.extreme_distance(t, 0, CAMERA, (30, 120), True).numbers[0] < 7
    with pytest.raises(Unanswerable, match="not known where long is at 2 s"):
        m.path_length(t, 1, (30, 120))


def test_without_a_front_the_length_is_the_longer_side_and_there_is_no_yaw() -> None:
    a = obj("a", (0, 0, 0), size=(0.5, 1.2, 0.7))
    b = msgspec.structs.replace(a, id="b", attributes={**a.attributes, "front": "unknown"})
    t = tracks(a, b)
    assert [q.side(t, k, "length").value for k in (0, 1)] == [0.5, 1.2]
    assert [q.side(t, k, "width").value for k in (0, 1)] == [1.2, 0.5]
    with pytest.raises(Unanswerable, match="has no yaw"):
        q.box(t, 1, 0)


def test_times_are_looked_up_at_the_nearest_frame_and_refused_outside() -> None:
    t = tracks(obj("a", (0, 0, 0)))
    assert t.at(1.0) == 30
    assert t.at(1.012) == 30
    assert t.at(10.0) == 299  # the last frame lasts until then
    with pytest.raises(InputError, match=r"12 s lies outside the video, which shows 0 s to 9\.96667 s"):
        t.at(12)
    with pytest.raises(InputError, match="must begin before it ends"):
        t.span(3, 3)


def test_scenes_that_are_no_videos_are_refused() -> None:
    with pytest.raises(
        InputError, match=r"thing a needs one pose, or one for each of the 300 frames, and has 2"
    ):
        tracks(obj("a", [pose((0, 0, 0)), pose((0, 0, 0))]))
    with pytest.raises(InputError, match="times of its frames must increase"):
        tracks(times=(0.0, 0.1, 0.1))
    with pytest.raises(InputError, match="rules for tracks exist for desktop, indoor, outdoor"):
        video_view(video(setting="underwater"))
