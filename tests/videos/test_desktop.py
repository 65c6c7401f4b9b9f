"""Worlds on a table: possible, seen, moved, drawn from names alone."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.assets.libraries import built_in_library, open_library
from fathom.assets.palette import TABLETOP_COLORS
from fathom.assets.sizes import log_range, steady
from fathom.assets.tabletop.catalogue import TABLETOP, dressed, tabletop_model
from fathom.geometry.cameras import project
from fathom.records import AssetError, AssetRef, DataError, InputError, Scene, UnfitError
from fathom.scenes.videos.audit import audit, together
from fathom.scenes.videos.cameras import framed
from fathom.scenes.videos.desktop import Desktop, draw_desktop, models_at


def test_twenty_worlds_have_no_fault(desktops: tuple[Scene, ...]) -> None:
    assert together(audit(s) for s in desktops).faults == ()


def test_a_world_is_a_function_of_its_names(desktops: tuple[Scene, ...]) -> None:
    again = draw_desktop(3, "tests")
    assert msgspec.json.encode(again) == msgspec.json.encode(desktops[3])
    assert again.objects != draw_desktop(3, "others").objects


def test_a_world_is_one_video_of_one_camera(desktops: tuple[Scene, ...]) -> None:
    for scene in desktops:
        assert len(scene.times_s) == 300 and scene.times_s[30] == 1.0
        (camera,) = scene.cameras
        assert len(camera.poses) == 300 and (camera.width, camera.height) == (640, 480)
        assert [p.time_s for p in camera.poses] == list(scene.times_s)
        assert {len(t.poses) for t in scene.objects} <= {1, 300}
        assert scene.source["setting"] == "desktop" and scene.source["video"] == scene.id.split("-")[1]


def test_the_camera_sees_every_object_in_half_of_the_frames(desktops: tuple[Scene, ...]) -> None:
    for scene in desktops:
        (camera,) = scene.cameras
        for obj in scene.objects[1:]:
            seen = 0
            for frame in range(0, 300, 10):
                pose = obj.poses[min(frame, len(obj.poses) - 1)]
                centre = np.array([pose.position_m]) + np.array([0, 0, obj.size_m[2] / 2])
                pixels, (depth,) = project(camera, centre, frame)
                x, y = pixels[0]
                seen += bool(depth > 0 and 0 <= x < camera.width and 0 <= y < camera.height)
            assert seen >= 14, (scene.id, obj.id)


def test_what_is_framed_is_what_projects_into_the_picture(desktops: tuple[Scene, ...]) -> None:
    (camera,) = desktops[0].cameras
    points = np.random.default_rng(5).uniform((-1, -1, 0), (1, 1, 1.5), (50, 3))
    told = framed(camera, points, margin=0.0)
    for frame in (0, 151, 299):
        pixels, depth = project(camera, points, frame)
        inside = (depth > 0.01) & (pixels >= 0).all(axis=1) & (pixels <= (640, 480)).all(axis=1)
        assert (told[frame] == inside).all()


def test_one_to_three_objects_are_moved_in_every_way(desktops: tuple[Scene, ...]) -> None:
    kinds = set()
    for scene in desktops:
        moves = [m for t in scene.objects for m in t.attributes.get("moves", "").split("; ") if m]
        assert 1 <= len(moves) <= 3
        spans = sorted((float(b), float(e)) for _, b, e in (m.split() for m in moves))
        assert all(a[1] < b[0] for a, b in itertools.pairwise(spans))
        kinds |= {m.split()[0] for m in moves}
        assert all(("moves" in t.attributes) == (len(t.poses) > 1) for t in scene.objects)
    assert kinds == {"slid", "arced", "turned", "lifted", "stacked"}


def test_no_two_objects_are_called_the_same(desktops: tuple[Scene, ...]) -> None:
    for scene in desktops:
        called = [(t.attributes["name"], t.attributes["color"]) for t in scene.objects]
        assert len(set(called)) == len(called)


def test_sizes_are_continuous_and_near_the_usual_ones(desktops: tuple[Scene, ...]) -> None:
    shares: dict[bool, list[float]] = {True: [], False: []}
    for scene in desktops:
        for t in scene.objects[1:]:
            asset = TABLETOP[t.asset.name]
            logs = np.log(np.array(t.size_m) / tabletop_model(asset).extents)
            for axis, log in enumerate(logs):
                low, high = log_range(asset.varies, axis)
                assert low - 1e-4 <= log <= high + 1e-4
            shares[steady(asset.varies)].append(float(logs[2]))
        assert sum(steady(TABLETOP[t.asset.name].varies) for t in scene.objects[1:]) >= min(
            2, len(scene.objects) // 2
        )
    for own in shares.values():
        assert len(set(np.round(own, 4))) > 0.9 * len(own)
    assert np.std(shares[True]) < 0.07 < 0.2 < np.std(shares[False])


def test_models_come_from_the_record_alone(desktops: tuple[Scene, ...]) -> None:
    scene = msgspec.json.decode(msgspec.json.encode(desktops[1]), type=Scene)
    models = models_at(scene, 250)
    assert set(models) == {t.id for t in scene.objects}
    for obj in scene.objects:
        model = models[obj.id]
        assert model.extents == pytest.approx(obj.size_m, abs=2e-6)
        points = np.concatenate([p.vertices for p in model.parts])
        assert points[:, 2].min() == pytest.approx(0, abs=1e-9)
        if obj.attributes["color"]:
            assert any(p.material.color == TABLETOP_COLORS[obj.attributes["color"]] for p in model.parts)


def test_another_shape_than_the_scene_was_made_with_is_refused(desktops: tuple[Scene, ...]) -> None:
    scene = desktops[0]
    obj = scene.objects[1]
    other = msgspec.structs.replace(obj, asset=AssetRef(name=obj.asset.name, sha256="0" * 64))
    with pytest.raises(DataError, match=r"thing0.*use the version of Fathom"):
        models_at(msgspec.structs.replace(scene, objects=(other,)), 0)


@pytest.mark.parametrize("name", list(TABLETOP))
def test_every_built_in_object_is_one_for_tables(name: str) -> None:
    asset = TABLETOP[name]
    model = dressed(asset, tabletop_model(asset).extents, "blue")
    assert 0.02 < max(model.extents) < 0.3
    assert any(p.material.color == TABLETOP_COLORS["blue"] for p in model.parts)
    for p in model.parts:
        assert p.normals is None or np.allclose(np.linalg.norm(p.normals, axis=1), 1, atol=1e-6)


def test_settings_that_leave_no_room_are_refused() -> None:
    crowded = Desktop(fewest=40, most=40, table_length_m=(0.4, 0.41), table_width_m=(0.4, 0.41))
    with pytest.raises(UnfitError, match="fewer objects or larger tables"):
        draw_desktop(0, "tests", crowded)
    with pytest.raises(InputError, match="film longer"):
        Desktop(seconds=0.1)
    with pytest.raises(InputError, match="correct the settings"):
        Desktop(fewest=4, most=3)
    with pytest.raises(InputError, match="move less"):
        Desktop(seconds=2, most_moved=6)


def test_other_lengths_and_rates_can_be_filmed() -> None:
    scene = draw_desktop(
        0, "tests", Desktop(seconds=4, fps=15, fewest=1, most=2, fewest_moved=0, most_moved=1)
    )
    assert len(scene.times_s) == 60 and audit(scene).faults == ()


def test_a_pack_lies_on_tables_beside_the_built_in_objects_in_its_real_sizes(
    assets_folder: Path,
) -> None:
    pack = open_library(assets_folder / "tabletop")
    scenes = [draw_desktop(k, "packs", library=pack) for k in range(8)]
    assert together(audit(s) for s in scenes).faults == ()
    packed = [t for s in scenes for t in s.objects if t.asset.name.startswith("market-tabletop:")]
    assert len({t.subtype for t in packed}) > 10 and len(packed) < sum(len(s.objects) for s in scenes) - 8
    for scene in scenes:
        models = models_at(scene, 0, pack)
        for t in scene.objects:
            assert models[t.id].extents == pytest.approx(t.size_m, abs=2e-6)
        called = [t.subtype for t in scene.objects if not t.attributes["color"]]
        assert len(set(called)) == len(called)
        with pytest.raises(DataError, match="name the folder of models"):
            models_at(scene, 0)


def test_a_model_whose_size_nobody_said_is_refused() -> None:
    one = built_in_library()
    with pytest.raises(AssetError, match="set `size_m` to its real length"):
        draw_desktop(0, "tests", library=one)


def test_tables_and_what_is_around_them_differ(desktops: tuple[Scene, ...]) -> None:
    assert len({s.objects[0].asset.edits[-1] for s in desktops}) >= 4
    assert len({(s.environment.name, s.environment.ground) for s in desktops}) >= 6
    with pytest.raises(InputError, match=r"there is .*concrete"):
        draw_desktop(0, "tests", Desktop(grounds=("cheese",)))
