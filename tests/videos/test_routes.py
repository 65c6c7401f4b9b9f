"""How objects and cameras move: smoothly, from rest to rest, where they are meant to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.poses import heading_rad, rotation_matrix, yaw_quaternion
from fathom.records import Pose
from fathom.scenes.videos import routes

TIMES = routes.frame_times(4, 30)


def pose(x: float, y: float, z: float, heading: float) -> Pose:
    return Pose(position_m=(x, y, z), rotation_wxyz=yaw_quaternion(heading))


def places(poses: tuple[Pose, ...]) -> np.ndarray:
    return np.array([p.position_m for p in poses])


def test_frames_begin_at_zero_and_are_evenly_spaced() -> None:
    assert len(TIMES) == 120
    assert TIMES[0] == 0 and TIMES[-1] == pytest.approx(119 / 30)


def test_minimum_jerk_goes_from_rest_to_rest_with_its_named_peaks() -> None:
    s = np.linspace(0, 1, 20_001)
    way = routes.minimum_jerk(s)
    speed = np.gradient(way, s)
    assert way[0] == 0 and way[-1] == 1 and (np.diff(way) >= 0).all()
    assert speed.max() == pytest.approx(routes.PEAK_SPEED, rel=1e-4)
    assert np.abs(np.gradient(speed, s)).max() == pytest.approx(routes.PEAK_ACCELERATION, rel=1e-3)
    assert routes.minimum_jerk(-1.0) == 0 and routes.minimum_jerk(2.0) == 1


@given(st.floats(0.05, 2), st.floats(0.1, 2), st.floats(0.2, 5), st.floats(0, 2 * math.pi))
@settings(max_examples=30, deadline=None)
def test_a_move_that_lasts_its_least_time_keeps_to_its_limits(
    way: float, top: float, gain: float, toward: float
) -> None:
    seconds = routes.least_duration_s(way, top, gain)
    times = np.linspace(0, seconds, 400)
    end = pose(way * math.cos(toward), way * math.sin(toward), 0, 1)
    track = routes.moved(pose(0, 0, 0, 0), end, times, 0, seconds)
    speed = np.linalg.norm(np.diff(places(track), axis=0), axis=1) / np.diff(times)
    # Poses are written to the micrometre.
    slack = 2e-6 / float(times[1])
    assert speed.max() <= top * 1.001 + slack
    assert np.linalg.norm(places(track)[-1] - places(track)[0]) == pytest.approx(way, abs=3e-6)


def test_a_move_turns_by_the_shorter_way() -> None:
    track = routes.moved(pose(0, 0, 0, math.radians(170)), pose(0, 0, 0, math.radians(-170)), TIMES, 1, 2)
    middle = heading_rad(track[45])
    assert math.degrees(middle) == pytest.approx(180, abs=1)


def test_an_arc_keeps_its_radius_and_ends_turned() -> None:
    track = routes.arced(pose(1, 2, 0, 0.3), 0.5, 0.2, -1.2, TIMES, 1, 3)
    centre = np.array([1, 2]) + 0.2 * np.array([math.sin(0.5), -math.cos(0.5)])
    assert np.allclose(np.linalg.norm(places(track)[:, :2] - centre, axis=1), 0.2, atol=3e-6)
    assert heading_rad(track[-1]) == pytest.approx((0.3 - 1.2) % (2 * math.pi), abs=1e-6)
    first = places(track)[40, :2] - (1, 2)
    assert math.atan2(first[1], first[0]) == pytest.approx(0.5, abs=0.15)


def test_what_is_lifted_goes_up_first_and_straight_down_in_the_end() -> None:
    track = places(routes.lifted(pose(0, 0, 0.7, 0), pose(0.3, 0, 0.8, 1), 0.1, TIMES, 1, 3))
    assert track[:, 2].max() == pytest.approx(0.9, abs=1e-4)
    assert tuple(track[-1]) == (0.3, 0.0, 0.8)
    high = track[:, 2] > 0.72
    assert (track[~high & (TIMES < 2), 0] < 1e-6).all()


def test_sway_has_the_amount_asked_for_and_stays_in_its_band() -> None:
    times = routes.frame_times(200, 30)
    noise = routes.sway(0.005, 3, times, (0.2, 2.0), "seed", "here")
    assert noise.std(axis=0) == pytest.approx([0.005] * 3, rel=0.05)
    power = np.abs(np.fft.rfft(noise[:, 0])) ** 2
    f = np.fft.rfftfreq(len(times), 1 / 30)
    assert power[(f > 0.15) & (f < 2.05)].sum() > 0.97 * power.sum()
    assert np.array_equal(noise, routes.sway(0.005, 3, times, (0.2, 2.0), "seed", "here"))
    assert not np.array_equal(noise, routes.sway(0.005, 3, times, (0.2, 2.0), "seed", "there"))


def test_a_way_through_stations_meets_them_and_begins_and_ends_at_rest() -> None:
    stations = np.array([(0, 0, 1), (1, 0.5, 1.2), (2, -0.5, 1), (2, 1, 1.5)], dtype=float)
    times = np.linspace(0, 6, 601)
    way = routes.strolled(stations, times, np.array([0.0, 2, 4, 6]))
    assert np.allclose(way[[0, 200, 400, 600]], stations, atol=1e-9)
    assert np.linalg.norm(way[1] - way[0]) < 1e-4 and np.linalg.norm(way[-1] - way[-2]) < 1e-4


def test_a_camera_looks_at_its_target_with_the_world_upright() -> None:
    eyes = routes.orbited((0, 0, 0.8), 0.9, 0.5, np.linspace(0, 2, len(TIMES)))
    target = np.broadcast_to((0, 0, 0.8), eyes.shape)
    for p in routes.looking(eyes, np.asarray(target), TIMES)[::17]:
        view = rotation_matrix(p.rotation_wxyz)
        toward = np.array([0, 0, 0.8]) - p.position_m
        assert np.allclose(view[:, 2], toward / np.linalg.norm(toward), atol=1e-5)
        assert abs(view[2, 0]) < 1e-6 and view[2, 1] < 0


def test_a_shake_turns_a_camera_by_as_much() -> None:
    eyes = routes.orbited((0, 0, 0.8), 0.9, 0.5, np.zeros(len(TIMES)))
    target = np.broadcast_to((0, 0, 0.8), eyes.shape).copy()
    calm = routes.looking(eyes, target, TIMES)[0]
    shake = np.zeros((len(TIMES), 3))
    shake[:, 1] = 0.02
    shaken = routes.looking(eyes, target, TIMES, shake)[0]
    turn = rotation_matrix(calm.rotation_wxyz).T @ rotation_matrix(shaken.rotation_wxyz)
    assert math.acos((np.trace(turn) - 1) / 2) == pytest.approx(0.02, abs=1e-6)
