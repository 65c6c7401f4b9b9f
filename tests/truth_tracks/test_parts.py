"""The parts of the second derivation: poses from points, ways between frames, what counts as the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fathom.geometry.poses import rotation_matrix
from fathom.store.seeds import rng
from fathom.verify.observed.extents import fitted, turn_between_deg
from fathom.verify.observed.tracks import course_of
from fathom.verify.values import DerivedAnswer, agrees, nearest, number, off_by, together, word

Array = NDArray[np.float64]


def turned(seed: int) -> tuple[Array, Array, Array, Array]:
    """Return points at rest, a rotation, a place, and the points there."""
    g = rng("poses", seed)
    rest = g.uniform(-0.1, 0.1, (60, 3))
    w, x, y, z = g.normal(size=4)
    turn, place = rotation_matrix((w, x, y, z)), g.uniform(-2, 2, 3)
    return rest, turn, place, rest @ turn.T + place


@given(seed=st.integers(0, 10**6))
def test_a_pose_is_found_again_from_its_points(seed: int) -> None:
    rest, turn, place, seen = turned(seed)
    fit = fitted(rest, seen)
    assert fit is not None
    assert fit.place_m == pytest.approx(place, abs=1e-9)
    assert turn_between_deg(fit.turn, turn) < 1e-4


@given(seed=st.integers(0, 10**6))
def test_a_pose_is_as_sure_as_it_says(seed: int) -> None:
    rest, turn, place, seen = turned(seed)
    fit = fitted(rest, seen + rng("noise", seed).normal(0, 1e-4, seen.shape))
    assert fit is not None
    off = np.linalg.norm(rest @ fit.turn.T + fit.place_m - seen, axis=1).max()
    assert off <= fit.unsure_m
    assert fit.unsure_m < 1e-3
    assert np.linalg.norm(fit.place_m - place) <= fit.unsure_m
    assert np.linalg.det(fit.turn) == pytest.approx(1.0)
    assert turn_between_deg(fit.turn, turn) < 1.0


def test_a_flat_face_is_enough_for_a_pose_and_a_line_is_not() -> None:
    rest, turn, place, _ = turned(0)
    flat, line = rest * (1, 1, 0), rest * (1, 0, 0)
    found = fitted(flat, flat @ turn.T + place)
    assert found is not None
    assert turn_between_deg(found.turn, turn) < 1e-4
    assert fitted(line, line @ turn.T + place) is None


def test_too_few_points_and_what_bends_have_no_pose() -> None:
    rest, _, _, seen = turned(1)
    assert fitted(rest[:8], seen[:8]) is None
    assert fitted(rest, seen + 0.02 * np.sin(40 * rest)) is None


TIMES = np.arange(100) / 30
SHOWN = np.arange(0, 100, 11)


def course(places: Array) -> tuple[Array, Array]:
    """Return the ways (K, F, 3) through the places at the frames shown, and where they are known."""
    turns = np.broadcast_to(np.eye(3), (len(SHOWN), 3, 3))
    found, _ = course_of(TIMES, SHOWN, places[SHOWN], turns, 0.0)
    return found.places_m, np.asarray(found.known)


def test_what_stands_the_same_before_and_after_stood_still() -> None:
    ways, known = course(np.ones((100, 3)))
    assert known.all()
    assert ways == pytest.approx(np.ones_like(ways))


def test_a_smooth_way_lies_among_those_that_are_possible() -> None:
    share = np.clip((TIMES - 0.5) / 2, 0, 1)
    true = np.column_stack([share**3 * (10 + share * (6 * share - 15)), 0 * TIMES, 0 * TIMES])
    ways, known = course(true)
    off = np.linalg.norm(ways[0] - true, axis=1)
    spread = np.linalg.norm(ways - ways[0], axis=2).max(axis=0)
    assert known.all()
    assert (off <= 2 * spread + 1e-3).all()
    assert spread[SHOWN[4]] == pytest.approx(0.0, abs=1e-9)


def test_a_number_is_as_unsure_as_its_ways_differ() -> None:
    found = number([1.0, 1.2, 0.9], "m", 0.01)
    assert found.unsure == pytest.approx((0.4,))
    assert not found.decided


def test_the_same_is_within_a_tolerance_and_wrong_answers_are_not() -> None:
    found = number([2.0], "m", 0.02)
    assert agrees(found, (2.019,))
    assert not agrees(found, (2.021,))
    assert not agrees(found, ())
    assert agrees(word("left"), said="left")
    assert not agrees(word("left"), said="right")


def test_trajectories_of_another_form_are_others() -> None:
    found = DerivedAnswer("number", "", (1.0,), ("m",), (0.1,), (0.0,), ("straight:",))
    assert agrees(found, (1.05,), form=("straight:",))
    assert not agrees(found, (1.05,), form=("straight:up",))


def test_angles_go_round_and_quaternions_have_two_signs() -> None:
    pose = together([number([0.0], "m", 0.1), number([179.5], "deg", 1.5)])
    assert off_by(pose, (0.0, -179.5)) == pytest.approx((0.0, 1.0))
    turns = number([370.0], "deg", 1.0)
    assert off_by(turns, (10.0,)) == pytest.approx((360.0,))
    half = together([number([v], "-", 0.01) for v in (0.8, 0.6, 0.0, 0.0)])
    assert off_by(half, (-0.8, -0.6, 0.0, 0.0)) == pytest.approx((0.0,) * 4)


@given(value=st.floats(0.1, 10), unsure=st.floats(0, 2), apart=st.floats(0.1, 5), true=st.floats(-1, 1))
def test_the_nearest_choice_is_that_of_the_truth_or_none(
    value: float, unsure: float, apart: float, true: float
) -> None:
    found = DerivedAnswer("number", "", (value,), ("m",), (0.01 * value,), (unsure,))
    choices = [(value + k * apart,) for k in (-2.0, -0.9, 0.1, 1.2, 2.0)]
    told = nearest(found, choices)
    truth = value + true * unsure
    if told is not None:
        assert told == min(range(5), key=lambda k: abs(choices[k][0] - truth))


def test_no_choice_is_the_nearest_where_two_may_be() -> None:
    found = DerivedAnswer("number", "", (1.0,), ("m",), (0.01,), (0.2,))
    assert nearest(found, [(0.9,), (1.15,)]) is None
    assert nearest(found, [(0.9,), (2.0,)]) == 0
    assert nearest(found, []) is None
    assert nearest(word("left"), [(1.0,)]) is None
