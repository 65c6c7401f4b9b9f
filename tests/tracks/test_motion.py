"""Quantities that need time, and the laws of motion."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.cameras import look_at
from fathom.programs.operators import speeds as m
from fathom.programs.values import Measured, Unanswerable
from fathom.programs.views.video import CAMERA, Span, video_view
from fathom.records import Pose
from fathom.store.seeds import rng
from tests.tracks.worlds import FPS, Array, backwards, level_view, obj, pose, random_video, tracks

TIMES = np.arange(300) / FPS


def line(pace_mps: float, gain_mps2: float = 0.0) -> list[Pose]:
    return [pose((pace_mps * t + gain_mps2 * t * t / 2, 1.0, 0.0)) for t in TIMES]


def circle(radius: float, rate_rad: float) -> list[Pose]:
    return [pose((radius * math.cos(rate_rad * t), radius * math.sin(rate_rad * t), 0)) for t in TIMES]


@given(seed=st.integers(0, 10**6), span=st.tuples(st.integers(0, 50), st.integers(60, 119)))
@settings(max_examples=10, deadline=None)
def test_nothing_goes_less_far_than_it_gets(seed: int, span: tuple[int, int]) -> None:
    t = video_view(random_video(seed))
    for body in (CAMERA, 0, 1, 2):
        assert m.displacement(t, body, span).numbers[0] <= m.path_length(t, body, span).numbers[0] + 1e-9
        assert m.velocity(t, body, span).numbers[0] <= m.average_speed(t, body, span).numbers[0] + 1e-9


@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_a_video_played_backwards_has_the_same_ways_and_the_opposite_turns(seed: int) -> None:
    t = video_view(random_video(seed))
    span, other = (10, 100), (19, 109)
    b = backwards(t)
    assert m.azimuth_change(b, other).numbers == pytest.approx((-m.azimuth_change(t, span).numbers[0],))
    for body in (CAMERA, 0):
        assert m.path_length(b, body, other).numbers == pytest.approx(m.path_length(t, body, span).numbers)
        slowing, gaining = m.acceleration(b, body, 119 - 50), m.acceleration(t, body, 50)
        assert slowing.numbers == pytest.approx((-gaining.numbers[0],), abs=1e-9)


@given(seed=st.integers(0, 10**6), cut=st.integers(30, 90))
@settings(max_examples=10, deadline=None)
def test_ways_and_turns_add_up(seed: int, cut: int) -> None:
    t = video_view(random_video(seed))
    measures: tuple[Callable[[Span], Measured], ...] = (
        lambda s: m.path_length(t, 0, s),
        lambda s: m.azimuth_change(t, s),
    )
    for measure in measures:
        parts = measure((0, cut)).numbers[0] + measure((cut, 119)).numbers[0]
        assert parts == pytest.approx(measure((0, 119)).numbers[0])


def test_at_a_constant_velocity_all_speeds_are_the_same_and_nothing_accelerates() -> None:
    t = tracks(obj("a", line(1.7)))
    for found in (m.average_speed(t, 0, (30, 240)), m.velocity(t, 0, (30, 240)), m.speed(t, 0, 100)):
        assert found.numbers == pytest.approx((1.7,))
        assert found.unit == "m/s"
    assert m.acceleration(t, 0, 150).numbers == pytest.approx((0.0,), abs=1e-9)
    assert m.mean_acceleration(t, 0, (30, 240)).numbers == pytest.approx((0.0,), abs=1e-9)
    # At one speed, what happens between the frames that are shown adds nothing.
    assert m.path_length(t, 0, (0, 299)).tolerance[0] == pytest.approx(0.01 * 1.7 * 299 / FPS, rel=1e-6)


def test_a_constant_gain_of_speed_is_the_acceleration() -> None:
    t = tracks(obj("a", line(0.5, 0.8)))
    assert m.acceleration(t, 0, 150).numbers == pytest.approx((0.8,))
    assert m.mean_acceleration(t, 0, (30, 240)).numbers == pytest.approx((0.8,))
    assert m.speed(t, 0, 150).numbers == pytest.approx((0.5 + 0.8 * 5,))


def test_in_a_turn_at_a_constant_speed_nothing_accelerates_along_the_way() -> None:
    t = tracks(obj("a", circle(2.0, 0.5)))
    assert m.acceleration(t, 0, 150).numbers == pytest.approx((0.0,), abs=1e-9)
    assert m.speed(t, 0, 150).numbers == pytest.approx((1.0,), rel=1e-3)
    whole = m.path_length(t, 0, (0, 299))
    assert whole.numbers == pytest.approx((299 / FPS,), rel=1e-3)
    assert m.displacement(t, 0, (0, 299)).numbers == pytest.approx((4 * math.sin(299 / FPS / 4),))


def test_what_happens_between_the_frames_that_are_shown_makes_an_answer_unsure() -> None:
    sway = [pose((0.5 * t, 0.05 * math.sin(2 * math.pi * 3 * t), 1.5), level_view(0)) for t in TIMES]
    t = tracks(camera=sway)
    way = m.path_length(t, CAMERA, (0, 299))
    assert way.numbers[0] > 1.2 * 0.5 * 299 / FPS
    assert way.tolerance[0] > 0.1 * way.numbers[0]
    calm = replace(t, rules=replace(t.rules, seen_step_s=0.0))
    assert m.path_length(calm, CAMERA, (0, 299)).tolerance[0] == pytest.approx(0.01 * way.numbers[0])


def test_a_object_that_stands_still_goes_nowhere_however_noisy_its_annotation() -> None:
    def noisy(pace: float) -> Array:
        jitter = rng(1, "noise").normal(size=(300, 3)) * 0.02
        return np.column_stack([pace * TIMES, 0 * TIMES, 0 * TIMES]) + jitter

    parked, driven = (
        obj(n, [pose(p, position_sigma_m=0.02) for p in noisy(v)]) for n, v in (("p", 0.0), ("d", 4.0))
    )
    t = tracks(parked, driven, setting="outdoor")
    assert m.path_length(t, 0, (0, 299)).numbers == (0.0,)
    way = m.path_length(t, 1, (0, 299))
    assert way.numbers == pytest.approx((4 * 299 / FPS,), abs=way.tolerance[0])


def test_windows_that_reach_beyond_the_video_are_refused() -> None:
    t = tracks(obj("a", line(1.0)))
    with pytest.raises(Unanswerable, match="reach beyond the video"):
        m.speed(t, 0, 1)
    with pytest.raises(Unanswerable, match="reach beyond the video"):
        m.acceleration(t, 0, 290)
    assert m.speed(t, 0, 15, 0.5).numbers == pytest.approx((1.0,))


def test_turns_to_the_left_count_up_and_go_on_past_a_full_circle() -> None:
    spin = [pose((0, 0, 1.5), level_view(math.radians(k * 2.0))) for k in range(300)]
    t = tracks(camera=spin)
    assert m.azimuth_change(t, (0, 299)).numbers == pytest.approx((598.0,))
    assert m.azimuth_change(t, (100, 190)).numbers == pytest.approx((180.0,))
    assert m.azimuth_change(backwards(t), (0, 299)).numbers == pytest.approx((-598.0,))


def test_a_camera_that_looks_straight_down_has_no_azimuth() -> None:
    views = [look_at((0, 0, 2), (1.0 + k / 300 * 0.1 - 0.9 * (k > 150), 0, 0)) for k in range(300)]
    t = tracks(camera=views)
    assert m.azimuth_change(t, (0, 100)).numbers == pytest.approx((0.0,), abs=1e-6)
    with pytest.raises(Unanswerable, match="looks straight down"):
        m.azimuth_change(t, (0, 299))


def test_frames_that_come_unevenly_are_timed_by_their_own_clock() -> None:
    times = np.cumsum(rng(3, "clock").uniform(0.02, 0.05, 200))
    t = tracks(obj("a", [pose((2.0 * s, 0, 0)) for s in times]), times=times.tolist())
    assert m.average_speed(t, 0, (10, 150)).numbers == pytest.approx((2.0,))
    assert m.speed(t, 0, 100).numbers == pytest.approx((2.0,))
    assert m.acceleration(t, 0, 100).numbers == pytest.approx((0.0,), abs=1e-9)
