"""Rooms: possible, furnished as rooms are, walked through as people walk, drawn from names alone."""

from __future__ import annotations

import math
import os
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.assets.catalogue import PACKS, read_catalogue
from fathom.assets.furniture.catalogue import FURNITURE, furniture_assets, furniture_model
from fathom.assets.libraries import Library, open_library
from fathom.geometry.poses import heading_rad, rotation_matrix
from fathom.questions.contexts.video_nouns import ROUND
from fathom.records import AssetError, AssetRef, DataError, InputError, Scene, SceneObject, UnfitError
from fathom.scenes.videos.audit import INDOOR, STRUCTURE, audit, together
from fathom.scenes.videos.boxes import boxes_of
from fathom.scenes.videos.indoor import Indoor, draw_indoor, furnished, models_at, room_for
from fathom.scenes.videos.mobile_robots import ROAMERS
from fathom.scenes.videos.walking import clearance_m
from fathom.store.files import write_json

INDOOR_ASSETS = (
    Path(os.environ.get("FATHOM_ASSETS", Path(__file__).parents[3] / "shared" / "assets")) / "indoor"
)


@pytest.fixture(scope="session")
def rooms() -> tuple[Scene, ...]:
    return tuple(draw_indoor(k, "tests") for k in range(16))


def furniture(scene: Scene) -> list[SceneObject]:
    return [t for t in scene.objects if t.category != STRUCTURE]


def parts_of_the_house(scene: Scene, kind: str) -> list[SceneObject]:
    return [t for t in scene.objects if t.category == STRUCTURE and t.subtype == kind]


