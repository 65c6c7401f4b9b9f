import numpy as np
import pytest
from tools.modelling.vehicles import motorbikes

from fathom.assets.libraries import VEHICLES
from fathom.assets.model import BODY, Model, fingerprint, standing
from fathom.assets.shapes import volume
from tests.assets.twowheeled import offcentre, open_edges, points_of, seen
from tests.assets.whole import vehicle

SUBTYPES = [name for name, m in VEHICLES.items() if m.category == "motorbike"]
PARTS = {
    "front_wheel", "back_wheel", "front_mudguard", "back_mudguard", "fork", "frame", "engine", "tank",
    "exhaust", "handle", "left_grip", "right_grip", "saddle", "head_light", "tail_light", "number_plate",
}  # fmt: skip
SCOOTER_PARTS = PARTS - {"back_mudguard", "frame", "engine", "tank"} | {
    "leg_shield",
    "floor",
    "body",
    "left_cowl",
}

pytestmark = pytest.mark.parametrize("subtype", SUBTYPES)


def front_radius(model: Model) -> float:
    """Return half the height of the front tyre."""
    return float(np.ptp(points_of(model, "front_wheel", "tyre")[:, 2])) / 2


def test_it_has_the_parts_of_a_motorbike(subtype: str) -> None:
    expected = SCOOTER_PARTS if subtype == "scooter" else PARTS
    assert expected <= {p.name for p in vehicle(subtype).parts}


def test_it_is_made_of_5_to_15_thousand_triangles_with_unit_normals(subtype: str) -> None:
    model = vehicle(subtype)
    assert 5_000 <= model.triangles <= 15_000
    for p in model.parts:
        assert np.isfinite(p.vertices).all()
        assert p.normals is not None
        assert np.allclose(np.linalg.norm(p.normals, axis=1), 1, atol=1e-4)


def test_every_part_is_closed_and_faces_outwards(subtype: str) -> None:
    for p in vehicle(subtype).parts:
        assert open_edges(p.vertices, p.faces) == 0, p.name
        assert volume((p.vertices, p.faces)) > 0, p.name


def test_it_stands_upright_on_both_wheels_and_nothing_is_below_them(subtype: str) -> None:
    model = vehicle(subtype)
    assert min(p.vertices[:, 2].min() for p in model.parts) >= -1e-9
    for name in ("front_wheel", "back_wheel"):
        assert points_of(model, name)[:, 2].min() == pytest.approx(0, abs=2e-3)
        tyre = points_of(model, name, "tyre")
        assert tyre[:, 1].min() == pytest.approx(-tyre[:, 1].max(), abs=1e-3)


def test_the_headlamp_is_ahead_of_the_saddle_and_the_tail_lamp_and_plate_behind_it(subtype: str) -> None:
    model = vehicle(subtype)
    order = ("head_light", "handle", "saddle", "tail_light")
    middle = [points_of(model, n)[:, 0].mean() for n in order]
    assert middle == sorted(middle, reverse=True)
    assert points_of(model, "number_plate")[:, 0].max() < points_of(model, "saddle")[:, 0].mean()
    assert points_of(model, "front_wheel")[:, 0].min() > points_of(model, "back_wheel")[:, 0].max()


def test_what_is_alike_on_both_sides_is_symmetric(subtype: str) -> None:
    model = vehicle(subtype)
    for name in ("fork", "handle", "saddle", "front_mudguard"):
        y = points_of(model, name)[:, 1]
        assert y.min() == pytest.approx(-y.max(), abs=2e-3), name
        assert offcentre(model, name) == pytest.approx(0, abs=1e-3), name


def test_the_body_colour_leads_from_every_side(subtype: str) -> None:
    model = vehicle(subtype)
    shares = [seen(model, azimuth) for azimuth in range(0, 360, 45)]
    assert np.mean([s[BODY] for s in shares]) > 0.4
    for share in shares:
        assert share[BODY] > 0.25
        assert share[BODY] == max(share.values())


def test_a_white_lamp_shows_ahead_and_a_red_lamp_and_a_plate_behind(subtype: str) -> None:
    model = vehicle(subtype)
    ahead, behind = seen(model, 0), seen(model, 180)
    assert ahead["headlamp"] > 0.03
    assert ahead.get("taillamp", 0) < 0.003
    assert behind["taillamp"] > 0.012
    assert behind["plate"] > 0.02
    assert behind.get("headlamp", 0) < 0.003


def test_it_is_the_same_whenever_it_is_made(subtype: str) -> None:
    again = standing(getattr(motorbikes, subtype)(), VEHICLES[subtype].longest_m)
    assert fingerprint(again) == VEHICLES[subtype].shape


def test_its_proportions_are_those_of_a_motorbike(subtype: str) -> None:
    length, width, height = vehicle(subtype).extents
    assert 0.25 < width / length < 0.5
    assert 0.45 < height / length < 0.75


def test_it_differs_from_the_others_in_what_its_kind_is_known_by(subtype: str) -> None:
    model = vehicle(subtype)
    names = {p.name for p in model.parts}
    others = [vehicle(n) for n in SUBTYPES if n != subtype]
    if subtype == "chopper":
        fork = points_of(model, "fork")
        lean = np.degrees(np.arctan2(np.ptp(fork[:, 0]), np.ptp(fork[:, 2])))
        assert 40 < lean < 55
        assert points_of(model, "sissy_bar")[:, 2].max() > points_of(model, "tank")[:, 2].max()
        assert not {"left_saddlebag", "right_saddlebag"} & names
    elif subtype == "dirtbike":
        clearance = points_of(model, "front_mudguard")[:, 2].min() - 2 * front_radius(model)
        assert clearance > 0
        assert {"number_board", "shroud", "hand_guard", "side_panel"} <= names
        assert "rubber" in {p.material.name for p in model.parts if p.name == "front_wheel"}
    elif subtype == "scooter":
        assert front_radius(model) < 0.8 * min(front_radius(m) for m in others)
        shield, saddle = points_of(model, "leg_shield"), points_of(model, "saddle")
        floor = points_of(model, "floor")
        assert shield[:, 0].min() - saddle[:, 0].max() > 0.1
        assert floor[:, 2].max() < 0.5 * saddle[:, 2].min()
    else:
        assert {"left_saddlebag", "right_saddlebag", "crash_bar"} <= names
        assert "white" in {p.material.name for p in model.parts if p.name == "front_wheel"}
