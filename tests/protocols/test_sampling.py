"""Which frames are shown: laws of the rules, and the published formulas."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.media.sampling import (
    RULES,
    Rule,
    floor_step,
    linspace,
    per_second,
    sample,
    segment_centre,
    span_of,
    spread,
    with_tail,
)
from fathom.records import InputError, Media

counts = st.integers(1, 5000)
wanted = st.integers(1, 64)
rules = st.sampled_from(list(RULES))


def video(frames: int, fps: float) -> Media:
    return Media(id="v", path="v.mp4", kind="video", size=(64, 48), sha256="", frames=frames, fps=fps)


@given(counts, wanted, rules)
def test_frames_are_in_range_in_order_and_different(n: int, k: int, rule: Rule) -> None:
    frames = sample(n, k, rule)
    assert list(frames) == sorted(set(frames))
    assert 0 <= frames[0] <= frames[-1] < n


@given(counts, wanted, rules)
def test_as_many_are_shown_as_are_wanted_or_all_that_there_are(n: int, k: int, rule: Rule) -> None:
    shown = len(sample(n, k, rule))
    if n <= k:
        assert shown == n
    else:
        assert shown in ((k, k + 1) if rule == "with-tail" else (k,))


@given(counts, wanted)
def test_the_tail_is_the_only_difference_between_two_rules(n: int, k: int) -> None:
    frames = with_tail(n, k)
    assert frames[-1] == n - 1
    assert set(frames) - {n - 1} <= set(floor_step(n, k))


@given(counts, wanted)
def test_the_formulas_are_the_published_ones(n: int, k: int) -> None:
    if n < k:
        return
    step = n // k
    assert floor_step(n, k) == tuple(i * step for i in range(k))
    assert linspace(n, k) == tuple(int(x) for x in np.linspace(0, n - 1, k))
    if n > k:
        length = (n - 1) / k
        centres = [int(length / 2) + int(np.round(length * i)) for i in range(k)]
        assert list(segment_centre(n, k)) == centres


def test_stepping_by_whole_frames_loses_up_to_half_of_a_video() -> None:
    assert floor_step(59, 30)[-1] == 29
    assert with_tail(59, 30)[-1] == 58
    assert linspace(59, 30)[-1] == 58


def test_fewer_frames_than_wanted_are_shown_once_each() -> None:
    for rule in RULES.values():
        assert rule(5, 6) == rule(5, 5) == (0, 1, 2, 3, 4)


@given(counts, st.floats(1, 120), st.floats(0.05, 200), st.integers(0, 64))
def test_frames_a_second_are_in_order_and_at_most_so_many(n: int, fps: float, rate: float, most: int) -> None:
    frames = per_second(n, fps, rate, most)
    assert frames[0] == 0
    assert list(frames) == sorted(set(frames))
    assert frames[-1] < n
    assert not most or len(frames) <= most


def test_one_frame_a_second_is_one_for_each_second_begun() -> None:
    assert per_second(100, 25.0, 1.0) == (0, 25, 50, 75)
    assert per_second(101, 25.0, 1.0) == (0, 25, 50, 75, 100)


@given(st.integers(1, 4000), st.floats(1, 120), st.floats(0, 200), st.floats(0, 200))
def test_a_span_of_seconds_is_never_empty_and_stays_in_the_video(
    n: int, fps: float, a: float, b: float
) -> None:
    span = span_of(video(n, fps), (a, b))
    assert len(span) >= 1
    assert 0 <= span[0] <= span[-1] < n
    assert span_of(video(n, fps), None) == range(n)


def test_a_span_goes_from_its_first_frame_to_the_one_before_its_end() -> None:
    assert span_of(video(300, 15.0), (2.0, 4.0)) == range(30, 60)
    assert span_of(video(50, 15.0), (2.0, 400.0)) == range(30, 50)
    assert span_of(video(50, 15.0), (90.0, 91.0)) == range(49, 50)
    assert span_of(video(300, 29.97), (60 / 29.97, 90 / 29.97)) == range(60, 90)


@given(st.integers(1, 64), st.integers(1, 64))
def test_views_are_different_and_the_ring_is_divided_evenly(available: int, k: int) -> None:
    views = spread(available, k)
    assert len(set(views)) == len(views) == min(available, k)
    gaps = np.diff([*views, views[0] + available])
    assert gaps.max() - gaps.min() <= 1


def test_a_video_without_frames_or_times_says_what_to_do() -> None:
    with pytest.raises(InputError, match="extra `video`"):
        span_of(video(0, 25.0), None)
    with pytest.raises(InputError, match="show the whole video"):
        span_of(video(10, 0.0), (1.0, 2.0))
    with pytest.raises(InputError, match="at least one"):
        sample(0, 8, "linspace")
    with pytest.raises(InputError, match="positive"):
        per_second(10, 0.0, 1.0)


@given(st.integers(2, 400), st.sampled_from([12.0, 24.0, 29.999999, 30.0]), st.data())
def test_a_closed_span_of_a_built_video_begins_and_ends_with_the_frames_that_it_names(
    frames: int, fps: float, data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, frames - 2))
    last = data.draw(st.integers(first + 1, frames - 1))
    said = (round(first / fps, 2), round(last / fps, 2))
    media = Media(id="m", path="", kind="video", size=(4, 4), sha256="", frames=frames, fps=fps)
    assert span_of(media, said, closed=True) == range(first, last + 1)
