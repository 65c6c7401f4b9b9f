import numpy as np
import pytest
from tools.modelling.vehicles import buses

from fathom.assets.libraries import VEHICLES
from fathom.assets.model import fingerprint, standing
from fathom.assets.shapes import volume
from tests.assets.twowheeled import open_edges, points_of, seen
from tests.assets.whole import everything, middle, share_of_surface, vehicle

SUBTYPES = [name for name, m in VEHICLES.items() if m.category == "bus"]
PARTS = {
    "wheel_front_left", "wheel_front_right", "wheel_back_left", "wheel_back_right", "door_front_right",
    "bumper_front", "bumper_back", "head_light_left", "head_light_right", "tail_light_left",
    "tail_light_right", "mirror_left", "mirror_right", "license_plate_front", "license_plate_back", "roof",
    "windscreen", "windscreen_back", "windows_left", "windows_right", "sign",
}  # fmt: skip
OWN = {
    "regular": {"door_mid_right", "trunk"},
    "double": {"door_mid_right", "trunk"},
    "articulated": {
        "door_mid_right",
        "door_back_right",
        "wheel_mid_left",
        "wheel_mid_right",
        "bellows",
        "trunk",
    },
    "school": {"stop_sign", "rub_rails", "grille", "door_back", "crossing_mirrors"},
}

each = pytest.mark.parametrize("subtype", SUBTYPES)


@each
def test_it_has_the_parts_of_a_bus_and_those_of_its_kind(subtype: str) -> None:
    names = {p.name for p in vehicle(subtype).parts}
    assert names >= PARTS | OWN[subtype]
    assert not any("{" in name for name in names)


@each
def test_it_is_made_of_5_to_15_thousand_triangles_with_unit_normals(subtype: str) -> None:
    model = vehicle(subtype)
    assert 5_000 <= model.triangles <= 15_000
    for p in model.parts:
        assert np.isfinite(p.vertices).all()
        assert p.normals is not None
        assert np.allclose(np.linalg.norm(p.normals, axis=1), 1, atol=1e-4)


@each
def test_it_is_closed_and_faces_outwards(subtype: str) -> None:
    shell = everything(vehicle(subtype))
    assert open_edges(*shell) == 0
    length, width, height = vehicle(subtype).extents
    assert 0.4 < volume(shell) / (length * width * height) < 1.0


@each
def test_it_stands_on_its_wheels_and_nothing_is_below_them(subtype: str) -> None:
    model = vehicle(subtype)
    assert everything(model)[0][:, 2].min() == pytest.approx(0, abs=1e-9)
    wheels = {p.name for p in model.parts if p.name.startswith("wheel_") and p.name != "wheel_arches"}
    assert len(wheels) == (6 if subtype == "articulated" else 4)
    for name in wheels:
        points = points_of(model, name)
        assert points[:, 2].min() == pytest.approx(0, abs=1e-6)
        assert (points[:, 1].mean() > 0) == name.endswith("left")


@each
def test_the_front_is_ahead_of_the_back(subtype: str) -> None:
    model = vehicle(subtype)
    for front, back in (
        ("head_light_left", "tail_light_left"),
        ("bumper_front", "bumper_back"),
        ("license_plate_front", "license_plate_back"),
        ("windscreen", "windscreen_back"),
        ("wheel_front_left", "wheel_back_left"),
    ):
        assert points_of(model, front)[:, 0].min() > points_of(model, back)[:, 0].max()
    assert points_of(model, "sign")[:, 0].min() > 0.2


@each
def test_what_is_alike_on_both_sides_is_symmetric(subtype: str) -> None:
    model = vehicle(subtype)
    y = everything(model)[0][:, 1]
    assert y.min() == pytest.approx(-y.max(), abs=1e-4)
    for name in ("head_light_{}", "tail_light_{}", "mirror_{}", "wheel_front_{}", "signal_{}"):
        left, right = (middle(model, name.format(side)) for side in ("left", "right"))
        assert np.allclose(left, right * [1, -1, 1], atol=2e-3), name


@each
def test_passengers_board_on_the_right(subtype: str) -> None:
    model = vehicle(subtype)
    doors = {p.name for p in model.parts if p.name.startswith("door_") and p.name.endswith("right")}
    assert doors
    for name in doors:
        assert points_of(model, name)[:, 1].max() < 0
    assert middle(model, "door_front_right")[0] > 0.05


@each
def test_the_body_colour_is_what_one_sees_most_from_every_side(subtype: str) -> None:
    for azimuth in range(0, 360, 45):
        share = seen(vehicle(subtype), azimuth)
        assert share["body"] >= 0.5, azimuth
        assert max(share, key=share.__getitem__) == "body"
    assert share_of_surface(vehicle(subtype), "body") >= 0.4


@each
@pytest.mark.parametrize("turn", [-30, 0, 30])
def test_white_lamps_are_seen_from_ahead_and_red_ones_from_behind(subtype: str, turn: int) -> None:
    ahead, behind = (
        seen(vehicle(subtype), turn),
        seen(vehicle(subtype), 180 + turn),
    )
    assert ahead["headlamp"] > max(0.004, ahead.get("taillamp", 0))
    assert ahead["sign"] > 0.004 > behind.get("sign", 0)
    assert behind["taillamp"] > max(0.008, behind.get("headlamp", 0))


def test_a_double_decker_is_the_tallest_and_an_articulated_bus_the_longest() -> None:
    slender = {name: vehicle(name).extents[2] / vehicle(name).extents[0] for name in SUBTYPES}
    assert max(slender, key=slender.__getitem__) == "double"
    assert min(slender, key=slender.__getitem__) == "articulated"


def test_the_bonnet_of_a_school_bus_is_lower_than_its_cab() -> None:
    vertices = everything(vehicle("school"))[0]
    nose = vertices[vertices[:, 0] > 0.30]
    nose = nose[np.abs(nose[:, 1]) < 0.08]
    assert nose[:, 2].max() < 0.65 * vertices[:, 2].max()


def test_the_bellows_join_two_bodies_that_do_not_touch() -> None:
    model = vehicle("articulated")
    bellows = points_of(model, "bellows")[:, 0]
    body = points_of(model, "body")[:, 0]
    inside = (body > bellows.min() + 0.005) & (body < bellows.max() - 0.005)
    assert not inside.any()


@each
def test_the_same_bus_is_made_every_time(subtype: str) -> None:
    again = standing(getattr(buses, subtype)(), VEHICLES[subtype].longest_m)
    assert fingerprint(again) == VEHICLES[subtype].shape
