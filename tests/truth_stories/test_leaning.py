"""How far a body leans, told by both derivations on their own; of one that leans nothing is said."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.rigid import best_rotation
from fathom.programs.engine import run
from fathom.programs.views.animated import AnimatedView
from fathom.records import Step
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.upright import lean_deg
from tests.truth_stories.yard import first_answer, program

BODY = np.random.default_rng(5).normal(size=(60, 3)) * (0.6, 0.3, 0.4)
SIDES = ("front", "left", "behind", "right")
WAYS = ("forward", "backward", "left", "none")

OWN_DIRECTIONS = (
    program("side_of only matching|ball things start", *SIDES),
    program("name only side|right standing end end", "star", "ball", "cube", "vase"),
    program("hidden_from only matching|star things start", *SIDES),
    program("goes while the filter_verb|walk actions", *WAYS),
    program("travels while the filter_verb|walk actions", *WAYS),
    program("limb_first|head while the filter_verb|bow actions", "up", "forward", "left", "right"),
)


def turn(axis: int, degrees: float) -> np.ndarray:
    a, (i, j) = math.radians(degrees), [k for k in range(3) if k != axis]
    out = np.eye(3)
    out[i, i] = out[j, j] = math.cos(a)
    out[i, j], out[j, i] = -math.sin(a), math.sin(a)
    return out


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 179), st.floats(-180, 180), st.integers(0, 1), st.floats(0, 0.02))
def test_a_body_leans_as_far_as_it_was_turned_over_whichever_way_it_faces(
    lean: float, yaw: float, axis: int, bent: float
) -> None:
    posed = BODY @ turn(axis, lean).T @ turn(2, yaw).T + bent * np.sin(7 * BODY[:, ::-1]) + (3.0, 1.0, 0.2)
    assert lean_deg(BODY, posed) == pytest.approx(lean, abs=0.01 + 250 * bent)
    up = best_rotation(BODY, posed)[:, 2]
    assert math.degrees(math.acos(np.clip(up[2], -1, 1))) == pytest.approx(lean, abs=0.01 + 250 * bent)


def test_both_derivations_see_the_robot_upright_but_for_its_bows(
    film: ObservedAnimation, timeline: AnimatedView
) -> None:
    assert len(film.leans_deg) == len(film.frames)
    told = timeline.leans_deg[list(film.frames)]
    assert np.abs(np.array(film.leans_deg) - told).max() <= 12
    assert max(film.leans_deg[:8]) <= 10


def toppled(film: ObservedAnimation) -> ObservedAnimation:
    """The film as cells would show it if the robot lay on its side from first to last."""
    over = turn(0, 80)
    looks = tuple((replace(row[0], world_m=row[0].world_m @ over.T), *row[1:]) for row in film.found.looks)
    return replace(film, found=replace(film.found, looks=looks))


@pytest.mark.parametrize("steps", OWN_DIRECTIONS, ids=lambda s: s[-2].op)
def test_who_lies_on_its_side_has_no_side_that_all_agree_on(
    film: ObservedAnimation, timeline: AnimatedView, steps: tuple[Step, ...]
) -> None:
    assert min(toppled(film).leans_deg) > 45
    assert derived_text(steps, toppled(film)) is None
    lying = np.tile([0.0, math.sin(1.4), math.cos(1.4)], (timeline.frames, 1))
    fallen = replace(timeline, visibility=replace(timeline.visibility, actor_ups=lying))
    assert run(steps, fallen).least.ratio < 1 or first_answer(steps, fallen) is None


def test_what_is_seen_edge_on_is_not_in_plain_sight(film: ObservedAnimation) -> None:
    choices = ("teapot", "cube", "ball", "star")
    steps = program("hidden|right there standing start start", *choices)
    assert derived_text(steps, film) == "star"
    ball = 5
    px, full = film.found.px.copy(), film.found.full_px.copy()
    views = [k for k, v in enumerate(film.found.views) if v in (5, 6, 7)]
    px[views, :, ball] = full[views, :, ball] = max(int(px[:, :, ball].max() * 0.15), 1)
    assert derived_text(steps, replace(film, found=replace(film.found, px=px, full_px=full))) is None
