"""Worlds of streets: possible, filmed from a car, drawn from names alone."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from fathom.assets.libraries import Library, joined_library
from fathom.assets.palette import STREET_COLORS
from fathom.assets.spec import AssetSpec
from fathom.assets.street.catalogue import BUILT_IN, FRONTAGES, STREET, frontage, street_assets
from fathom.geometry.poses import Array, heading_rad, rotation_matrix, to_world
from fathom.records import AssetError, AssetRef, DataError, InputError, Scene, SceneObject, UnfitError
from fathom.scenes.videos.audit import OUTDOOR, audit, together
from fathom.scenes.videos.bodies import stem_said
from fathom.scenes.videos.boxes import apart_m, tracks_of_boxes
from fathom.scenes.videos.driving import EGO_M, STORIES
from fathom.scenes.videos.outdoor import Outdoor, draw_outdoor, models_at, walking_at
from fathom.store.seeds import rng
from tests.videos.streets import assets_folder, drivers, moving, speeds, track


def footprints(objects: list[SceneObject]) -> Array:
    """Return (n, 4, 2) the corners of what stands still."""
    return tracks_of_boxes(tuple(objects), 1).corners[:, 0]


WHEELED = ("car", "van", "truck", "bus", "cyclist")


def test_worlds_of_every_story_have_no_fault(outdoors: tuple[Scene, ...]) -> None:
    assert together(audit(s, OUTDOOR) for s in outdoors).faults == ()


def test_a_world_is_a_function_of_its_names(outdoors: tuple[Scene, ...]) -> None:
    again = draw_outdoor(1, "tests", Outdoor(stories=(STORIES[1],)))
    assert msgspec.json.encode(again) == msgspec.json.encode(outdoors[1])
    assert again.objects != draw_outdoor(1, "others", Outdoor(stories=(STORIES[1],))).objects


def test_a_world_is_one_video_of_one_camera(outdoors: tuple[Scene, ...]) -> None:
    for scene in outdoors:
        assert len(scene.times_s) == 300 and scene.times_s[30] == 1.0
        (camera,) = scene.cameras
        assert len(camera.poses) == 300 and (camera.width, camera.height) == (640, 480)
        assert [p.time_s for p in camera.poses] == list(scene.times_s)
        assert {len(t.poses) for t in scene.objects} == {1, 300}
        number = scene.id.split("-")[1][-4:]
        assert scene.source == {"setting": "outdoor", "video": f"segment-{number}_camera_front"}
        angle = 2 * math.degrees(math.atan(camera.width / 2 / camera.fx))
        assert 50 <= angle <= 65


def test_ids_are_unique_and_everything_has_a_name(outdoors: tuple[Scene, ...]) -> None:
    for scene in outdoors:
        ids = [t.id for t in scene.objects]
        assert len(set(ids)) == len(ids)
        for t in scene.objects:
            assert t.attributes["name"] and "color" in t.attributes
            assert t.category == "structure" or t.attributes["stands_on"] == "ground"
        assert any(t.category == "structure" and t.attributes["name"] == "street" for t in scene.objects)


def test_the_camera_rides_at_a_windscreen_and_looks_ahead(outdoors: tuple[Scene, ...]) -> None:
    for scene in outdoors:
        eyes = np.array([p.position_m for p in scene.cameras[0].poses])
        assert eyes[:, 2].min() > 1.45 and eyes[:, 2].max() < 2.15
        axes = np.array([rotation_matrix(p.rotation_wxyz)[:, 2] for p in scene.cameras[0].poses])
        assert (np.abs(np.degrees(np.arcsin(axes[:, 2]))) < 8).all()
        velocity = np.diff(eyes[:, :2], axis=0) * 30
        fast = np.linalg.norm(velocity, axis=1) > 1.0
        along = (velocity * axes[:-1, :2]).sum(axis=1)[fast] / np.linalg.norm(velocity, axis=1)[fast]
        assert (along > math.cos(math.radians(20))).all()


def test_stories_come_out_as_they_are_called() -> None:
    turned, slowest = {}, {}
    for story in ("left", "right", "halt", "zebra", "go"):
        scene = draw_outdoor(2, "stories", Outdoor(stories=(story,)))
        ahead = np.array([rotation_matrix(p.rotation_wxyz)[:2, 2] for p in scene.cameras[0].poses])
        azimuth = np.degrees(np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0])))
        turned[story] = azimuth[-1] - azimuth[0]
        eyes = np.array([p.position_m[:2] for p in scene.cameras[0].poses])
        speed = np.linalg.norm(np.diff(eyes, axis=0), axis=1) * 30
        slowest[story] = speed.min() / speed.max()
        assert story != "go" or speed[0] < 0.1
    assert turned["left"] > 60 and turned["right"] < -60 and abs(turned["halt"]) < 5
    assert slowest["halt"] < 0.1 and slowest["zebra"] < 0.7


def test_vehicles_go_where_their_rear_axles_point(outdoors: tuple[Scene, ...]) -> None:
    for scene in outdoors:
        for obj in drivers(scene):
            places, headings = track(obj)
            toward = np.column_stack([np.cos(headings), np.sin(headings)])
            axle = places - 0.28 * obj.size_m[0] * toward
            step = np.diff(axle, axis=0)
            middle = (headings[1:] + headings[:-1]) / 2
            aside = step[:, 1] * np.cos(middle) - step[:, 0] * np.sin(middle)
            assert np.abs(aside).max() * 30 < 0.01, (scene.id, obj.id)
            along = step[:, 0] * np.cos(middle) + step[:, 1] * np.sin(middle)
            assert along.min() > -1e-5, (scene.id, obj.id)


def test_lateral_acceleration_is_what_drivers_bear(outdoors: tuple[Scene, ...]) -> None:
    for scene in outdoors:
        for obj in drivers(scene):
            _, headings = track(obj)
            rate = np.abs(np.diff(headings)) * 30
            assert (rate * speeds(obj)).max() < 4.0, (scene.id, obj.id)


def test_feet_stay_where_they_are_as_people_walk(outdoors: tuple[Scene, ...]) -> None:
    scene = next(s for s in outdoors if any(t.subtype.startswith("walker") for t in s.objects))
    walker = next(t for t in scene.objects if t.subtype.startswith("walker"))
    lowest = []
    for frame in range(60, 100):
        (shoes,) = (p for p in walking_at(scene, frame)[walker.id].parts if p.name == "swinging shoes")
        lowest.append(to_world(walker.poses[frame], shoes.vertices))
    feet = np.array(lowest).reshape(40, 2, -1, 3)
    on_ground = feet[..., 2].max(axis=2) < 0.14
    still = np.abs(np.diff(feet.mean(axis=2)[..., :2], axis=0)).max(axis=-1)
    both = on_ground[1:] & on_ground[:-1]
    assert both.any(axis=1).mean() > 0.5 and both.any(axis=0).all()
    gone = np.linalg.norm(np.diff(track(walker)[0][60:100], axis=0), axis=1).mean()
    assert np.median(still[both]) < 0.2 * gone


def test_people_walk_as_people_do(outdoors: tuple[Scene, ...]) -> None:
    paces = []
    for scene in outdoors:
        for obj in moving(scene):
            if obj.category == "pedestrian":
                pace = speeds(obj)
                assert pace.min() >= 0.8 and pace.max() <= 1.8, (scene.id, obj.id)
                paces.append(pace.mean())
    assert len(paces) > 10 and np.std(paces) > 0.1


def test_vehicles_never_come_near_each_other_from_behind(outdoors: tuple[Scene, ...]) -> None:
    for scene in outdoors:
        cars = [(t, *track(t)) for t in drivers(scene)]
        for a, places, headings in cars:
            for b, others, _ in cars:
                if a.id == b.id:
                    continue
                off = others - places
                ahead = off[:, 0] * np.cos(headings) + off[:, 1] * np.sin(headings)
                aside = np.abs(off[:, 1] * np.cos(headings) - off[:, 0] * np.sin(headings))
                room = ahead - (a.size_m[0] + b.size_m[0]) / 2
                beside = (aside < 1.0) & (ahead > 0)
                assert not (beside & (room < 0.5)).any(), (scene.id, a.id, b.id)


def test_a_whole_second_half_of_the_vehicles_keeps_to_the_right(outdoors: tuple[Scene, ...]) -> None:
    for scene in outdoors:
        eye = np.array([p.position_m[:2] for p in scene.cameras[0].poses])
        ahead = rotation_matrix(scene.cameras[0].poses[0].rotation_wxyz)[:2, 2]
        left = np.array([-ahead[1], ahead[0]])
        for obj in drivers(scene):
            places, headings = track(obj)
            toward = np.array([math.cos(headings[0]), math.sin(headings[0])])
            near = abs((places[0] - eye[0]) @ ahead) < 40
            if near and toward @ ahead < -0.98:
                assert (places[0] - eye[0]) @ left > 1.5, (scene.id, obj.id)


def test_the_parked_stand_beside_the_lanes(outdoors: tuple[Scene, ...]) -> None:
    count = 0
    for scene in outdoors:
        eyes = np.array([p.position_m[:2] for p in scene.cameras[0].poses])
        for obj in scene.objects:
            if obj.attributes.get("parked") == "yes":
                assert len(obj.poses) == 1
                apart = np.linalg.norm(eyes - obj.poses[0].position_m[:2], axis=1).min()
                assert apart > EGO_M[1] / 2 + obj.size_m[1] / 2
                count += 1
    assert count > 5


def test_models_come_from_the_record_alone(outdoors: tuple[Scene, ...]) -> None:
    scene = msgspec.json.decode(msgspec.json.encode(outdoors[2]), type=Scene)
    models = {**models_at(scene, 250), **walking_at(scene, None)}
    assert set(models) == {t.id for t in scene.objects}
    for obj in scene.objects:
        model = models[obj.id]
        assert model.extents == pytest.approx(obj.size_m, abs=3e-6), obj.id
        points = np.concatenate([p.vertices for p in model.parts])
        assert points[:, 2].min() == pytest.approx(0.001 if obj.id == "street" else 0, abs=0.0011)
        assert np.abs(points.min(axis=0) + points.max(axis=0))[:2].max() < 1e-5
        color = obj.attributes["color"]
        if color and obj.category in WHEELED:
            assert any(p.material.color == pytest.approx(STREET_COLORS[color]) for p in model.parts), obj.id


def test_what_narrows_below_keeps_its_stem_within_its_box(outdoors: tuple[Scene, ...]) -> None:
    found = 0
    for obj in (t for s in outdoors for t in s.objects):
        stem = stem_said(obj.attributes)
        if stem is not None:
            wide, high, before = stem
            points = np.concatenate([p.vertices for p in BUILT_IN.dressed(obj.subtype, obj.size_m, "").parts])
            low = points[points[:, 2] < high - 1e-3] - np.array([before, 0, 0])
            assert np.abs(low[:, :2]).max() <= wide / 2 + 0.02, obj.subtype
            found += 1
    assert found > 5


@pytest.mark.parametrize("name", list(STREET))
def test_every_kind_is_a_object_of_a_street(name: str) -> None:
    kind = STREET[name]
    size = BUILT_IN.size(rng("tests", name), name)
    model = BUILT_IN.dressed(name, size, kind.colors[0] if kind.colors else "")
    assert model.extents == pytest.approx(size, abs=1e-6) and model.triangles < 16_000
    assert 0.1 < max(size) < 13 and (not kind.colors or set(kind.colors) <= set(STREET_COLORS))


@pytest.mark.parametrize("name", FRONTAGES)
def test_a_building_has_the_size_that_was_asked_for(name: str) -> None:
    model = frontage(name, (10.5, 13.2, 8.1), 5)
    assert model.extents == pytest.approx((10.5, 13.2, 8.1), abs=1e-6)
    assert {"walls", "windows", "doors", "roof"} <= {p.name for p in model.parts}


def test_another_shape_than_the_scene_was_made_with_is_refused(outdoors: tuple[Scene, ...]) -> None:
    scene = outdoors[0]
    obj = next(t for t in scene.objects if t.category != "structure")
    other: SceneObject = msgspec.structs.replace(obj, asset=AssetRef(name=obj.asset.name, sha256="0" * 64))
    with pytest.raises(DataError, match=rf"{obj.id}.*use the version of Fathom"):
        models_at(msgspec.structs.replace(scene, objects=(other,)), 0)


def test_settings_that_leave_no_room_are_refused() -> None:
    with pytest.raises(UnfitError, match="ask for fewer vehicles"):
        draw_outdoor(0, "tests", Outdoor(vehicles=(60, 60)))
    with pytest.raises(InputError, match="film longer"):
        Outdoor(seconds=0.1)
    with pytest.raises(InputError, match=r"flying.*correct the settings"):
        Outdoor(stories=("flying",))
    with pytest.raises(InputError, match="correct the settings"):
        Outdoor(vehicles=(5, 3))
    with pytest.raises(InputError, match="room to pass"):
        Outdoor(lane_m=(2.0, 2.4))


def test_other_lengths_and_rates_can_be_filmed() -> None:
    scene = draw_outdoor(0, "tests", Outdoor(seconds=4, fps=15, vehicles=(1, 3), people=(0, 2)))
    assert len(scene.times_s) == 60 and audit(scene, OUTDOOR).faults == ()


def test_a_library_without_anything_for_streets_or_a_size_is_refused() -> None:
    with pytest.raises(AssetError, match="holds none"):
        street_assets(Library("empty", ()))
    entry = AssetSpec(file="chopper.glb", name="chopper", category="motorbike", subtype="cruiser", folder="x")
    with pytest.raises(AssetError, match="nobody said how large chopper is"):
        street_assets(Library("unmeasured", (entry,)))


def test_shared_models_stand_and_drive_in_their_real_sizes() -> None:
    assets = assets_folder()
    library = joined_library([assets / "street", assets / "vehicles"])
    assert library is not None
    scene = draw_outdoor(5, "lib", None, library)
    packed = [t for t in scene.objects if not t.asset.name.startswith("built-in:")]
    assert packed and audit(scene, OUTDOOR).faults == ()
    models = {**models_at(scene, 0, library), **walking_at(scene, None, library)}
    for t in packed:
        assert models[t.id].extents == pytest.approx(t.size_m, abs=3e-6)
    with pytest.raises(DataError, match="the folders of models"):
        models_at(scene, 0)


def test_town_houses_with_bare_sides_stand_between_others() -> None:
    assets = assets_folder()
    library = joined_library([assets / "street", assets / "vehicles"])
    bare = 0
    for index in range(3):
        scene = draw_outdoor(index, "rows", Outdoor(stories=("go",)), library)
        houses = [t for t in scene.objects if t.category == "structure" and t.id != "street"]
        feet = footprints(houses)
        for k, house in enumerate(houses):
            if house.asset.name.startswith("built-in:"):
                continue
            bare += 1
            beside = np.delete(feet, k, axis=0)
            own = np.broadcast_to(feet[k], beside.shape)
            assert (apart_m(own, beside) < 0.6).sum() >= 2, (scene.id, house.id)
    assert bare > 5


def test_vehicles_of_the_pack_are_as_wide_as_on_roads() -> None:
    assets = assets_folder()
    street = street_assets(joined_library([assets / "street", assets / "vehicles"]))
    wide = {street.asset(n).noun: street.model(n).extents[1] for n in street.assets if "market-vehicles" in n}
    assert {"ambulance", "fire truck", "garbage truck", "truck", "van"} <= set(wide)
    assert max(wide.values()) < 2.6
    assert not {"sedan", "suv", "hatchback"} & {n.partition(":")[2] for n in street.assets if ":" in n}


def test_taxis_and_police_cars_look_like_what_they_are() -> None:
    roofs = {}
    for name in ("taxi", "police car", "sedan"):
        model = BUILT_IN.model(name)
        roofs[name] = model.extents[2]
        paints = {p.material.name for p in model.parts if p.name.startswith("checks")}
        assert len(paints) == (0 if name == "sedan" else 2)
    assert min(roofs["taxi"], roofs["police car"]) > roofs["sedan"] + 0.1
    assert BUILT_IN.color(rng("x"), "taxi") == "yellow"
    drawn = {BUILT_IN.pick(rng("pick", k), "sedan") for k in range(60)}
    assert drawn == {"sedan", "taxi", "police car"}


def test_the_shared_street_pack_is_known_and_measured() -> None:
    assets = assets_folder()
    street = street_assets(joined_library([assets / "street", assets / "vehicles"]))
    heights: dict[str, Array | float] = {
        n: street.model(n).extents[2] for n in street.assets if "market-street" in n
    }
    assert len(heights) == 14
    for name, height in heights.items():
        tall = (11, 15) if "Building" in name else (2.4, 6)
        assert tall[0] < height < tall[1], name


def test_headings_are_those_of_the_records(outdoors: tuple[Scene, ...]) -> None:
    obj = drivers(outdoors[0])[0]
    _, headings = track(obj)
    assert math.cos(headings[7]) == pytest.approx(math.cos(heading_rad(obj.poses[7])), abs=1e-6)


def test_no_folders_are_no_library() -> None:
    assert joined_library([]) is None