def headings(scene: Scene) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return where the camera looks at every frame, unwrapped."""
    forward = [rotation_matrix(p.rotation_wxyz)[:, 2] for p in scene.cameras[0].poses]
    return np.unwrap([math.atan2(y, x) for x, y, _ in forward])


def test_sixteen_rooms_have_no_fault(rooms: tuple[Scene, ...]) -> None:
    assert together(audit(s, INDOOR) for s in rooms).faults == ()


def test_a_room_is_a_function_of_its_names(rooms: tuple[Scene, ...]) -> None:
    assert msgspec.json.encode(draw_indoor(3, "tests")) == msgspec.json.encode(rooms[3])
    assert draw_indoor(3, "others").objects != rooms[3].objects


def test_a_room_is_one_video_of_one_camera(rooms: tuple[Scene, ...]) -> None:
    for k, scene in enumerate(rooms):
        assert len(scene.times_s) == 300 and scene.times_s[30] == 1.0
        (camera,) = scene.cameras
        assert (camera.width, camera.height) == (640, 480)
        assert [p.time_s for p in camera.poses] == list(scene.times_s)
        assert {len(t.poses) for t in scene.objects} <= {1, 300}
        assert scene.source == {"setting": "indoor", "video": f"scene{k:04d}_00"}


def test_a_room_has_a_floor_walls_all_round_a_ceiling_a_door_and_windows(rooms: tuple[Scene, ...]) -> None:
    corners = set()
    for scene in rooms:
        corners.add(len(parts_of_the_house(scene, "wall")))
        for kind, least, most in (("floor", 1, 1), ("ceiling", 1, 1), ("door", 1, 1), ("window", 1, 4)):
            assert least <= len(parts_of_the_house(scene, kind)) <= most
        assert 8 <= len(furniture(scene)) <= 19
    assert corners == {4, 6}


def test_nobody_can_look_out_of_a_room_but_through_its_panes(rooms: tuple[Scene, ...]) -> None:
    from fathom.assets.together import together as joined
    from fathom.ground_truth.solids import cast, solid_of

    g = np.random.default_rng(3)
    toward = g.normal(size=(2000, 3))
    for scene in rooms[:6]:
        structure = [t for t in scene.objects if t.category == STRUCTURE]
        _, model = joined("house", structure, models_at(scene, 0))
        eye = np.array(scene.cameras[0].poses[150].position_m)
        assert (cast(solid_of(model), eye, toward).face >= 0).all()


def test_the_camera_keeps_its_distance_from_all_that_is_lower_than_a_head(rooms: tuple[Scene, ...]) -> None:
    for scene in rooms:
        eyes = np.array([p.position_m for p in scene.cameras[0].poses])
        assert eyes[:, 2].min() > 1.42 and eyes[:, 2].max() < 1.73
        lows = [
            t for t in scene.objects if len(t.poses) == 1 and t.subtype not in ("floor", "ceiling", "rug")
        ]
        for obj in lows:
            if obj.poses[0].position_m[2] < 1.9:
                gap = clearance_m(eyes[:, :2], boxes_of(obj.size_m, obj.poses)).min()
                assert gap >= 0.25, (scene.id, obj.id, gap)


def test_the_camera_walks_and_looks_round_as_people_do(rooms: tuple[Scene, ...]) -> None:
    for scene in rooms:
        eyes = np.array([p.position_m for p in scene.cameras[0].poses])
        speed = np.linalg.norm(np.diff(eyes[:, :2], axis=0), axis=1) * 30
        smooth = np.convolve(speed, np.ones(15) / 15, "valid")
        assert smooth.min() > 0.1 and smooth.max() < 1.25
        assert np.abs(np.diff(headings(scene))).max() * 30 < math.radians(62)
    assert np.mean([np.ptp(headings(s)) > math.radians(40) for s in rooms]) > 0.6


def test_half_of_the_furniture_comes_into_the_picture(rooms: tuple[Scene, ...]) -> None:
    from fathom.scenes.videos.cameras import framed

    for scene in rooms:
        still = [t for t in furniture(scene) if len(t.poses) == 1]
        centres = np.array([t.poses[0].position_m for t in still]) + [[0, 0, t.size_m[2] / 2] for t in still]
        seen = framed(scene.cameras[0], centres).mean(axis=0)
        assert (seen >= 0.15).mean() >= 0.4


def test_what_stands_at_walls_turns_its_back_to_one(rooms: tuple[Scene, ...]) -> None:
    found = 0
    for scene in rooms:
        walls = parts_of_the_house(scene, "wall")
        for obj in furniture(scene):
            if obj.category not in ("bookshelf", "wardrobe", "dresser", "bed", "single bed", "TV stand"):
                continue
            alike = [
                w for w in walls if math.cos(heading_rad(w.poses[0]) - heading_rad(obj.poses[0])) > 0.999
            ]
            x, y, _ = obj.poses[0].position_m
            h = heading_rad(obj.poses[0])
            back = np.array([[x - math.cos(h) * obj.size_m[0] / 2, y - math.sin(h) * obj.size_m[0] / 2]])
            gaps = [clearance_m(back, boxes_of(w.size_m, w.poses))[0] for w in alike]
            assert min(gaps) < 0.1, (scene.id, obj.id)
            found += 1
    assert found > 15


def test_a_sofa_looks_at_the_television(rooms: tuple[Scene, ...]) -> None:
    found = 0
    for scene in rooms:
        by = {t.category: t for t in furniture(scene)}
        if "sofa" in by and "television" in by:
            sofa, screen = (by[k].poses[0] for k in ("sofa", "television"))
            to = np.array(screen.position_m[:2]) - sofa.position_m[:2]
            ahead = np.array([math.cos(heading_rad(sofa)), math.sin(heading_rad(sofa))])
            assert to @ ahead / np.linalg.norm(to) > 0.85
            assert 1.5 < np.linalg.norm(to) < 5.5
            found += 1
    assert found >= 2


def test_chairs_face_their_table(rooms: tuple[Scene, ...]) -> None:
    found = 0
    for scene in rooms:
        tables = [t for t in furniture(scene) if t.category in ("dining table", "round table")]
        for chair in (t for t in furniture(scene) if t.category == "chair" and tables):
            to = np.array(tables[0].poses[0].position_m[:2]) - chair.poses[0].position_m[:2]
            ahead = np.array([math.cos(heading_rad(chair.poses[0])), math.sin(heading_rad(chair.poses[0]))])
            assert to @ ahead > 0
            found += 1
    assert found > 3


def test_what_drives_goes_where_it_points_and_never_slides() -> None:
    moved = []
    scenes = (draw_indoor(k, "roam", Indoor(roaming=1.0)) for k in range(4))
    for scene in scenes:
        (obj,) = [t for t in scene.objects if len(t.poses) > 1]
        places = np.array([p.position_m for p in obj.poses])
        turn = np.array([heading_rad(p) for p in obj.poses])
        step = np.diff(places[:, :2], axis=0)
        aside = np.abs(-np.sin(turn[:-1]) * step[:, 0] + np.cos(turn[:-1]) * step[:, 1])
        assert aside.max() < 1.5e-3 and (places[:, 2] == 0).all()
        assert np.linalg.norm(step, axis=1).sum() > 0.3
        moved.append(obj.category)
    assert set(moved) <= {"robot vacuum", "toy truck"}


def test_models_come_from_the_record_alone(rooms: tuple[Scene, ...]) -> None:
    scene = msgspec.json.decode(msgspec.json.encode(rooms[1]), type=Scene)
    models = models_at(scene, 250)
    assert set(models) == {t.id for t in scene.objects}
    for obj in scene.objects:
        model = models[obj.id]
        assert model.extents == pytest.approx(obj.size_m, abs=3e-4 if obj.category == STRUCTURE else 2e-6)
        if obj.attributes["color"] and obj.asset.edits[0].startswith("color"):
            assert any(p.material.name == "body" for p in model.parts)


def test_lamps_are_on_in_the_evening_and_shed_light() -> None:
    for share, word in ((1.0, "on"), (0.0, "off")):
        scene = draw_indoor(2, "lamps", Indoor(evening=share))
        lamps = [t for t in scene.objects if "light" in t.attributes]
        assert lamps and {t.attributes["light"] for t in lamps} == {word}
        models = models_at(scene, 0)
        shed = [max(p.material.emission for p in models[t.id].parts) for t in lamps]
        assert all((s > 0) == (word == "on") for s in shed)


def test_another_shape_than_the_scene_was_made_with_is_refused(rooms: tuple[Scene, ...]) -> None:
    obj = furniture(rooms[0])[0]
    other = msgspec.structs.replace(obj, asset=AssetRef(name=obj.asset.name, sha256="0" * 64))
    with pytest.raises(DataError, match=r"thing0.*use the folder of models"):
        models_at(msgspec.structs.replace(rooms[0], objects=(other,)), 0)


@pytest.mark.parametrize("asset", list(FURNITURE))
def test_every_piece_of_furniture_has_a_size_of_life_and_stands(asset: str) -> None:
    spec = FURNITURE[asset]
    length, width, height = furniture_model(spec).extents
    assert 0.1 < height < 2.2 and 0.15 < max(length, width) < 2.3
    points = np.concatenate([p.vertices for p in furniture_model(spec).parts])
    assert points[:, 2].min() == pytest.approx(0, abs=1e-9)
    if spec.noun in ROUND:
        assert length == pytest.approx(width, rel=0.2), "round, or nearly"


def test_settings_that_leave_no_room_are_refused() -> None:
    with pytest.raises(UnfitError, match="fewer objects or larger rooms"):
        draw_indoor(0, "tests", Indoor(scale=(0.4, 0.41), fewest=16))
    with pytest.raises(InputError, match="film longer"):
        Indoor(seconds=0.1)
    with pytest.raises(InputError, match="no fewer at most than at least"):
        Indoor(fewest=4, most=3)
    with pytest.raises(InputError, match="cellar: expected some of living room"):
        Indoor(rooms=("cellar",))
    with pytest.raises(InputError, match="walking 1 to 1 m/s"):
        Indoor(speed=(1.0, 1.0))


def test_other_lengths_and_rates_can_be_filmed() -> None:
    scene = draw_indoor(0, "tests", Indoor(seconds=4, fps=15, rooms=("study",), bent=0.0))
    assert len(scene.times_s) == 60 and audit(scene, INDOOR).faults == ()


def test_an_empty_folder_and_a_model_without_a_size_are_named(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"has no fathom-assets.json"):
        open_library(tmp_path)
    write_json(tmp_path / "fathom-assets.json", {"name": "mine", "models": []})
    with pytest.raises(AssetError, match="lists no models"):
        open_library(tmp_path)
    entry = {"file": "sofa.glb", "category": "seat", "subtype": "sofa", "reviewed": True}
    write_json(tmp_path / "fathom-assets.json", {"name": "mine", "models": [entry]})
    with pytest.raises(AssetError, match=r"sofa.glb.*size_m"):
        open_library(tmp_path)
    with pytest.raises(AssetError, match="it holds none; name another folder"):
        furniture_assets(Library("mine", ()))


def test_a_pack_s_own_colours_have_no_name(assets_folder: Path) -> None:
    """Nobody said what they are; a word that only might fit would make a description fit two objects."""
    kinds = furniture_assets(open_library(assets_folder / "indoor"))
    packed = [k for name, k in kinds.items() if name.startswith("market-indoor:")]
    assert len(packed) == 123 and not any(k.color for k in packed)


def test_the_reviewed_pack_has_a_size_of_life_for_every_model() -> None:
    manifest = read_catalogue(PACKS / "market-indoor.json")
    assert len(manifest.models) == 123 and all(m.reviewed for m in manifest.models)
    assert all(m.size_m < 2.6 for m in manifest.models)


@pytest.mark.skipif(not INDOOR_ASSETS.is_dir(), reason="needs the third-party furniture in FATHOM_ASSETS")
def test_rooms_with_a_pack_of_furniture_are_as_possible_and_come_again_from_the_record() -> None:
    library = open_library(INDOOR_ASSETS)
    scenes = [draw_indoor(k, "pack", None, library) for k in range(4)]
    assert together(audit(s, INDOOR) for s in scenes).faults == ()
    packed = [t for s in scenes for t in s.objects if t.asset.name.startswith("market-indoor:")]
    assert len(packed) > 6
    models = models_at(scenes[0], 0, library)
    for obj in furniture(scenes[0]):
        assert models[obj.id].extents == pytest.approx(obj.size_m, abs=2e-6)


def test_no_books_lie_about_in_a_room_with_a_bookshelf_full_of_them() -> None:
    wanted = Indoor()
    books = shelves = 0
    for k in range(60):
        g = np.random.default_rng(k)
        kind = wanted.rooms[k % len(wanted.rooms)]
        layout = furnished(g, kind, room_for(g, kind, wanted, 1.3), wanted, furniture_assets(None))
        if layout is None:
            continue
        layout.most += 40
        for carrier in [s for s in layout.stands if s.asset.carries]:
            layout.on_top(("book",), carrier)
        layout.against_wall(("bookshelf",))
        nouns = {s.asset.noun for s in layout.stands}
        assert not {"book", "bookshelf"} <= nouns
        books, shelves = books + ("book" in nouns), shelves + ("bookshelf" in nouns)
    assert books > 5 and shelves > 5


def test_in_a_short_video_nothing_drives_for_want_of_time() -> None:
    times, start = np.arange(10) / 5, ((0.0, 0.0, 0.0), 0.0)
    g, long = np.random.default_rng(0), np.arange(60) / 5
    size = (0.3, 0.2, 0.2)
    assert ROAMERS["toy truck"](g, start, times, size, lambda *_: True) is None
    assert ROAMERS["toy truck"](g, start, long, size, lambda *_: True) is not None
