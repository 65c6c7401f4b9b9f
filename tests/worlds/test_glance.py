"""A quick look agrees with what it stands for: who is nearer, what lies outside, how much is hidden."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.geometry.cameras import look_at
from fathom.records import Camera
from fathom.scenes.approximate_visibility import CELL_PX, approximate_visibility, cells_of

CAMERA = Camera(
    width=320, height=240, fx=350.0, fy=350.0, cx=160.0, cy=120.0,
    poses=(look_at((10.0, 0.0, 0.0), (0.0, 0.0, 0.0)),),
)  # fmt: skip


def wall(distance_m: float, left_m: float = -1.0, right_m: float = 1.0) -> np.ndarray:
    """Points of a wall across the view, 2 m high, so close that no cell is missed."""
    y, z = np.meshgrid(np.arange(left_m, right_m, 0.02), np.arange(-1.0, 1.0, 0.02))
    return np.column_stack([np.full(y.size, 10.0 - distance_m), y.ravel(), z.ravel()])


def test_the_nearer_wall_hides_the_farther_one_whatever_their_order() -> None:
    near, far = cells_of(CAMERA, wall(8.0)), cells_of(CAMERA, wall(10.0))
    for objects, (front, back) in (((near, far), (0, 1)), ((far, near), (1, 0))):
        look = approximate_visibility(objects)
        assert look.shown[front] == 1
        assert look.shown[back] == 0
        assert look.hidden[back, front] == 1
        assert look.hidden[front, back] == 0


def test_half_a_wall_hides_half_of_the_one_behind() -> None:
    look = approximate_visibility([cells_of(CAMERA, wall(10.0)), cells_of(CAMERA, wall(9.9, 0.0, 1.0))])
    assert abs(look.hidden[0, 1] - 0.5) < 0.05
    assert abs(look.shown[0] - 0.5) < 0.05


def test_what_lies_beyond_the_edge_is_not_inside() -> None:
    edge_m = 160 / 350 * 10
    look = approximate_visibility([cells_of(CAMERA, wall(10.0, edge_m - 1, edge_m + 1))])
    assert abs(look.inside[0] - 0.5) < 0.06
    assert look.shown[0] == look.inside[0]


def test_what_is_behind_the_camera_has_no_cells() -> None:
    look = approximate_visibility([cells_of(CAMERA, wall(-3.0)), cells_of(CAMERA, wall(5.0))])
    assert look.shown.tolist() == [0, 1]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(4, 12), st.floats(-6, 5)), min_size=1, max_size=5))
def test_every_cell_in_the_picture_shows_one_object(walls: list[tuple[float, float]]) -> None:
    look = approximate_visibility([cells_of(CAMERA, wall(d, y, y + 1)) for d, y in walls])
    assert np.allclose(look.shown + look.hidden.sum(axis=1), look.inside)
    assert (np.diag(look.hidden) == 0).all()


def test_a_walls_size_is_about_right() -> None:
    side_px = 2 / 10 * 350
    cells = cells_of(CAMERA, wall(10.0))
    assert side_px**2 <= cells.count * CELL_PX**2 <= (side_px + 2 * CELL_PX) ** 2
