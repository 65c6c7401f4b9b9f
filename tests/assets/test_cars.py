import numpy as np
import pytest
from tools.modelling.vehicles import cars

from fathom.assets.libraries import VEHICLES
from fathom.assets.model import fingerprint, standing
from fathom.assets.shapes import volume
from tests.assets.twowheeled import offcentre, open_edges, points_of, seen
from tests.assets.whole import everything, middle, share_of_surface, vehicle

SUBTYPES = [name for name, m in VEHICLES.items() if m.category == "car"]
WHEELS = [f"{end}_{side}_wheel" for end in ("front", "back") for side in ("left", "right")]
PARTS = {
    *WHEELS, "front_left_door", "front_right_door", "back_left_door", "back_right_door", "hood", "trunk",
    "roof", "front_bumper", "back_bumper", "left_mirror", "right_mirror", "left_head_light",
    "right_head_light", "left_tail_light", "right_tail_light", "front_license_plate", "back_license_plate",
    "windscreen", "back_windscreen", "front_left_window", "front_right_window", "grille",
}  # fmt: skip
OWN = {
    "suv": {"spare_wheel", "roof_rails", "cladding", "skid_plate"},
    "wagon": {"roof_rails", "spoiler"},
    "minivan": {"left_door_track", "right_door_track", "spoiler"},
    "sedan": {"window_line"},
    "truck": {"bed"},
}

each = pytest.mark.parametrize("subtype", SUBTYPES)


@each
def test_it_has_the_parts_of_a_car_and_those_of_its_kind(subtype: str) -> None:
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
    assert 0.25 < volume(shell) / (length * width * height) < 0.8


@each
def test_it_stands_on_four_wheels_and_nothing_is_below_them(subtype: str) -> None:
    model = vehicle(subtype)
    assert everything(model)[0][:, 2].min() == pytest.approx(0, abs=1e-9)
    for name in WHEELS:
        assert points_of(model, name)[:, 2].min() == pytest.approx(0, abs=1e-6)


@each
def test_its_wheels_are_at_the_corners_that_their_names_say(subtype: str) -> None:
    model = vehicle(subtype)
    for name in WHEELS:
        x, y, _ = points_of(model, name).mean(axis=0)
        assert (x > 0.15) == name.startswith("front")
        assert (y > 0.1) == ("left" in name)


@each
def test_the_front_is_ahead_of_the_back(subtype: str) -> None:
    model = vehicle(subtype)
    for front, back in (
        ("left_head_light", "left_tail_light"),
        ("front_bumper", "back_bumper"),
        ("front_license_plate", "back_license_plate"),
        ("windscreen", "back_windscreen"),
        ("hood", "trunk"),
    ):
        assert points_of(model, front)[:, 0].min() > points_of(model, back)[:, 0].max()


@each
def test_left_and_right_are_alike(subtype: str) -> None:
    model = vehicle(subtype)
    y = everything(model)[0][:, 1]
    assert y.min() == pytest.approx(-y.max(), abs=1e-4)
    for name in ("body", "roof", "hood", "windscreen", "grille"):
        assert abs(offcentre(model, name)) < 1.5e-3, name
    for left in (p.name for p in model.parts if "left" in p.name):
        mirrored = middle(model, left.replace("left", "right")) * [1, -1, 1]
        assert np.allclose(middle(model, left), mirrored, atol=1.5e-3), left


@each
def test_the_body_colour_is_what_one_sees_most_from_every_side(subtype: str) -> None:
    for azimuth in range(0, 360, 45):
        share = seen(vehicle(subtype), azimuth)
        assert share["body"] >= 0.45, azimuth
        assert max(share, key=share.__getitem__) == "body"
    assert share_of_surface(vehicle(subtype), "body") >= 0.3


@each
@pytest.mark.parametrize("turn", [-30, 0, 30])
def test_white_lamps_are_seen_from_ahead_and_red_ones_from_behind(subtype: str, turn: int) -> None:
    ahead, behind = (
        seen(vehicle(subtype), turn),
        seen(vehicle(subtype), 180 + turn),
    )
    assert ahead["headlamp"] > max(0.018, 3 * ahead.get("taillamp", 0))
    assert behind["taillamp"] > max(0.009, 3 * behind.get("headlamp", 0))


def test_the_five_differ_in_height_as_they_do_on_the_road() -> None:
    tall = {name: vehicle(name).extents[2] / vehicle(name).extents[0] for name in SUBTYPES}
    assert max(tall["sedan"], tall["wagon"]) < min(tall["suv"], tall["minivan"])
    assert tall["sedan"] < tall["truck"] < tall["suv"]


def test_the_bed_of_the_truck_is_open_to_the_sky() -> None:
    bed = points_of(vehicle("truck"), "bed")
    floor = bed[:, 2].min()
    above = everything(vehicle("truck"))[0]
    over = above[(above[:, 0] < bed[:, 0].max() - 0.01) & (np.abs(above[:, 1]) < 0.08)]
    assert over[over[:, 0] > bed[:, 0].min() + 0.01][:, 2].max() < floor + 0.03


@each
def test_the_same_car_is_made_every_time(subtype: str) -> None:
    again = standing(getattr(cars, subtype)(), VEHICLES[subtype].longest_m)
    assert fingerprint(again) == VEHICLES[subtype].shape
