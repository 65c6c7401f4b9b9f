"""What real shapes sweep: boxes as their rectangles say, and where a rectangle is empty, nothing."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from fathom.geometry import relations as g
from fathom.geometry.sweeps import CELL_M, FARTHEST_M, SLACK_M, Contact, front_of, surface_points, swept

Shape = np.ndarray


def block(low: tuple[float, float, float], high: tuple[float, float, float]) -> Shape:
    """The twelve triangles of a box between two corners."""
    corners = np.array([[(low, high)[k >> a & 1][a] for a in range(3)] for k in range(8)])
    faces = [(0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5)]
    return np.concatenate([corners[[[f[0], f[1], f[2]], [f[0], f[2], f[3]]]] for f in faces])


def standing(length: float, width: float, height: float = 0.5) -> Shape:
    return block((-length / 2, -width / 2, 0.0), (length / 2, width / 2, height))


def plane() -> Shape:
    """A fuselage of 2 m with a nose as wide as it, wings of 2 m span behind the middle, all 0.3 m high."""
    return np.concatenate(
        [block((-1.0, -0.15, 0.0), (1.0, 0.15, 0.3)), block((-0.4, -1.0, 0.0), (0.0, 1.0, 0.3))]
    )


def contact(
    mover: Shape, other: Shape, place: tuple[float, float], turn: float, heading: float = 0.0, way: int = 0
) -> Contact:
    """What a mover at the origin that faces `heading` meets of another at `place`, in its own frame."""
    clouds = [surface_points(mover), surface_points(other)]
    c, s = math.cos(heading), math.sin(heading)
    there = np.array([[0.0, 0.0], [place[0] * c - place[1] * s, place[0] * s + place[1] * c]])
    wanted = np.zeros((2, 2, 2), dtype=bool)
    wanted[way, 0, 1] = True
    found = swept(clouds, [front_of(p) for p in clouds], there, np.array([heading, heading + turn]), wanted)
    return found[way, 0, 1]


sizes = st.tuples(st.floats(0.5, 3), st.floats(0.25, 1.4))
turns = st.floats(0, 2 * math.pi)


@settings(max_examples=40, deadline=None)
@given(sizes, sizes, st.floats(0, 5), st.floats(-2, 2), turns, turns)
def test_boxes_sweep_what_their_rectangles_do(
    a: tuple[float, float], b: tuple[float, float], ahead: float, aside: float, turn: float, heading: float
) -> None:
    reach_x, reach_y = (abs(math.cos(turn)) * b[k] / 2 + abs(math.sin(turn)) * b[1 - k] / 2 for k in range(2))
    x = a[0] / 2 + reach_x + 0.1 + ahead
    exact = max(-FARTHEST_M, min(FARTHEST_M, a[1] / 2 + reach_y - abs(aside)))
    found = contact(standing(*a), standing(*b), (x, aside), turn, heading)
    assert found.into_m == pytest.approx(exact, abs=2 * CELL_M)
    flat = np.array([[0.0, 0.0], [x, aside]]), np.array([0.0, turn]), np.array([a, b])
    wide, true, narrow = g.path_distances(
        g.own_frames(*flat), (SLACK_M + 2 * CELL_M, 0.0, -SLACK_M - 2 * CELL_M)
    )[0, :, 0, 1]
    assert wide - CELL_M <= found.soonest_m
    if abs(exact) > CELL_M:
        assert found.soonest_m - CELL_M <= true <= found.latest_m + CELL_M
    if narrow < math.inf and a[1] > 2 * (SLACK_M + 2 * CELL_M):
        assert found.latest_m <= narrow + CELL_M


@settings(max_examples=25, deadline=None)
@given(sizes, st.floats(1.2, 4), st.floats(-1.5, 1.5), turns)
def test_in_a_mirror_the_same_is_met(size: tuple[float, float], x: float, y: float, turn: float) -> None:
    assume(x > size[0] / 2 + 1.5)
    mirror = plane() * (1, -1, 1)
    here, there = (
        contact(standing(*size), shape, (x, sign * y), sign * turn)
        for shape, sign in ((plane(), 1), (mirror, -1))
    )
    assert here.into_m == pytest.approx(there.into_m, abs=2 * CELL_M)
    if abs(here.into_m) > 2 * CELL_M:
        assert (here.into_m > 0) == (there.into_m > 0)


def test_what_passes_beside_a_nose_does_not_hit_the_aeroplane() -> None:
    """The path crosses the corner of the rectangle between nose and wing tip, aslant, and touches neither."""
    bicycle, turn = standing(1.0, 0.1), math.pi / 4
    for aside, hits in ((-1.025, False), (-0.6, True)):
        flat = np.array([[0.0, 0.0], [2.5, aside]]), np.array([0.0, turn]), np.array([[1.0, 0.1], [2.0, 2.0]])
        assert g.path_overlaps(g.own_frames(*flat))[0, 0, 1] > 0.3
        found = contact(bicycle, plane(), (2.5, aside), turn)
        assert (found.into_m > 0) == hits
        if not hits:
            assert found.into_m == pytest.approx(-(1.025 - 1.15 / math.sqrt(2) - 0.05), abs=CELL_M)
            assert found.latest_m == math.inf


@pytest.mark.parametrize(("height", "met"), [(0.3, False), (0.55, True), (0.9, True)])
def test_a_bar_passes_over_what_is_low(height: float, met: bool) -> None:
    post = block((0.0, -0.03, 0.0), (0.05, 0.03, 0.7))
    bar = block((0.0, -0.5, 0.45), (0.05, 0.5, 0.6))
    found = contact(np.concatenate([post, bar]), standing(0.5, 0.5, height), (2.0, 0.65), 0.0)
    assert (found.into_m > 0) == met
    if not met:
        # It is the post that must come over.
        assert found.into_m == pytest.approx(-0.37, abs=2 * CELL_M)
        assert found.soonest_m == math.inf


def test_a_bar_as_high_as_the_top_of_a_box_is_left_open() -> None:
    bar = block((0.0, -0.5, 0.45), (0.05, 0.5, 0.6))
    assert contact(bar, standing(0.5, 0.5, 0.43), (2.0, 0.0), 0.0).into_m == 0


def test_only_what_lies_ahead_is_met() -> None:
    mover, other = standing(1.0, 0.5), standing(0.4, 0.4)
    assert contact(mover, other, (2.0, 0.0), 0.0).into_m > 0 > contact(mover, other, (-2.0, 0.0), 0.0).into_m
    assert contact(mover, other, (-2.0, 0.0), 0.0, way=1).into_m > 0
    assert contact(mover, other, (2.0, 0.0), 0.0, way=1) == Contact(-FARTHEST_M, math.inf, math.inf)


def test_points_on_a_surface_leave_no_cell_of_it_empty() -> None:
    points = surface_points(block((0.0, 0.0, 0.0), (0.02, 2.0, 1.0)))
    cells = np.unique(np.floor(points[:, 1:] / CELL_M), axis=0)
    inside = ((cells >= 0) & (cells < (2.0 / CELL_M, 1.0 / CELL_M))).all(axis=1)
    assert np.count_nonzero(inside) >= 0.97 * (2.0 / CELL_M) * (1.0 / CELL_M)
    assert not len(surface_points(np.zeros((0, 3, 3))))
