"""Trajectories made of known segments are recovered, and told in words."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.programs.operators.trajectories import _windows, segments, trajectory
from fathom.programs.trajectory_words import told, units_of
from fathom.programs.values import Unanswerable
from fathom.programs.views.video import CAMERA, VideoView, video_view
from fathom.store.seeds import rng
from tests.tracks.worlds import (
    FPS,
    Array,
    backwards,
    level_view,
    moved,
    obj,
    pose,
    tracks,
    upright,
    video,
    walked,
)

LEG = st.tuples(st.just("straight"), st.floats(2.0, 4.0), st.floats(0.6, 1.5))
TURN = st.tuples(st.sampled_from(("left", "right")), st.floats(30, 120), st.floats(15, 60))
SPOT = st.tuples(
    st.sampled_from(("left on the spot", "right on the spot")), st.floats(30, 120), st.floats(20, 60)
)
STAND = st.tuples(st.just("stop"), st.floats(1.8, 3.0), st.just(1.0))
BETWEEN = st.one_of(TURN, SPOT, STAND)


def filmed(*legs: tuple[str, float, float]) -> VideoView:
    """A camera that walks legs at a height of 1.5 m and looks ahead."""
    places, headings = walked(*legs)
    camera = [pose((x, y, 1.5), level_view(a)) for (x, y, _), a in zip(places, headings, strict=True)]
    return tracks(camera=camera, frames=len(camera))


def driven(*legs: tuple[str, float, float], setting: str = "indoor") -> VideoView:
    places, _ = walked(*legs)
    poses = [pose(p) for p in places]
    return tracks(obj("a", poses, noun="robot"), frames=len(poses), setting=setting)


def whole(t: VideoView) -> tuple[int, int]:
    return (0, t.frames - 1)


def kind_of(leg: tuple[str, float, float]) -> str:
    return leg[0].split(" ", maxsplit=1)[0]


def matches(t: VideoView, body: int, legs: list[tuple[str, float, float]]) -> None:
    found, grade = segments(t, body, whole(t))
    assert [s.kind for s in found] == [kind_of(leg) for leg in legs]
    assert grade.ratio >= 1
    answer = trajectory(t, body, whole(t))
    rooms = iter(zip(answer.numbers, answer.tolerance, strict=True))
    for piece, (what, much, pace) in zip(found, legs, strict=True):
        number, room = next(rooms)
        assert number == pytest.approx(much, abs=room), what
        if len(piece.numbers) == 2:
            way, room = next(rooms)
            assert way == pytest.approx(1.5 * round(FPS * much / pace) / FPS, abs=room)


@given(first=LEG, between=BETWEEN, second=LEG, more=BETWEEN, third=LEG)
@settings(max_examples=40, deadline=None)
def test_a_walk_of_known_legs_is_recovered(
    first: tuple[str, float, float],
    between: tuple[str, float, float],
    second: tuple[str, float, float],
    more: tuple[str, float, float],
    third: tuple[str, float, float],
) -> None:
    legs = [first, between, second, more, third]
    matches(filmed(*legs), CAMERA, legs)


@given(first=LEG, between=st.one_of(TURN, STAND), second=LEG, more=st.one_of(TURN, STAND), third=LEG)
@settings(max_examples=40, deadline=None)
def test_the_way_of_a_object_is_recovered_from_its_places_alone(
    first: tuple[str, float, float],
    between: tuple[str, float, float],
    second: tuple[str, float, float],
    more: tuple[str, float, float],
    third: tuple[str, float, float],
) -> None:
    legs = [first, between, second, more, third]
    matches(driven(*legs), 0, legs)


def test_a_walk_is_told_in_words() -> None:
    t = filmed(("straight", 3.0, 1.0), ("left", 90, 45), ("straight", 2.0, 1.0), ("stop", 2.0, 1))
    answer = trajectory(t, CAMERA, whole(t))
    assert answer.form == ("straight:forward", "left:forward", "straight:forward", "stop:")
    assert answer.unit == "m deg m m s"
    written = [
        f"{n:.1f}" if u == "m" else f"{n:.0f}"
        for n, u in zip(answer.numbers, answer.unit.split(), strict=True)
    ]
    assert told(answer.form, written) == (
        "goes straight for 3.0 m, then turns left by 90° over 3.0 m, then goes straight for 2.0 m, "
        "then stands still for 2 s"
    )
    assert answer.truth.ratio >= 1


def test_turns_on_the_spot_and_sideways_ways_have_words_of_their_own() -> None:
    assert told(("right:spot", "straight:left"), ("45", "0.40")) == (
        "turns right by 45° on the spot, then moves to the left for 0.40 m"
    )
    assert [units_of(f) for f in ("right:spot", "left:right", "stop:")] == [("deg",), ("deg", "m"), ("s",)]


def test_a_camera_that_goes_round_a_table_moves_to_one_side_and_turns_to_the_other() -> None:
    angles = np.radians(np.linspace(0, 80, 300))
    camera = [pose((0.8 * math.cos(a), 0.8 * math.sin(a), 0.5), level_view(a + math.pi)) for a in angles]
    t = tracks(camera=camera, setting="desktop")
    answer = trajectory(t, CAMERA, whole(t))
    assert answer.form == ("left:right",)
    assert answer.numbers == pytest.approx((80, 0.8 * math.radians(80)), rel=1e-3)


def test_the_sway_of_a_walk_is_no_turn() -> None:
    times = np.arange(300) / FPS
    yaw = np.radians(1.5 * np.sin(2 * math.pi * 0.9 * times))
    side = 0.02 * np.sin(2 * math.pi * 0.9 * times)
    up = 1.5 + 0.02 * np.sin(2 * math.pi * 1.8 * times)
    camera = [pose((x, y, z), level_view(a)) for x, y, z, a in zip(times, side, up, yaw, strict=True)]
    t = tracks(camera=camera)
    assert trajectory(t, CAMERA, whole(t)).form == ("straight:forward",)


def test_a_corner_is_a_turn() -> None:
    places, _ = walked(("straight", 2.0, 1.0))
    up: Array = np.column_stack([np.full(60, 2.0), np.arange(1, 61) / 30.0, np.zeros(60)])
    t = tracks(obj("a", [pose(p) for p in (*places, *up)]), frames=len(places) + 60)
    answer = trajectory(t, 0, whole(t))
    kinds = [f.split(":")[0] for f in answer.form]
    assert kinds == ["straight", "left", "straight"]
    assert answer.numbers[1] == pytest.approx(90, abs=answer.tolerance[1])


def test_two_turns_with_a_breath_between_them_may_be_one() -> None:
    t = filmed(
        ("straight", 2, 1), ("left", 40, 30), ("straight", 0.9, 1.5), ("left", 40, 30), ("straight", 2, 1)
    )
    answer = trajectory(t, CAMERA, whole(t))
    assert answer.truth.ratio < 1
    assert answer.truth.relation == "one turn"


def test_a_long_faint_bend_is_neither_straight_nor_a_turn() -> None:
    t = filmed(("left", 22, 2.2))
    answer = trajectory(t, CAMERA, whole(t))
    assert answer.truth.ratio < 1


def test_who_goes_back_the_same_way_is_not_described() -> None:
    places, _ = walked(("straight", 2.0, 1.0))
    there_and_back = [pose(p) for p in (*places, *places[::-1])]
    t = tracks(obj("a", there_and_back), frames=len(there_and_back))
    with pytest.raises(Unanswerable, match="goes back the way that it came"):
        trajectory(t, 0, whole(t))


def test_played_backwards_a_camera_backs_and_turns_the_other_way() -> None:
    t = filmed(("straight", 2.0, 1.0), ("left", 60, 30), ("straight", 1.5, 1.0))
    assert trajectory(backwards(t), CAMERA, whole(t)).form == (
        "straight:backward", "right:backward", "straight:backward",
    )  # fmt: skip


def test_what_stands_still_stands_still_and_what_is_lifted_goes_up() -> None:
    lifted = [pose((0, 0, 0.005 * k)) for k in range(300)]
    t = tracks(obj("a", (0, 0, 0)), obj("b", lifted))
    assert trajectory(t, 0, whole(t)).form == ("stop:",)
    assert trajectory(t, 1, whole(t)).form == ("straight:up",)


def test_noise_of_the_annotation_makes_no_turns() -> None:
    places, _ = walked(("straight", 40.0, 8.0), ("left", 80, 30), ("straight", 30.0, 8.0))
    noisy = places + rng(5, "noise").normal(size=places.shape) * 0.03
    t = tracks(
        obj("a", [pose(p, position_sigma_m=0.03) for p in noisy]), frames=len(places), setting="outdoor"
    )
    answer = trajectory(t, 0, whole(t))
    assert [f.split(":")[0] for f in answer.form] == ["straight", "left", "straight"]
    assert answer.numbers[0] == pytest.approx(40, abs=2)
    assert answer.numbers[1] == pytest.approx(80, abs=5)


def test_no_trajectory_knows_where_north_is() -> None:
    places, headings = walked(("straight", 3, 1), ("right", 70, 30), ("stop", 2, 1), ("straight", 2, 1))
    camera = [pose((x, y, 1.5), level_view(a)) for (x, y, _), a in zip(places, headings, strict=True)]
    scene = video((obj("a", [pose(p) for p in places]),), camera, frames=len(camera))
    here, there = video_view(scene), video_view(moved(scene, upright(2.5), np.array([5.0, -3.0, 1.0])))
    for body in (CAMERA, 0):
        one, other = trajectory(here, body, whole(here)), trajectory(there, body, whole(there))
        assert one.form == other.form
        assert one.numbers == pytest.approx(other.numbers)
        assert one.truth.ratio == pytest.approx(other.truth.ratio)


def test_a_window_that_holds_one_frame_alone_takes_its_neighbour() -> None:
    for fps in (4.0, 5.0, 30.0):
        times = np.arange(20) / fps
        before, after = _windows(times, 0.2)
        assert (before >= 0).all() and (after < len(times)).all()
        assert (times[after] > times[before]).all()
