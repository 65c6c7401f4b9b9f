"""The truth pass: exact ids and depths, silhouettes of objects alone, and who covers whom."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.assets.model import Material, Model, Part
from fathom.geometry.cameras import pixel_rays, unproject
from fathom.geometry.poses import from_world, to_world
from fathom.ground_truth.trace import Truth, covers_under, trace
from fathom.ground_truth.views import STEP_M
from fathom.records import AssetError, Camera, InputError, Pose, Scene
from fathom.render.variants import FAST, engine, mitsuba_module, prepare
from tests.truth.street import at, block, camera, lorry, street, world
from tests.truth.summary import object_visibility

seeds = st.integers(0, 10_000)


def joined(scene: Scene, models: dict[str, Model]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All triangles in the world, and the object that each belongs to."""
    vertices, faces, owner = [], [], []
    start = 0
    for k, t in enumerate(scene.objects):
        for p in models[t.id].parts:
            vertices.append(to_world(t.poses[0], p.vertices))
            faces.append(p.faces + start)
            owner.append(np.full(len(p.faces), k))
            start += len(p.vertices)
    return np.concatenate(vertices), np.concatenate(faces), np.concatenate(owner)


def test_ids_are_those_of_one_scene_with_everything_in_it() -> None:
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    scene, models = street(3, 8, camera(640, 480))
    vertices, faces, owner = joined(scene, models)
    rays = EmbreeScene()
    mesh = TriangleMesh(rays, vertices.astype(np.float32), faces.astype(np.int32))
    eye, toward = pixel_rays(scene.cameras[0])
    origins = np.broadcast_to(eye.astype(np.float32), (640 * 480, 3))
    hit = rays.run(origins, toward.reshape(-1, 3).astype(np.float32), output=True)["primID"]
    expected = np.where(hit >= 0, owner[hit], -1).reshape(480, 640)
    assert mesh is not None
    assert np.count_nonzero(trace(scene, models).ids != expected) <= 3


def test_ids_and_depths_are_those_of_mitsuba() -> None:
    chosen = engine("mitsuba", say=lambda word: None)
    if chosen.variant != FAST:
        pytest.skip("Mitsuba's own intersections need its LLVM variant to be quick")
    prepare(chosen)
    mi = mitsuba_module()
    scene, models = street(4, 8, camera(640, 480))
    vertices, faces, owner = joined(scene, models)
    mesh = mi.Mesh("all", len(vertices), len(faces))
    values = mi.traverse(mesh)
    values["vertex_positions"] = vertices.astype(np.float32).ravel()
    values["faces"] = faces.astype(np.uint32).ravel()
    values.update()
    eye, toward = pixel_rays(scene.cameras[0])
    d = toward.reshape(-1, 3).astype(np.float32)
    ray = mi.Ray3f(mi.Point3f(*(float(v) for v in eye)), mi.Vector3f(d[:, 0], d[:, 1], d[:, 2]))
    found = mi.load_dict({"type": "scene", "mesh": mesh}).ray_intersect(ray)
    valid = np.array(found.is_valid())
    expected = np.where(valid, owner[np.where(valid, np.array(found.prim_index), 0)], -1).reshape(480, 640)
    truth = trace(scene, models)
    assert np.count_nonzero(truth.ids != expected) <= 5
    same = (truth.ids == expected) & (expected >= 0)
    depth = np.array(found.t).reshape(480, 640)
    assert np.median(np.abs(truth.depth_m - depth)[same]) < STEP_M


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_a_silhouette_is_what_is_seen_of_it_and_what_is_seen_before_it(seed: int) -> None:
    truth = trace(*street(seed))
    for i, s in enumerate(truth.objects):
        assert s.amodal.sum() == truth.visible(i).sum() + truth.seen_px[i].sum()
        assert (truth.seen_px[i] <= truth.over_px[i]).all()
        for j, other in enumerate(truth.objects):
            if i < j:
                both = whole(truth, i) & whole(truth, j)
                assert truth.over_px[i, j] + truth.over_px[j, i] == both.sum(), (s.object_id, other.object_id)


