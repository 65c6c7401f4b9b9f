"""The built-in aeroplanes: closed, symmetric, facing forwards, and mostly in the body colour."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from tools.modelling.vehicles import aeroplanes
from tools.modelling.vehicles.airframe import eased, foil, hull, on_hull, pane, sash, skin, stretch

from fathom.assets.libraries import VEHICLES
from fathom.assets.model import BODY, Model, fingerprint, painted
from fathom.assets.shapes import inside_out, volume
from tests.assets.whole import vehicle

AEROPLANES = [name for name, m in VEHICLES.items() if m.category == "aeroplane"]
ONE_SIDED = {"left_door", "propeller", "engine"}
"""What a real one has on one side only, or turned at any angle."""

Points = NDArray[np.float64]
each = pytest.mark.parametrize("subtype", AEROPLANES)


def points(model: Model, *names: str) -> Points:
    found = [p.vertices for p in model.parts if p.name in names]
    assert found, f"{model.subtype} has no part named {' or '.join(names)}"
    return np.concatenate(found)


def surface(model: Model, material: str | None = None) -> float:
    total = 0.0
    for p in model.parts:
        if material is None or p.material.name == material:
            a, b, c = (p.vertices[p.faces[:, k]] for k in range(3))
            total += float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)
    return total


def seen_faces(model: Model, elevation_deg: float, azimuth_deg: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return for each ray that meets the model: the part it meets, and whether it meets a front."""
    import trimesh

    corners = np.concatenate([p.vertices[p.faces] for p in model.parts])
    owner = np.concatenate([np.full(len(p.faces), i) for i, p in enumerate(model.parts)])
    mesh = trimesh.Trimesh(corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3), process=False)
    e, a = np.radians(elevation_deg), np.radians(azimuth_deg)
    towards = -np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    u, v = (g.ravel() for g in np.meshgrid(*[np.linspace(-0.42, 0.42, 90)] * 2))
    starts = np.outer(u, right) + np.outer(v, np.cross(right, towards)) - 3 * towards + (0, 0, 0.1)
    hit = mesh.ray.intersects_first(starts, np.broadcast_to(towards, starts.shape))
    hit = hit[hit >= 0]
    t = corners[hit]
    normal = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    return owner[hit], normal @ towards < 0


@each
def test_an_aeroplane_has_between_5000_and_15000_triangles(subtype: str) -> None:
    assert 5_000 <= vehicle(subtype).triangles <= 15_000


@each
def test_vertices_and_normals_are_finite_and_normals_are_unit_vectors(subtype: str) -> None:
    for p in vehicle(subtype).parts:
        assert np.isfinite(p.vertices).all()
        assert p.normals is not None
        np.testing.assert_allclose(np.linalg.norm(p.normals, axis=1), 1, atol=1e-3)


@each
def test_it_stands_on_its_wheels_and_nothing_is_below_them(subtype: str) -> None:
    model = vehicle(subtype)
    wheels = {p.name for p in model.parts if p.name.endswith("_wheel")}
    assert len(wheels) == 3
    for name in wheels:
        assert points(model, name)[:, 2].min() == pytest.approx(0, abs=0.006)
    rest = np.concatenate([p.vertices for p in model.parts if p.name not in wheels])
    assert rest[:, 2].min() > 0.01


@each
def test_the_body_is_closed_and_faces_outwards(subtype: str) -> None:
    for p in vehicle(subtype).parts:
        if p.material.name == BODY:
            assert volume((p.vertices, p.faces)) > 0, p.name


@each
def test_no_camera_sees_the_back_of_a_face(subtype: str) -> None:
    model = vehicle(subtype)
    for azimuth in range(0, 360, 45):
        for elevation in (12, 30, 60):
            owner, front = seen_faces(model, elevation, azimuth)
            wrong = {model.parts[i].name for i in owner[~front]}
            assert front.mean() > 0.999, (azimuth, elevation, wrong)


@each
def test_the_left_mirrors_the_right(subtype: str) -> None:
    model = vehicle(subtype)
    cloud = np.concatenate([p.vertices for p in model.parts if p.name not in ONE_SIDED])
    own, other = ({tuple(row) for row in np.round(cloud * (1, side, 1), 3) + 0.0} for side in (1, -1))
    # The wells cut into a fuselage are triangulated freely, and millimetres may round either way.
    assert len(other - own) < 0.1 * len(other)


@each
def test_named_parts_are_there_and_on_their_side(subtype: str) -> None:
    model = vehicle(subtype)
    wing = "upper_wing" if subtype == "biplane" else "wing"
    for name in (wing, "tailplane"):
        assert points(model, f"left_{name}")[:, 1].mean() > 0.02
        assert points(model, f"right_{name}")[:, 1].mean() < -0.02
    points(model, "fuselage")
    points(model, "cockpit")


@each
def test_the_cockpit_is_ahead_of_the_wings_and_they_are_ahead_of_the_tail(subtype: str) -> None:
    model = vehicle(subtype)
    tail = points(model, "left_tailplane")[:, 0].mean()
    if subtype == "biplane":
        assert points(model, "propeller")[:, 0].min() > points(model, "left_upper_wing")[:, 0].max()
        assert points(model, "rudder")[:, 0].mean() < -0.2
    else:
        assert points(model, "cockpit")[:, 0].min() > points(model, "left_wing")[:, 0].mean()
    assert points(model, "left_upper_wing", "left_wing")[:, 0].mean() > tail + 0.1


