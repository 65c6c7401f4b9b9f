"""How many times something goes out and back: both derivations give a number only where everybody would."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.programs import motion
from fathom.programs.views.animated import animated_view
from fathom.verify.observed.limbs import swings
from tests.stories_questions.made import FRAMES, scene_of, visibility_of

Track = np.ndarray
UP, AHEAD, ASIDE = np.eye(3)[[2, 0, 1]]
SCENE = scene_of(())
PLAY = visibility_of(SCENE)


def first(track: Track) -> motion.MeasuredMotion:
    """What the first derivation measures where the head goes this way and nothing else moves."""
    limbs = np.zeros((FRAMES, len(PLAY.limbs), 3))
    limbs[: len(track), 0] = track
    return motion.repeats(animated_view(SCENE, replace(PLAY, limb_centres_m=limbs)), (0, len(track) - 1))


def bobs(count: float, frames: int = FRAMES, far: float = 0.3) -> np.ndarray:
    """How far something is out that goes out and back so many times."""
    return far * (1 - np.cos(2 * math.pi * count * np.arange(frames) / (frames - 1))) / 2


def line(way: np.ndarray, values: np.ndarray) -> Track:
    return np.asarray(values[:, None] * way)


@settings(deadline=None)
@given(st.integers(1, 6), st.floats(0, math.pi), st.floats(-math.pi, math.pi), st.floats(0.1, 2.0))
def test_a_clear_motion_counts_the_same_whichever_way_it_goes(
    count: int, tilt: float, turn: float, far: float
) -> None:
    way = np.array([math.sin(tilt) * math.cos(turn), math.sin(tilt) * math.sin(turn), math.cos(tilt)])
    track = line(way, bobs(count, far=far))
    told = first(track)
    assert told.word == str(count)
    assert told.ratio >= 1
    assert swings(track) == count


@given(st.integers(1, 5))
def test_going_round_counts_the_rounds(count: int) -> None:
    angle = 2 * math.pi * count * np.arange(FRAMES) / (FRAMES - 1)
    track = 0.3 * np.stack([np.sin(angle), 0 * angle, 1 - np.cos(angle)], axis=1)
    assert (first(track).word, swings(track)) == (str(count), count)
    assert first(track).ratio >= 1


def raised_and_swung() -> Track:
    """An arm that goes up once, is swung three times to the side, and comes down."""
    raised = np.concatenate([np.linspace(0, 1, 10), np.ones(FRAMES - 20), np.linspace(1, 0, 10)])
    aside = np.zeros(FRAMES)
    aside[10:-10] = bobs(3, FRAMES - 20, 0.35)
    return np.asarray(line(UP, raised) + line(ASIDE, aside))


OPINIONS = {
    "raised once, swung three times": raised_and_swung(),
    "shaken to both sides": line(ASIDE, 0.3 * np.sin(4 * math.pi * np.arange(FRAMES) / (FRAMES - 1))),
    "not back at the end": line(UP, bobs(2.5)),
    "half a swing between whole ones": line(UP, bobs(3) * np.repeat([1.0, 0.4, 1.0], FRAMES // 3)),
    "a small one before the great one": line(AHEAD, bobs(2) * np.repeat([-0.3, 1.0], FRAMES // 2)),
}


@pytest.mark.parametrize("name", OPINIONS)
def test_what_is_a_matter_of_opinion_is_not_asked(name: str) -> None:
    assert first(OPINIONS[name]).ratio < 1
    assert swings(OPINIONS[name]) is None