def whole(truth: Truth, index: int) -> np.ndarray:
    s = truth.objects[index]
    x0, y0, x1, y1 = s.window
    mask = np.zeros(truth.ids.shape, dtype=bool)
    mask[y0:y1, x0:x1] = s.amodal
    return mask


@settings(max_examples=10, deadline=None)
@given(seeds)
def test_the_order_of_objects_changes_nothing_but_their_numbers(seed: int) -> None:
    scene, models = street(seed)
    backwards = Scene(
        id=scene.id, generator="test", version="1", seed="1", objects=scene.objects[::-1],
        cameras=scene.cameras, environment=scene.environment,
    )  # fmt: skip
    ids, reversed_ids = trace(scene, models).ids, trace(backwards, models).ids
    renamed = np.where(reversed_ids >= 0, len(scene.objects) - 1 - reversed_ids, -1)
    assert np.array_equal(ids, renamed)


@settings(max_examples=15, deadline=None)
@given(seeds)
def test_depths_put_surface_points_where_the_pose_does(seed: int) -> None:
    scene, models = street(seed)
    truth = trace(scene, models)
    for t, s in zip(scene.objects, truth.objects, strict=True):
        if len(s.pixels):
            depth = truth.depth_m[s.pixels[:, 1], s.pixels[:, 0]].astype(float)
            seen = unproject(truth.camera, s.pixels + 0.5, depth)
            assert np.abs(from_world(t.poses[0], seen) - s.points_m).max() < 1e-3


def test_depths_are_whole_steps_and_the_ground_lies_at_zero() -> None:
    truth = trace(*street(1))
    on_objects = truth.depth_m[truth.ids >= 0].astype(float)
    assert np.array_equal(np.rint(on_objects / STEP_M) * STEP_M, on_objects)
    rows, columns = np.nonzero(truth.ids < 0)
    pixels = np.column_stack([columns, rows]) + 0.5
    ground = unproject(truth.camera, pixels, truth.depth_m[rows, columns].astype(float))
    assert np.abs(ground[:, 2]).max() < 1e-3


def test_the_nearer_of_two_blocks_covers_the_farther() -> None:
    wall, brick = block((0.2, 6.0, 1.0)), block((0.5, 0.5, 0.5))
    scene, models = world(
        {"wall": (wall, at(0, 0)), "brick": (brick, at(-1.0, 0))}, camera(eye_m=(8.0, 0.0, 1.2))
    )
    truth = trace(scene, models)
    seen = {s.object_id: s for s in object_visibility(truth)}
    assert seen["brick"].visible_px < seen["brick"].amodal_px
    assert [c.object_id for c in seen["brick"].covers] == ["wall"]
    assert seen["brick"].covers[0].over_px == seen["brick"].amodal_px - seen["brick"].visible_px
    assert seen["wall"].covers == ()
    assert seen["wall"].gaps_px["brick"] == 0


def test_a_cover_behind_another_cover_is_over_but_not_seen() -> None:
    placed = {
        "far": (block((0.3, 0.3, 0.3)), at(-2, 0)),
        "middle": (block((0.2, 1.0, 1.0)), at(0, 0)),
        "near": (block((0.2, 2.0, 2.0)), at(2, 0)),
    }
    truth = trace(*world(placed, camera(eye_m=(9.0, 0.0, 0.6))))
    covers = {c.object_id: c for c in object_visibility(truth)[0].covers}
    assert covers["middle"].over_px > 0
    assert covers["middle"].seen_px == 0
    assert covers["near"].seen_px == covers["near"].over_px > 0


def test_what_lies_beyond_the_edge_counts_as_full_but_not_as_amodal() -> None:
    model = lorry(3.0)
    narrow = camera()
    wide = Camera(
        width=narrow.width * 3, height=narrow.height * 3, fx=narrow.fx, fy=narrow.fy,
        cx=narrow.cx + narrow.width, cy=narrow.cy + narrow.height, poses=narrow.poses,
    )  # fmt: skip
    placed = {"cut": (model, at(3.4, 3.0, 0.4))}
    cut, entire = (object_visibility(trace(*world(placed, c)))[0] for c in (narrow, wide))
    assert 0 < cut.amodal_px < cut.full_px == entire.full_px == entire.amodal_px


