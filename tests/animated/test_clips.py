"""What is measured of a clip: the part that moves, whether it comes back, how often it repeats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.assets.animated.clips import RULES, PosedClip, cycles, measured, moments
from fathom.assets.model import Points
from tests.assets.tiny_gltf import POINTS

STILL = POINTS.astype(np.float64) / 4


def posed(at: Callable[[float], Points]) -> PosedClip:
    """Return what is posed by a function of the time."""
    return PosedClip(len(at(0.0)), lambda times, rows: np.stack([at(float(t))[rows] for t in times]))


def moved(along: Callable[[float], float]) -> PosedClip:
    """Return the wedge, about 1 large, shifted along y by a function of the time."""
    return posed(lambda t: np.asarray(STILL + np.array([0.0, along(t), 0.0])))


def test_a_clip_is_trimmed_to_the_part_that_moves() -> None:
    found = measured(moved(lambda t: float(np.clip(t - 1, 0, 0.5))), 0.0, 4.0)
    assert found is not None
    assert found.start_s == pytest.approx(1.0, abs=0.04)
    assert found.end_s == pytest.approx(1.5, abs=0.04)
    assert found.motion == pytest.approx(0.5)
    assert not found.loops


@pytest.mark.parametrize("along", [lambda t: 0.0, lambda t: 0.002 * np.sin(9 * t)])
def test_a_clip_in_which_nothing_moves_is_none(along: Callable[[float], float]) -> None:
    assert measured(moved(along), 0.0, 2.0) is None


def test_a_clip_that_ends_as_it_began_loops() -> None:
    there_and_back = measured(moved(lambda t: float(np.sin(np.pi * t))), 0.0, 1.0)
    only_there = measured(moved(lambda t: float(np.sin(np.pi * t / 2))), 0.0, 1.0)
    assert there_and_back is not None
    assert only_there is not None
    assert (there_and_back.loops, only_there.loops) == (True, False)


def test_a_wheel_that_turns_by_a_spoke_loops() -> None:
    spokes = 8
    a = 2 * np.pi * np.arange(spokes) / spokes

    def wheel(t: float) -> Points:
        turned = a + 2 * np.pi / spokes * t
        return 0.5 * np.stack([np.cos(turned), 0 * a, np.sin(turned)], axis=-1)

    by_a_spoke, by_half_a_spoke = (measured(posed(wheel), 0.0, t) for t in (1.0, 0.5))
    assert by_a_spoke is not None
    assert by_half_a_spoke is not None
    assert (by_a_spoke.loops, by_half_a_spoke.loops) == (True, False)


@settings(deadline=None)
@given(st.integers(1, 6), st.floats(0, 6.28), st.floats(0.05, 2))
def test_a_movement_is_counted_as_often_as_it_is_made(times: int, phase: float, reach: float) -> None:
    swinging = moved(lambda t: reach * float(np.sin(2 * np.pi * times * t + phase)))
    poses = swinging.at(moments(0.0, 1.0, replace(RULES, per_second=120.0)), np.arange(len(STILL)))
    # Where it begins at the far end of its way, nobody can say whether the beginning counts.
    assert cycles([poses]) in ({times, times - 1} - {0} if abs(np.sin(phase)) > 0.6 else {times})


def test_a_blow_and_the_swing_before_it_are_one_movement() -> None:
    t = np.linspace(0, 1, 61)
    swing = np.interp(t, [0, 0.25, 0.4, 0.7, 1.0], [0, -0.6, 1.0, 0.9, 0])
    assert cycles([STILL[None] + swing[:, None, None]]) == 1


def test_the_limb_that_moves_most_is_counted() -> None:
    t = np.linspace(0, 1, 121)
    often = STILL[None] + 0.1 * np.sin(2 * np.pi * 5 * t)[:, None, None]
    far = STILL[None] + 0.5 * np.sin(2 * np.pi * 2 * t)[:, None, None]
    assert cycles([often, far]) == 2
    assert cycles([often]) == 5
