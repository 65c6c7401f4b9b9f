import numpy as np
import pytest
from tools.modelling.vehicles import bicycles

from fathom.assets.libraries import VEHICLES
from fathom.assets.model import BODY, fingerprint, standing
from fathom.assets.shapes import volume
from tests.assets.twowheeled import offcentre, open_edges, points_of, seen
from tests.assets.whole import vehicle

SUBTYPES = [name for name, m in VEHICLES.items() if m.category == "bicycle"]
PARTS = {
    "front_wheel", "back_wheel", "frame", "fork", "handle", "left_grip", "right_grip", "saddle", "seat_post",
    "stem", "left_pedal", "right_pedal", "left_crank", "right_crank", "head_light", "tail_light",
}  # fmt: skip

pytestmark = pytest.mark.parametrize("subtype", SUBTYPES)


def test_it_has_the_parts_of_a_bicycle(subtype: str) -> None:
    names = {p.name for p in vehicle(subtype).parts}
    expected = PARTS - {"left_grip", "right_grip"} if subtype == "road" else PARTS
    assert expected <= names


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
        wheel = points_of(model, name)
        assert wheel[:, 2].min() == pytest.approx(0, abs=2e-3)
        tyre = points_of(model, name, "tyre")
        assert tyre[:, 1].min() == pytest.approx(-tyre[:, 1].max(), abs=1e-3)


def test_the_lamp_and_the_bars_are_ahead_of_the_saddle_and_the_tail_lamp_behind_it(subtype: str) -> None:
    model = vehicle(subtype)
    middle = {n: points_of(model, n)[:, 0].mean() for n in ("head_light", "handle", "saddle", "tail_light")}
    assert middle["head_light"] > middle["handle"] > middle["saddle"] > middle["tail_light"]
    assert points_of(model, "front_wheel")[:, 0].min() > points_of(model, "back_wheel")[:, 0].max()


def test_what_is_alike_on_both_sides_is_symmetric(subtype: str) -> None:
    model = vehicle(subtype)
    for name in ("frame", "fork", "handle", "saddle"):
        y = points_of(model, name)[:, 1]
        assert y.min() == pytest.approx(-y.max(), abs=2e-3), name
        assert offcentre(model, name) == pytest.approx(0, abs=1e-3), name


def test_the_chain_is_on_the_right(subtype: str) -> None:
    name = "chain_case" if subtype == "utility" else "chain"
    assert points_of(vehicle(subtype), name)[:, 1].min() < -0.01


def test_the_body_colour_leads_from_every_side(subtype: str) -> None:
    model = vehicle(subtype)
    shares = [seen(model, azimuth) for azimuth in range(0, 360, 45)]
    assert np.mean([s[BODY] for s in shares]) > 0.42
    for share in shares:
        assert share[BODY] > 0.2
        assert share[BODY] == max(share.values())


def test_a_white_lamp_shows_ahead_and_a_red_one_behind(subtype: str) -> None:
    model = vehicle(subtype)
    ahead, behind = seen(model, 0), seen(model, 180)
    assert ahead["headlamp"] > 0.015
    assert ahead.get("taillamp", 0) < 0.003
    assert behind["taillamp"] > 0.012
    assert behind.get("headlamp", 0) < 0.003


def test_it_is_the_same_whenever_it_is_made(subtype: str) -> None:
    again = standing(getattr(bicycles, subtype)(), VEHICLES[subtype].longest_m)
    assert fingerprint(again) == VEHICLES[subtype].shape


def test_its_proportions_are_those_of_a_bicycle(subtype: str) -> None:
    length, width, height = vehicle(subtype).extents
    assert 0.12 < width / length < 0.45
    assert 0.38 < height / length < 0.68


def test_it_differs_from_the_others_in_what_its_kind_is_known_by(subtype: str) -> None:
    model = vehicle(subtype)
    names = {p.name for p in model.parts}
    length = {n: points_of(vehicle(n), "back_wheel")[:, 2].max() for n in SUBTYPES}
    tyre = {n: np.ptp(points_of(vehicle(n), "front_wheel", "tyre")[:, 1]) / length[n] for n in SUBTYPES}
    if subtype == "road":
        assert tyre[subtype] == min(tyre.values())
        assert points_of(model, "handle")[:, 2].min() < points_of(model, "stem")[:, 2].max() - 0.05
        assert not {"front_mudguard", "carrier", "basket"} & names
    elif subtype == "mountain":
        assert tyre[subtype] == max(tyre.values())
        assert {p.material.name for p in model.parts if p.name == "fork"} == {BODY, "chrome"}
        bar = points_of(model, "handle")
        assert np.ptp(bar[:, 1]) > 6 * np.ptp(bar[:, 2])
    elif subtype == "utility":
        assert points_of(model, "basket")[:, 0].mean() > points_of(model, "handle")[:, 0].mean()
        assert {"carrier", "skirt_guard", "chain_case", "front_mudguard", "back_mudguard"} <= names
    else:
        assert {"saddle_2", "handle_2", "left_pedal_2", "right_pedal_2"} <= names
        others = [vehicle(n) for n in SUBTYPES if n != subtype]
        assert model.extents[0] / length[subtype] > max(m.extents[0] / length[m.name] for m in others) * 1.2