@pytest.mark.parametrize("pose", [at(40.0, -35.0), at(-3.0, 30.0), at(7.5, -6.5)])
def test_a_object_behind_beside_or_around_the_camera_does_no_harm(pose: Pose) -> None:
    scene, models = world({"away": (lorry(), pose), "here": (lorry(), at(0, 0))})
    truth = trace(scene, models)
    assert object_visibility(truth)[0].visible_px == 0
    assert object_visibility(truth)[0].gaps_px == {}
    assert object_visibility(truth)[1].visible_px > 0


def test_an_invalid_pose_is_not_seen() -> None:
    gone = Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=(1.0, 0.0, 0.0, 0.0), valid=False)
    assert object_visibility(trace(*world({"gone": (lorry(), gone)})))[0].full_px == 0


def test_parts_are_counted_by_name() -> None:
    visible = object_visibility(trace(*world({"lorry": (lorry(3.0), at(0, 0, 1.0))})))[0]
    assert set(visible.part_px) == {"bed", "cabin", "ball"}
    assert sum(visible.part_px.values()) == visible.visible_px


def test_gaps_are_measured_between_outlines() -> None:
    left, right = block((1.0, 1.0, 0.01)), block((1.0, 1.0, 0.01))
    above = Camera(
        width=200, height=100, fx=100.0, fy=100.0, cx=100.0, cy=50.0,
        poses=(Pose(position_m=(0.0, 0.0, 5.0), rotation_wxyz=(0.0, 1.0, 0.0, 0.0)),),
    )  # fmt: skip
    first, _ = object_visibility(trace(*world({"a": (left, at(-2, 0)), "b": (right, at(1, 0))}, above)))
    assert first.gaps_px["b"] == pytest.approx(40, abs=1.2)


def test_a_flat_model_is_traced() -> None:
    square = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
    sheet = Part("sheet", square, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32), Material("body"))
    assert (
        object_visibility(trace(*world({"sheet": (Model("s", "car", "s", (sheet,)), at(0, 0))})))[
            0
        ].visible_px
        > 0
    )


def test_rough_covers_at_full_resolution_are_the_exact_ones() -> None:
    scene, models = street(5)
    exact = object_visibility(trace(scene, models))
    rough = covers_under(scene, models, [[t.poses[0] for t in scene.objects]], scale=1)[0]
    for a, b in zip(exact, rough, strict=True):
        assert (a.full_px, a.amodal_px, a.visible_px, a.box_px, a.covers) == (
            b.full_px, b.amodal_px, b.visible_px, b.box_px, b.covers,
        )  # fmt: skip


def test_rough_covers_follow_the_poses_they_are_given() -> None:
    scene, models = street(6, 4, camera(640, 480))
    here = [t.poses[0] for t in scene.objects]
    away = [at(100.0 + 20 * k, 100.0) for k in range(len(here))]
    same, gone = covers_under(scene, models, [here, away])
    for exact, estimate in zip(object_visibility(trace(scene, models)), same, strict=True):
        assert estimate.visible_px == pytest.approx(exact.visible_px, abs=40 + 0.1 * exact.visible_px)
    assert all(s.visible_px == 0 for s in gone)


def test_a_object_without_a_model_is_named() -> None:
    scene, _ = world({"lonely": (lorry(), at(0, 0))})
    with pytest.raises(InputError, match="lonely has no model"):
        trace(scene, {})


def test_models_that_cannot_be_traced_are_named() -> None:
    empty = Model(
        "hollow", "car", "hollow", (Part("p", np.zeros((3, 3)), np.zeros((0, 3), np.int32), Material("m")),)
    )
    broken = Model(
        "cracked", "car", "cracked",
        (Part("p", np.full((3, 3), math.nan), np.array([(0, 1, 2)], np.int32), Material("m")),),
    )  # fmt: skip
    for model in (empty, broken):
        with pytest.raises(AssetError, match=f"model {model.name}"):
            trace(*world({"it": (model, at(0, 0))}))
