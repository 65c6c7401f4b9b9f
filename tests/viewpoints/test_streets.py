"""Streets are seen from where cameras can be, nothing in them meets, and people and cars have fronts."""

from __future__ import annotations

import math
from itertools import combinations

import msgspec
import numpy as np
import pytest

from fathom.benchmarks.threedsrbench.construction import A_TYPE, INDOORS, recipe
from fathom.benchmarks.threedsrbench.sentences import read_text
from fathom.benchmarks.threedsrbench.tasks import TASKS
from fathom.datasets.generators.viewpoints_worlds import ViewpointSettings, place_of, with_writing
from fathom.geometry.camera_angles import angles_of
from fathom.geometry.poses import heading_rad, pose_at
from fathom.questions.balancing.viewpoints import chosen
from fathom.questions.writing.viewpoints import written_views
from fathom.records import InputError, Scene, SceneObject, UnfitError
from fathom.scenes import looked_streets
from fathom.scenes.looked_rooms import TIMES_S
from fathom.scenes.looked_streets import STREET_RANGES, draw_looked_street
from fathom.scenes.street_moments import VEHICLES
from fathom.scenes.videos.bodies import bodies_at, stem_said
from fathom.scenes.videos.boxes import Boxes, above_m, apart_m
from fathom.scenes.videos.streets import street_of
from fathom.scenes.viewpoints import Viewpoints
from tests.viewpoints.conftest import SeenRoom

STREETS = recipe("tests", "none", 0.25)


def _bodies(obj: SceneObject, frame: int) -> list[Boxes]:
    pose = pose_at(obj.poses, frame)
    place, turn = np.array([pose.position_m]), np.array([heading_rad(pose)])
    return bodies_at(obj.size_m, stem_said(obj.attributes), place, turn)


def _wholes(scene: Scene) -> list[SceneObject]:
    return [o for o in scene.objects if "part_of" not in o.attributes]


def _meet(a: Boxes, b: Boxes) -> bool:
    return bool((np.maximum(apart_m(a.corners, b.corners), above_m(a, b)) < -2e-6).any())


def test_nothing_in_a_street_meets_anything_before_or_after_the_change(streets: list[SeenRoom]) -> None:
    for street in streets:
        solid = [o for o in _wholes(street.scene) if o.attributes.get("shape") != "open"]
        assert [o for o in solid if "changed" in o.attributes]
        for frame in (0, len(TIMES_S) - 1):
            boxes = [(o, b) for o in solid for b in _bodies(o, frame)]
            for (one, a), (other, b) in combinations(boxes, 2):
                loose = one.id.startswith("thing") or other.id.startswith("thing")
                assert one is other or not loose or not _meet(a, b), (one.id, other.id)


def test_cameras_in_streets_are_within_the_ranges_of_their_kind_and_in_nothing(
    streets: list[SeenRoom],
) -> None:
    for street in streets:
        kinds = ("common", street.scene.source["uncommon"])
        for kind, (height, pitch, roll) in zip(kinds, angles_of(street.scene.cameras[0]), strict=False):
            ranges = STREET_RANGES[kind]
            assert ranges.height_m[0] - 1e-6 <= height <= ranges.height_m[1] + 1e-6
            assert ranges.pitch_deg[0] - 0.01 <= pitch <= ranges.pitch_deg[1] + 0.01
            assert ranges.roll_deg[0] - 0.01 <= abs(roll) <= ranges.roll_deg[1] + 0.01
        for frame, pose in enumerate(street.scene.cameras[0].poses):
            at = np.array(pose.position_m)
            point = Boxes(np.tile(at[:2], (1, 4, 1)), at[2:] - 1e-3, at[2:] + 1e-3)
            for obj in (o for o in street.scene.objects if o.attributes.get("shape") != "open"):
                assert not any(_meet(point, b) for b in _bodies(obj, frame)), obj.id


def test_people_and_vehicles_are_asked_which_way_they_face(streets: list[SeenRoom]) -> None:
    asked = [c for s in streets for c in s.candidates if c.template.quantity in ("front_of", "side_towards")]
    nouns = {noun for c in asked for noun in c.nouns}
    category = {o.attributes.get("name"): o.category for s in streets for o in s.scene.objects}
    assert {"man", "woman"} & nouns and any(category[noun] in VEHICLES for noun in nouns)
    asked_about = {c.template.task for s in streets for c in s.candidates}
    assert asked_about == set(TASKS) - set(INDOORS)


