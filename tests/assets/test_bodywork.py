"""Pockets, panels, joints and bores on a plain block, where what must come out is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.modelling.vehicles.bodywork import (
    Body,
    body,
    bored,
    disc,
    joined,
    outline,
    parts_of,
    raised,
    rectangle,
    rounded,
    scored,
    sunk,
    union,
)
from tools.modelling.vehicles.materials import GLASS, PAINT, RUBBER, TRIM
from tools.modelling.vehicles.trims import Trim, block, trimmed

from fathom.assets.model import Model
from fathom.assets.shapes import box, extrude, volume
from tests.assets.twowheeled import open_edges
from tests.assets.whole import everything, middle

VIEWS = st.sampled_from(["left", "right", "front", "back", "top"])
DEPTHS = st.floats(0.005, 0.05)
SIZES = st.floats(0.1, 0.35)


def plain() -> Body:
    corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
    return body(extrude(corners, -0.5, 0.5), PAINT)


def model(b: Body) -> Model:
    return Model("block", "car", "block", parts_of(b))


def area(m: Model, name: str, material: str) -> float:
    t = np.concatenate(
        [p.vertices[p.faces] for p in m.parts if (p.name, p.material.name) == (name, material)]
    )
    return float(np.linalg.norm(np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0]), axis=1).sum() / 2)


@settings(max_examples=25, deadline=None)
@given(VIEWS, DEPTHS, SIZES, SIZES)
def test_a_pocket_takes_its_area_times_its_depth(view: str, depth: float, a: float, c: float) -> None:
    # The skin of a block moves along the diagonals at its corners: by depth / √3 on each face.
    m = model(sunk(plain(), view, rectangle((-a, -c), (a, c)), depth, ("window", GLASS)))
    assert volume(everything(m)) == pytest.approx(1 - 4 * a * c * depth / np.sqrt(3), abs=2e-4)
    assert open_edges(*everything(m)) == 0


@settings(max_examples=25, deadline=None)
@given(VIEWS, DEPTHS, SIZES, SIZES)
def test_a_panel_adds_its_area_times_its_height(view: str, height: float, a: float, c: float) -> None:
    m = model(raised(plain(), view, rectangle((-a, -c), (a, c)), height, ("plate", TRIM)))
    assert volume(everything(m)) == pytest.approx(1 + 4 * a * c * height / np.sqrt(3), abs=2e-4)
    assert open_edges(*everything(m)) == 0


@pytest.mark.parametrize(
    ("view", "axis", "sign"),
    [("left", 1, 1), ("right", 1, -1), ("front", 0, 1), ("back", 0, -1), ("top", 2, 1)],
)
def test_a_pocket_lies_on_the_side_from_which_it_is_drawn(view: str, axis: int, sign: int) -> None:
    m = model(sunk(plain(), view, rectangle((-0.2, -0.2), (0.2, 0.2)), 0.03, ("window", GLASS)))
    at = middle(m, "window")
    assert at[axis] * sign > 0.45
    assert np.allclose(np.delete(at, axis), 0, atol=1e-6)


def test_side_means_left_and_right_each_under_its_own_name() -> None:
    m = model(sunk(plain(), "side", rectangle((0.1, 0.1), (0.3, 0.3)), 0.03, ("{side}_window", GLASS)))
    left, right = middle(m, "left_window"), middle(m, "right_window")
    assert np.allclose(left, right * [1, -1, 1], atol=1e-6)
    assert left[1] > 0.4


def test_the_walls_of_a_pocket_may_be_of_another_material() -> None:
    window = rectangle((-0.2, -0.2), (0.2, 0.2))
    m = model(sunk(plain(), "left", window, 0.03, ("window", GLASS), 0.0, RUBBER))
    assert area(m, "window", "glass") == pytest.approx(0.16, rel=1e-3)
    assert area(m, "window", "rubber") == pytest.approx(1.6 * 0.03 / np.sqrt(3), rel=1e-2)


def test_a_scored_region_is_a_part_of_its_own_on_its_own_side_only() -> None:
    m = model(scored(plain(), "left", rectangle((-0.3, -0.3), (0.3, 0.3)), "door", ("joints", TRIM), 0.02))
    assert area(m, "door", PAINT.name) == pytest.approx(0.58**2, rel=1e-2)
    assert middle(m, "door")[1] == pytest.approx(0.5, abs=1e-3)


def test_a_bore_and_its_plug_leave_the_block_as_it_was() -> None:
    plug = box((0, 0, 0.4), (0.3, 0.3, 0.4))
    m = model(
        joined(bored(plain(), plug, ("hole", TRIM)), box((0, 0, 0.35), (0.3, 0.3, 0.3)), ("plug", TRIM))
    )
    assert volume(everything(m)) == pytest.approx(1, abs=1e-5)


def test_normals_look_outwards_everywhere() -> None:
    b = sunk(plain(), "left", disc((0, 0), 0.3), 0.03, ("window", GLASS))
    for p in parts_of(bored(b, box((0, 0, 0.4), (0.3, 0.3, 0.4)), ("hole", TRIM))):
        t = p.vertices[p.faces]
        flat = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
        assert p.normals is not None
        assert (np.einsum("ij,ikj->ik", flat, p.normals[p.faces]) >= -1e-9).all(), p.name


def test_an_outline_is_the_same_whichever_way_round_it_is_given() -> None:
    corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert outline(corners).area() == outline(corners[::-1]).area() == pytest.approx(1)


@given(st.floats(0.01, 0.4))
def test_rounding_takes_the_corners_only(radius: float) -> None:
    lost = 1 - rounded(rectangle((0, 0), (1, 1)), radius).area()
    assert 0 < lost < 1.01 * radius**2


def test_two_blocks_that_overlap_become_one_closed_skin() -> None:
    shell = union(box((0, 0, 0), (1, 1, 1)), box((0.5, 0, 0), (1, 0.5, 0.5)))
    assert open_edges(*shell) == 0
    assert volume(shell) == pytest.approx(1 + 0.5 * 0.25, abs=1e-6)


def test_trims_named_for_a_side_are_mirrored_in_front() -> None:
    lamp = Trim("{side}_lamp", "front", block((0.2, 0.0), (0.4, 0.2)), 0.02, GLASS)
    m = model(trimmed(plain(), (lamp,), -0.5, 0.5))
    assert middle(m, "left_lamp")[1] == pytest.approx(0.3, abs=1e-3)
    assert middle(m, "right_lamp")[1] == pytest.approx(-0.3, abs=1e-3)


def test_a_filled_trim_is_built_up_from_the_floor_of_a_pocket() -> None:
    grille = Trim("grille", "front", block((-0.3, -0.3), (0.3, 0.3)), -0.04, TRIM, 0.0)
    bar = Trim("bar", "front", block((-0.3, -0.1), (0.3, 0.1)), -0.01, GLASS, 0.0, fill=True)
    m = model(trimmed(plain(), (grille, bar), -0.5, 0.5))
    bars = np.concatenate([p.vertices for p in m.parts if p.name == "bar"])
    assert bars[:, 0].max() == pytest.approx(0.5 - 0.01 / np.sqrt(3), abs=1e-4)
    assert bars[:, 0].min() == pytest.approx(0.5 - 0.04 / np.sqrt(3), abs=1e-4)


def test_a_shell_with_a_hole_is_refused() -> None:
    vertices, faces = box((0, 0, 0), (1, 1, 1))
    with pytest.raises(ValueError, match="not a closed solid"):
        body((vertices, faces[:-1]), PAINT)