@each
def test_most_of_what_cameras_see_is_in_the_body_colour(subtype: str) -> None:
    model = vehicle(subtype)
    assert surface(model, BODY) > 0.5 * surface(model)
    body = np.array([p.material.name == BODY for p in model.parts])
    for azimuth in range(0, 360, 45):
        owner, _ = seen_faces(model, 30, azimuth)
        assert body[owner].mean() > 0.6, azimuth


@each
def test_paint_changes_the_body_and_nothing_else(subtype: str) -> None:
    plain, red = (
        vehicle(subtype),
        painted(vehicle(subtype), (0.7, 0.1, 0.1)),
    )
    for a, b in zip(plain.parts, red.parts, strict=True):
        assert (b.material.color == (0.7, 0.1, 0.1)) == (a.material.name == BODY)


@each
def test_made_twice_it_is_the_same(subtype: str) -> None:
    make = getattr(aeroplanes, subtype)
    assert fingerprint(make()) == fingerprint(make())


def test_the_four_have_what_tells_them_apart() -> None:
    jet, fighter, biplane, airliner = (vehicle(s) for s in ("jet", "fighter", "biplane", "airliner"))
    assert points(jet, "left_tailplane")[:, 2].min() > points(jet, "fuselage")[:, 2].max()
    assert points(jet, "left_engine")[:, 0].mean() < points(jet, "left_wing")[:, 0].mean()
    assert points(airliner, "left_engine")[:, 2].max() < points(airliner, "fuselage")[:, 2].mean() + 0.02
    assert points(airliner, "left_engine")[:, 0].mean() > points(airliner, "left_wing")[:, 0].mean()
    assert points(fighter, "left_fin")[:, 1].min() > 0 > points(fighter, "right_fin")[:, 1].max()
    assert points(fighter, "left_nozzle")[:, 0].max() < points(fighter, "left_wing")[:, 0].mean()
    gap = points(biplane, "left_upper_wing")[:, 2].mean() - points(biplane, "left_lower_wing")[:, 2].mean()
    assert gap > 0.1


BODY_TABLE = [(0.0, 0, 0.1, 0.1, 0.1, 2), (1.0, 0, 0.5, 0.6, 0.4, 2.5), (4.0, 0.2, 0.3, 0.3, 0.3, 2)]


@given(st.floats(0, 4), st.floats(-180, 180))
def test_points_on_a_hull_fulfil_the_equation_of_its_section(aft: float, angle: float) -> None:
    body = hull(BODY_TABLE, 8)
    (x, y, z), order = on_hull(body, [aft], [angle])[0], slice(None, None, -1)
    axis, width, up, down, power = (
        float(np.interp(x, body.x[order], c[order]))
        for c in (body.axis, body.width, body.up, body.down, body.power)
    )
    height = up if z >= axis else down
    assert abs(y / width) ** power + abs((z - axis) / height) ** power == pytest.approx(1, abs=1e-6)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=7), st.integers(1, 6))
def test_eased_rows_pass_through_the_table_and_never_overshoot(values: list[float], steps: int) -> None:
    table = np.array(values)[:, None]
    rows = eased(table, steps)
    np.testing.assert_allclose(rows[::steps], table, atol=1e-12)
    for k, (a, b) in enumerate(itertools.pairwise(values)):
        span = rows[k * steps : (k + 1) * steps + 1, 0]
        assert min(a, b) - 1e-9 <= span.min()
        assert span.max() <= max(a, b) + 1e-9


def test_shells_of_an_airframe_face_outwards() -> None:
    body = hull(BODY_TABLE)
    wing = [(0, 0, 0, 1, 0.1, 0), (0.2, 2, 0.1, 0.6, 0.1, 5)]
    for shell in (skin(body), foil(wing), foil(wing, tip=0.2), sash(body, [(1, 80, 90), (3, 80, 90)])):
        assert volume(shell) > 0
        assert volume(inside_out(shell)) < 0


def test_a_pane_lies_just_above_the_hull_whichever_way_its_corners_run() -> None:
    body = hull(BODY_TABLE, 12)
    corners = [(1.5, 40), (2.0, 40), (2.0, 80), (1.5, 80)]
    for order in (corners, corners[::-1]):
        vertices, faces = pane(body, order, lift=0.01)
        t = vertices[faces[0]]
        assert np.cross(t[1] - t[0], t[2] - t[0]) @ (t.mean(axis=0) * (0, 1, 1)) > 0
        angle = np.degrees(np.arctan2(vertices[0, 1], 1))
        assert 0 < angle < 90


def test_half_way_along_stations_lies_between_them() -> None:
    rows = [(0, 0, 0, 2, 0.1, 0), (1, 4, 1, 1, 0.1, 0), (3, 6, 2, 0.5, 0.1, 0)]
    np.testing.assert_allclose(stretch(rows, 0.5, 2), [(0.5, 2, 0.5, 1.5, 0.1, 0), rows[1], rows[2]])
