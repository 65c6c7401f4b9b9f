import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.modelling.vehicles.materials import TRIM
from tools.modelling.vehicles.twowheelers import (
    Wheel,
    across,
    bent,
    blade,
    headlamp,
    mudguard,
    pod,
    sheet,
    smooth,
    taillamp,
    wheel,
)

from tests.assets.twowheeled import is_solid

size = st.floats(0.02, 0.5)
point = st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))


@given(st.lists(point, min_size=2, max_size=6), st.integers(1, 6))
def test_a_smooth_curve_runs_through_all_its_points(
    points: list[tuple[float, float, float]], steps: int
) -> None:
    curve = smooth(points, steps)
    assert len(curve) == steps * (len(points) - 1) + 1
    assert np.allclose(curve[::steps], points)


def test_a_bent_path_keeps_its_ends_and_cuts_its_corners() -> None:
    path = bent([(0, 0, 0), (1, 0, 0), (1, 1, 0)], 0.2)
    assert path[0].tolist() == [0, 0, 0]
    assert path[-1].tolist() == [1, 1, 0]
    assert np.linalg.norm(path - [1, 0, 0], axis=1).min() == pytest.approx(0.2 / np.sqrt(8), rel=0.01)


@given(st.lists(point, min_size=1, max_size=5))
def test_a_path_across_is_its_own_mirror_image(half: list[tuple[float, float, float]]) -> None:
    path = across([(0.0, 0.0, 0.0), *half])
    assert np.array_equal(path, path[::-1] * [1, -1, 1])


@settings(deadline=None)
@given(size, size, size, st.floats(1.6, 5.0))
def test_a_pod_is_solid_and_as_large_as_its_widest_row(
    w: float, h: float, length: float, square: float
) -> None:
    rows = [(0.0, -0.1 * h, 0.1 * h, 0.1 * w), (length, -h, h, w), (2 * length, -0.1 * h, 0.1 * h, 0.1 * w)]
    shell = pod(rows, 20, 3, square)
    assert is_solid(shell)
    assert np.ptp(shell[0][:, 0]) == pytest.approx(2 * length)
    assert np.abs(shell[0][:, 1]).max() <= w * 1.0001


@settings(deadline=None)
@given(st.integers(2, 6), st.integers(2, 6), st.floats(0.002, 0.02))
def test_a_sheet_is_solid_and_as_thick_as_asked(k: int, n: int, thickness: float) -> None:
    x, y = np.meshgrid(np.linspace(0, 1, k), np.linspace(0, 1, n), indexing="ij")
    shell = sheet(np.stack([x, y, np.zeros_like(x)], axis=-1), thickness)
    assert is_solid(shell)
    assert np.ptp(shell[0][:, 2]) == pytest.approx(thickness)


@settings(deadline=None)
@given(st.floats(-10, 60), st.floats(100, 200), st.floats(0.02, 0.14), st.floats(0.0, 0.12))
def test_a_mudguard_is_solid_and_clears_its_wheel(
    first: float, last: float, half: float, drop: float
) -> None:
    shell = mudguard((0, 0, 0.3), 0.34, (first, last), half, drop)
    assert is_solid(shell)
    top = shell[0][np.abs(shell[0][:, 1]) < 0.3 * half]
    assert np.hypot(top[:, 0], top[:, 2] - 0.3).min() > 0.34 - drop - 0.004


def test_an_open_mudguard_is_solid() -> None:
    assert is_solid(blade([(0.0, 0.5, 0.1), (0.3, 0.55, 0.1), (0.6, 0.5, 0.05)], 0.03))


@pytest.mark.parametrize("knobs", [0, 30])
def test_a_wheel_stands_on_the_ground_and_turns_about_its_axle(knobs: int) -> None:
    w = Wheel(
        radius=0.35, half_width=0.03, tyre=0.05, rim=0.03, spokes=12, hub=0.03, hub_half=0.05, knobs=knobs,
        disc=0.1, whitewall=True,
    )  # fmt: skip
    pieces = wheel("front_wheel", w, 0.6)
    assert all(is_solid(shell) for _, shell, _ in pieces)
    assert {name for name, _, _ in pieces} == {"front_wheel"}
    points = np.concatenate([shell[0] for _, shell, _ in pieces])
    reach = np.hypot(points[:, 0] - 0.6, points[:, 2] - 0.35).max()
    assert 0.35 <= reach < (0.36 if knobs else 0.3501)


def test_a_headlamp_looks_ahead_and_a_tail_lamp_back() -> None:
    for pieces, sign in (
        (headlamp((1.0, 0.0, 0.5), 0.1, 0.1, TRIM), 1),
        (taillamp((1.0, 0.0, 0.5), 0.1, 0.1), -1),
    ):
        bowl, lens = (shell for _, shell, _ in pieces)
        assert is_solid(bowl)
        assert is_solid(lens)
        assert sign * (lens[0][:, 0].mean() - bowl[0][:, 0].mean()) > 0.02
