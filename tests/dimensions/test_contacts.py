"""People who touch something or look at it: staged rooms, by both derivations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fathom.assets.furniture.catalogue import furniture_model, pictured_assets, room_assets
from fathom.assets.model import stretched_to
from fathom.programs.operators.contacts import does_to, looked_at, pushed_by, sat_on
from fathom.programs.operators.people import held_by, posture
from fathom.programs.values import Measured, Unanswerable
from fathom.programs.views.video import VideoView
from fathom.records import Environment, Scene
from fathom.scenes.holding import HANDY, on_the_palm, shows_hand
from fathom.scenes.people_looks import looks_at_people
from fathom.scenes.person_kinds import told
from fathom.scenes.pushing import put_to_push
from fathom.scenes.room_picture import RoomPicture
from fathom.scenes.sitting import laid_down, sat_down
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.furnishing_rooms import RoomLayout, Stand
from fathom.scenes.videos.indoor import DAY, Indoor, room_for
from fathom.scenes.videos.indoor_objects import room_objects
from fathom.scenes.videos.rooms import house_objects
from fathom.scenes.viewpoints import solid_boxes
from fathom.verify.operators.contacts import done_to, hands_at, seat_of, seen_ahead
from fathom.verify.operators.people import holds, what_is_done
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import DerivedAnswer
from tests.dimensions.conftest import Seen, _seen

ASSETS = pictured_assets()
EYE = np.array([0.3, -2.6, 1.5])


def layout_of(*stands: Stand) -> RoomLayout:
    g = np.random.default_rng(1)
    room = room_for(g, "living room", Indoor(bent=0.0), 1.3)
    layout = RoomLayout(room, g, room_assets(None), most=9)
    layout.stands += stands
    return layout


def a(name: str, x: float, y: float, heading: float = 0.0) -> Stand:
    spec = ASSETS[f"built-in:{name}"]
    return Stand(spec, "", furniture_model(spec).extents, (x, y, 0.0), heading)


def looked_into(layout: RoomLayout, path: Path, eye: np.ndarray = EYE) -> Seen:
    pose = routes.looking(eye[None], np.array([[0.0, 0.0, 0.7]]), np.zeros(1))
    things = told(room_objects(layout, {}, False))
    scene = Scene(
        id="staged",
        generator="pictured-room",
        version="1",
        seed="0",
        objects=(*house_objects(layout.room, "living room", "0", *DAY), *things),
        cameras=(cameras.pinhole(480, 360, math.radians(75), pose),),
        environment=Environment(name="indoors", ground="none"),
        times_s=(0.0,),
        source={"setting": "indoor", "video": "staged", "room": "living room"},
    )
    return _seen(scene, path / "truth.zip")


def first(act: Callable[..., Measured], view: VideoView, *who: str) -> str | None:
    """Return what the first derivation finds; None where it is not firm."""
    try:
        found = act(view, *(view.index(w) for w in who), 0)
    except Unanswerable:
        return None
    return str(found.value) if found.truth.ratio >= 1 else None


def second(act: Callable[..., DerivedAnswer], seen: Seen, *who: str) -> str | None:
    try:
        return act(seen.observed, *(seen.observed.objects.index(w) for w in who), 0).word
    except (InsufficientEvidence, NoAnswer):
        return None


def test_both_palms_touch_what_is_pushed_and_both_derivations_say_so(tmp_path: Path) -> None:
    layout = layout_of(a("dresser", 0.0, 0.0, math.pi))
    spot = put_to_push(layout, a("woman pushes 1", 0.0, 0.0), layout.stands[0])
    assert spot is not None
    model = stretched_to(furniture_model(spot.asset), spot.size_m)
    hands = np.concatenate([p.vertices for p in model.parts if p.name.endswith("hand")])
    c, s = math.cos(spot.heading_rad), math.sin(spot.heading_rad)
    tip = np.array(spot.place_m[:2]) + hands[hands[:, 0].argmax(), :2] @ np.array([[c, s], [-s, c]])
    local = np.abs(tip - layout.stands[0].place_m[:2]) - np.array(layout.stands[0].size_m[:2]) / 2
    assert -0.03 < float(local.max()) < 0.01, "the palms are at the surface"
    side = np.array([-s, c]) * 2.4
    eye = np.array([*(np.array(spot.place_m[:2]) + side), 1.5])
    seen = looked_into(layout, tmp_path, eye)
    assert first(pushed_by, seen.view, "thing1") == second(hands_at, seen, "thing1") == "thing0"
    assert first(posture, seen.view, "thing1") == second(what_is_done, seen, "thing1") == "pushes"
    assert first(does_to, seen.view, "thing1", "thing0") == "pushes"
    back = np.array(spot.place_m[:2]) - 0.2 * np.array([c, s])
    layout.stands[1] = replace(spot, place_m=(float(back[0]), float(back[1]), 0.0))
    away = looked_into(layout, tmp_path, eye)
    assert first(pushed_by, away.view, "thing1") is second(hands_at, away, "thing1") is None


def test_who_is_on_a_seat_sits_on_that_by_both_derivations(tmp_path: Path) -> None:
    layout = layout_of(a("armchair", 0.0, 0.0, -0.7), a("bench", 1.6, 0.6))
    spot = next(s for s in sat_down(layout, a("man seated 1", 0.0, 0.0)) if s.on == 0)
    layout.stands.append(spot)
    seen = looked_into(layout, tmp_path)
    assert first(sat_on, seen.view, "thing2") == second(seat_of, seen, "thing2") == "thing0"
    assert first(posture, seen.view, "thing2") == second(what_is_done, seen, "thing2") == "seated"
    assert (
        first(does_to, seen.view, "thing2", "thing0") == second(done_to, seen, "thing2", "thing0") == "sits"
    )
    assert first(does_to, seen.view, "thing2", "thing1") is second(done_to, seen, "thing2", "thing1") is None


def test_on_a_bed_somebody_sits_at_its_foot(tmp_path: Path) -> None:
    layout = layout_of(a("bed", 0.3, 0.6, -0.6))
    assert not list(sat_down(layout, a("woman seated 1", 0.0, 0.0)))
    (spot,) = sat_down(layout, a("woman seated 1", 0.0, 0.0), beds=True)
    assert 0.0 <= spot.place_m[2] < 0.08, "the feet hang a little above the floor"
    layout.stands.append(spot)
    seen = looked_into(layout, tmp_path)
    assert first(sat_on, seen.view, "thing1") == second(seat_of, seen, "thing1") == "thing0"
    assert first(posture, seen.view, "thing1") == second(what_is_done, seen, "thing1") == "seated"


@pytest.mark.parametrize("bed", ["bed", "single bed"])
def test_who_lies_is_on_a_bed_with_the_head_on_its_pillow(tmp_path: Path, bed: str) -> None:
    layout = layout_of(a(bed, 0.3, 0.6, -0.6))
    assert not list(laid_down(layout_of(a("sofa", 0.3, 0.6)), a("man lies 1", 0.0, 0.0)))
    (spot,) = laid_down(layout, a("man lies 1", 0.0, 0.0))
    under = stretched_to(furniture_model(layout.stands[0].asset), layout.stands[0].size_m)
    top = max(float(p.vertices[:, 2].max()) for p in under.parts if p.name == "cover")
    assert top - 0.05 < spot.place_m[2] < top, "the back sinks in a little"
    c, s = math.cos(spot.heading_rad), math.sin(spot.heading_rad)
    head = np.array(spot.place_m[:2]) - (spot.size_m[0] / 2 - 0.12) * np.array([c, s])
    local = (head - np.array([0.3, 0.6])) @ np.array([[c, -s], [s, c]])
    pillows = np.concatenate([p.vertices for p in under.parts if p.name == "pillows"])
    assert pillows[:, 0].min() < local[0] < pillows[:, 0].max()
    layout.stands.append(spot)
    seen = looked_into(layout, tmp_path)
    assert first(posture, seen.view, "thing1") == second(what_is_done, seen, "thing1") == "lies"


@pytest.mark.parametrize("noun", ["teapot", "bottle"])
def test_what_is_on_an_open_hand_is_held_by_both_derivations(tmp_path: Path, noun: str) -> None:
    layout = layout_of(a("woman holds 1", 0.0, 0.0, -1.2))
    (person,) = layout.stands
    layout.furniture = {k: v for k, v in layout.furniture.items() if v.noun == noun}
    spot = on_the_palm(RoomPicture(layout), person)
    assert spot is not None
    palms = np.concatenate(
        [p.vertices for p in furniture_model(person.asset).parts if p.name.endswith("hand")]
    )
    palm = palms[palms[:, 0].argmax()]
    assert palm[2] < spot.place_m[2] + 0.05
    assert math.dist(person.ahead(*palm[:2]), spot.place_m[:2]) < 0.08
    seen = looked_into(layout, tmp_path, np.array([0.3, -1.8, 1.5]))
    assert first(held_by, seen.view, "thing0") == second(holds, seen, "thing0") == "thing1"
    assert first(posture, seen.view, "thing0") == second(what_is_done, seen, "thing0") == "holds"
    (asked,) = (c for c in seen.candidates if c.template.quantity == "held_by")
    false = {o.text.removeprefix("the "): o.value for o in asked.pool}
    assert asked.answer.text == f"the {noun}"
    assert noun not in false and len(false) >= 10 and set(false) <= set(HANDY)
    assert all(value == f"none:{text}" for text, value in false.items())
    assert shows_hand(person, spot, seen.scene.cameras[0]).all()
    behind = replace(person, heading_rad=person.heading_rad + math.pi)
    assert not shows_hand(behind, spot, seen.scene.cameras[0]).any()
    layout.stands.append(a("round table", *spot.place_m[:2]))
    layout.stands[1] = replace(spot, place_m=(*spot.place_m[:2], layout.stands[2].size_m[2]))
    laid = looked_into(layout, tmp_path, np.array([0.3, -1.8, 1.5]))
    assert first(held_by, laid.view, "thing0") is second(holds, laid, "thing0") is None


@pytest.mark.parametrize(("name", "turns"), [("woman stands 1", (-1.5, 0.8)), ("woman walks 1", (0.0, 1.4))])
def test_who_stands_is_told_by_both_legs_where_no_feet_are_seen(
    tmp_path: Path, name: str, turns: tuple[float, ...]
) -> None:
    for turn in turns:
        near = a("nightstand", 0.25, -0.55), a("nightstand", -0.25, -0.55)
        seen = looked_into(layout_of(a(name, 0.0, 0.0, turn), *near), tmp_path, np.array([0.0, -2.5, 0.95]))
        assert seen.visibility.shares[seen.view.index("thing0"), 0] < 0.93
        assert (second(what_is_done, seen, "thing0") == "stands") == (" stands " in name)


@pytest.mark.parametrize(
    ("before", "y", "name", "turn", "high"),
    [
        ("sofa", -0.9, "man walks 1", -1.57, 1.3),
        ("bed", -0.6, "man walks 1", -1.57, 1.5),
        ("bed", -0.75, "woman walks 1", -1.2, 1.1),
    ],
)
def test_who_shows_no_shins_over_something_is_not_said_to_stand(
    tmp_path: Path, before: str, y: float, name: str, turn: float, high: float
) -> None:
    layout = layout_of(a(before, 0.0, y), a(name, 0.0, 0.0, turn))
    seen = looked_into(layout, tmp_path, np.array([0.0, -2.5, high]))
    assert second(what_is_done, seen, "thing1") is None


@pytest.mark.parametrize(("name", "least", "most"), [("man holds 1", 0, 70), ("man stands 1", 20, 160)])
def test_cameras_look_at_people_from_where_it_shows(name: str, least: float, most: float) -> None:
    layout = layout_of(a(name, 0.0, 0.0, 0.4), a("mug", 0.2, 0.2))
    picture = RoomPicture(layout)
    picture.keep(*layout.stands)
    picture.profiles += layout.stands[:1] if " stands " in name else []
    poses = list(looks_at_people(picture, solid_boxes(layout)))
    off = np.array([p.position_m[:2] for p in poses]) - np.mean(
        [s.place_m[:2] for s in layout.stands], axis=0
    )
    turn = np.degrees(np.abs(np.remainder(np.arctan2(off[:, 1], off[:, 0]) - 0.4 + np.pi, 2 * np.pi) - np.pi))
    assert len(poses) > 5
    assert least <= turn.min() < turn.max() <= most
    assert (np.hypot(*off.T) > 1.9).all()


@pytest.mark.parametrize(("turn", "found"), [(0.0, "thing0"), (math.radians(30.0), None)])
def test_what_is_looked_at_is_straight_ahead(tmp_path: Path, turn: float, found: str | None) -> None:
    layout = layout_of(
        a("armchair", 0.9, 0.0, math.pi), a("stool", -0.9, 1.0), a("man stands 1", -1.1, 0.0, turn)
    )
    seen = looked_into(layout, tmp_path)
    assert first(looked_at, seen.view, "thing2") == second(seen_ahead, seen, "thing2") == found
    assert (first(does_to, seen.view, "thing2", "thing0") == "looks") == (found is not None)