def test_the_man_in_red_is_read_back_and_told_from_the_man_in_blue(streets: list[SeenRoom]) -> None:
    scenes = {s.scene.id: s.scene for s in streets}
    candidates = [c for s in streets for c in s.candidates if any(" in " in w for w in c.words)]
    wanted = {(task, "outdoor"): 6 for task in TASKS if task not in INDOORS}
    asked = list(
        written_views(chosen(candidates, wanted, STREETS).selected, ("common", "uncommon"), scenes, STREETS)
    )
    assert len(asked) > 20
    for q in asked:
        assert read_text(q, scenes[q.scene]).verdict == "agree"
        assert read_text(q, _undressed(scenes[q.scene])).verdict == "disagree"


def _undressed(scene: Scene) -> Scene:
    """Return a street in which all people wear purple."""

    def dressed(obj: SceneObject) -> SceneObject:
        purple = {**obj.attributes, "color": "purple"}
        on_foot = obj.attributes.get("name") in ("man", "woman")
        changed: SceneObject = msgspec.structs.replace(obj, attributes=purple) if on_foot else obj
        return changed

    changed: Scene = msgspec.structs.replace(scene, objects=tuple(map(dressed, scene.objects)))
    return changed


def test_every_type_is_asked_as_often_with_streets_as_without() -> None:
    wanted = STREETS.mix.wanted(["indoor"] * 30 + ["outdoor"] * 10)
    for task in TASKS:
        assert wanted[task, "indoor"] + wanted.get((task, "outdoor"), 0) == pytest.approx(A_TYPE, abs=1)
        assert (task in INDOORS) == ((task, "outdoor") not in wanted)


def test_every_fourth_world_is_a_street_and_kinds_of_viewpoints_take_turns_in_both() -> None:
    places = [place_of(ViewpointSettings(), k) for k in range(40)]
    assert sum(street for street, _ in places) == 10 and all(
        street == (k % 4 == 3) for k, (street, _) in enumerate(places)
    )
    for street in (True, False):
        turns = [turn for kind, turn in places if kind == street]
        assert turns == list(range(len(turns)))
    assert not any(street for street, _ in (place_of(ViewpointSettings(hssd="x"), k) for k in range(8)))
    with pytest.raises(InputError, match="from 0 to 1"):
        ViewpointSettings(streets=1.2)


def test_a_street_follows_from_its_seed_and_what_cannot_be_drawn_is_said(
    streets: list[SeenRoom], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert draw_looked_street(1, "tests", Viewpoints(), turn=1) == streets[1].scene
    monkeypatch.setattr(looked_streets, "ATTEMPTS", 4)
    with pytest.raises(UnfitError, match=r"none in 4 attempts .* fewer objects in both pictures"):
        draw_looked_street(0, "a", Viewpoints(seen=90))


def test_what_is_written_on_is_known(streets: list[SeenRoom]) -> None:
    written = set()
    for scene in (s.scene for s in streets):
        names = {o.id: o.attributes.get("name", "") for o in scene.objects}
        written |= {names[k] for k in with_writing(scene)}
    assert written and all(name.endswith(("sign", "taxi", "police car", "bus")) for name in written)


def test_nobody_on_foot_stands_where_another_road_crosses(streets: list[SeenRoom]) -> None:
    crossed = 0
    for scene in (s.scene for s in streets):
        street = street_of(next(o for o in scene.objects if o.id == "street").asset.edits)
        for obj in (o for o in scene.objects if o.attributes.get("name") in ("man", "woman", "dog")):
            for pose in (obj.poses[0], obj.poses[-1]):
                along = street.main.nearest(pose.position_m[:2])
                (x, y), _ = street.main.at(along)
                off = math.dist((x, y), pose.position_m[:2])
                crossed += street.crossed
                assert off > street.kerb_m, "not on the road"
                assert not street.crossed or abs(along - street.crossing_m) >= street.line_m
    assert crossed


def test_heads_of_people_are_called_by_their_clothes(streets: list[SeenRoom]) -> None:
    heads = [o.attributes["name"] for s in streets for o in s.scene.objects if "part_of" in o.attributes]
    assert heads and all(name.startswith("head of the ") and " in " in name for name in heads)
