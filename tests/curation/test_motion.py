"""When an object moves, by its pixels, and how that agrees with its animation."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.curation.agreement import (
    Compared,
    agreement,
    agreement_rows,
    displacements,
    matched,
    true_segments,
)
from fathom.curation.motion import (
    MOTION,
    Motion,
    MotionSegment,
    MotionSettings,
    find_motion,
    runs_of,
    segments_of,
    static_reason,
)
from fathom.records import InputError
from tests.curation.made import FPS, encoded, film, frames_of, picture, places


def spans(motion: Motion) -> list[tuple[float, float]]:
    return [(round(s.start_s * FPS, 3), round(s.end_s * FPS, 3)) for s in motion.segments]


def test_a_segment_begins_and_ends_with_the_motion() -> None:
    motion = find_motion([film(places((12, 0), (18, 2.0), (12, 0)))], FPS)
    assert spans(motion) == [(12, 30)]
    assert not static_reason(motion)


def test_motion_too_slow_to_see_from_one_frame_to_the_next_is_found() -> None:
    xs = places((12, 0), (24, 0.06), (12, 0))
    quick_only = find_motion([film(xs)], FPS, MotionSettings(lag_s=0.0))
    assert not quick_only.segments
    ((begin, end),) = spans(find_motion([film(xs)], FPS))
    assert 11 <= begin <= 14
    assert 34 <= end <= 37


def test_two_segments_are_parted_by_a_rest_and_joined_over_a_moment() -> None:
    apart = find_motion([film(places((6, 0), (8, 2.0), (9, 0), (8, 2.0), (6, 0)))], FPS)
    assert spans(apart) == [(6, 14), (23, 31)]
    joined = find_motion([film(places((6, 0), (8, 2.0), (2, 0), (8, 2.0), (6, 0)))], FPS)
    assert spans(joined) == [(6, 24)]


def test_what_moves_in_one_view_alone_moves() -> None:
    still, moving = places((30, 0)), places((10, 0), (10, 2.0), (10, 0))
    assert spans(find_motion([film(still), film(moving)], FPS)) == [(10, 20)]
    both = find_motion([film(still), film(moving)], FPS, MotionSettings(least_views=2))
    assert "does not move: 0.00 s of motion in 2.58 s" in static_reason(both)


@pytest.mark.parametrize("crf", [18, 23, 32])
def test_an_encoders_noise_is_no_motion(tmp_path: Path, crf: int) -> None:
    still = encoded(tmp_path / "still.mp4", film(places((47, 0))), crf)
    assert not find_motion([frames_of(still)], FPS).segments
    moving = encoded(tmp_path / "moving.mp4", film(places((15, 0), (16, 1.5), (16, 0))), crf)
    ((begin, end),) = spans(find_motion([frames_of(moving)], FPS))
    assert abs(begin - 15) <= 2
    assert abs(end - 31) <= 2


def test_a_textured_object_that_stays_is_static_after_encoding(tmp_path: Path) -> None:
    rough = np.random.Generator(np.random.Philox(7)).integers(0, 255, (128, 128, 3), dtype=np.uint8)
    frame = picture(60).copy()
    frame[40:80, 40:80] = rough[40:80, 40:80]
    path = encoded(tmp_path / "rough.mp4", [frame] * 40)
    assert static_reason(find_motion([frames_of(path)], FPS))


def test_larger_pictures_move_at_the_same_times() -> None:
    xs = places((10, 0), (12, 1.0), (10, 0))
    large = ([np.kron(f, np.ones((4, 4, 1), np.uint8)) for f in film(xs)] for _ in range(1))
    assert spans(find_motion(large, FPS)) == spans(find_motion([film(xs)], FPS)) == [(10, 22)]


@pytest.mark.parametrize(
    ("views", "said"),
    [
        ([], "no view"),
        ([[picture(40)] * 3, [picture(40)] * 4], "[3, 4]"),
        ([[picture(40), picture(40)[:100]]], "128 × 100"),
        ([[np.zeros((8, 8), np.uint8)] * 2], "(8, 8)"),
    ],
)
def test_films_that_do_not_fit_say_so(views: list[list[np.ndarray]], said: str) -> None:
    with pytest.raises(InputError) as error:
        find_motion(views, FPS)
    assert said in str(error.value)


@given(st.lists(st.booleans(), max_size=60))
def test_runs_are_the_flags(flags: list[bool]) -> None:
    again = np.zeros(len(flags), bool)
    for a, b in runs_of(np.array(flags, bool)):
        assert a < b
        again[a:b] = True
    assert again.tolist() == flags


@given(st.lists(st.booleans(), max_size=60))
def test_segments_keep_apart_and_are_long_enough(flags: list[bool]) -> None:
    segments = segments_of(np.array(flags, bool), FPS)
    assert all(s.end_s - s.start_s >= MOTION.least_segment_s - 1e-6 for s in segments)
    assert all(b.start_s - a.end_s >= MOTION.join_s - 1e-6 for a, b in pairwise(segments))


def test_true_motion_is_the_mean_displacement_in_sizes() -> None:
    points = np.array([[0.0, 0, 0], [2, 0, 0]])
    steps = displacements([points, points + np.array([[0, 0, 0], [0, 1, 0]]), points], 2.0)
    assert steps.tolist() == [0.25, 0.25]
    assert true_segments(np.array([0, 0.01, 0.01, 0.01, 0]), FPS) == (
        MotionSegment(start_s=0.083333, end_s=0.333333),
    )


@pytest.mark.parametrize("bad", [[np.zeros((3, 3)), np.zeros((4, 3))], [np.full((3, 3), np.nan)]])
def test_vertices_that_change_or_are_nowhere_say_so(bad: list[np.ndarray]) -> None:
    with pytest.raises(InputError, match="true motion"):
        displacements(bad, 1.0)
    with pytest.raises(InputError, match="size above 0"):
        displacements([], 0.0)


def compared(found: list[bool], true: list[bool], asset: str = "fox") -> Compared:
    segments = segments_of(np.array(found), FPS)
    motion = Motion(fps=FPS, frames=len(found) + 1, segments=segments, change=())
    return Compared(asset, motion, np.array(true, float))


def test_agreement_counts_steps_segments_and_objects() -> None:
    moves, rests = [True] * 10, [False] * 10
    objects = [
        compared(rests + moves + rests, rests + moves + rests, "fox"),
        compared(moves + rests + rests, [False] * 5 + [True] * 5 + rests + rests, "cow"),
        compared(moves + rests, rests + rests, "shark"),
        compared(rests + rests, rests + moves, "robot"),
    ]
    steps, segments, kept = agreement(objects)
    assert (steps.found, steps.true) == (30, 25)
    assert steps.precision == pytest.approx(15 / 30)
    assert steps.recall == pytest.approx(15 / 25)
    assert (segments.precision, segments.recall) == pytest.approx((2 / 3, 2 / 3))
    assert (kept.precision, kept.recall) == pytest.approx((2 / 3, 2 / 3))
    assert kept.precision_low is not None
    assert kept.precision_low < 2 / 3
    assert agreement_rows([kept])[1][:3] == ("objects that move", "3", "3")


def test_with_nothing_found_there_is_no_precision() -> None:
    _, _, kept = agreement([compared([False] * 9, [True] * 9)])
    assert (kept.precision, kept.recall) == (None, 0.0)
    assert agreement_rows([kept])[1][3] == "–"


def test_another_number_of_steps_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="over 9 steps, found 4"):
        agreement([compared([True] * 9, [True] * 4)])


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(1, 20)), max_size=5))
def test_what_is_found_matches_itself(pieces: list[tuple[int, int]]) -> None:
    flags = np.zeros(120, bool)
    for start, length in pieces:
        flags[start : start + length] = True
    segments = segments_of(flags, FPS)
    assert sorted(matched(segments, segments)) == [(i, i) for i in range(len(segments))]
