"""What cannot be is found: each fault is planted in a clean world, and the audit names it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from fathom.records import Pose, Scene, SceneObject
from fathom.scenes.videos.audit import KINDS, audit, together


def changed(scene: Scene, obj: str, change: Callable[[SceneObject], SceneObject]) -> Scene:
    objects = tuple(change(t) if t.id == obj else t for t in scene.objects)
    return msgspec.structs.replace(scene, objects=objects)


def shifted(pose: Pose, dx: float = 0, dy: float = 0, dz: float = 0) -> Pose:
    x, y, z = pose.position_m
    return msgspec.structs.replace(pose, position_m=(x + dx, y + dy, z + dz))


def reposed(obj: SceneObject, poses: tuple[Pose, ...]) -> SceneObject:
    return msgspec.structs.replace(obj, poses=poses)


def raising(height_m: float) -> Callable[[SceneObject], SceneObject]:
    return lambda t: reposed(t, (shifted(t.poses[0], dz=height_m),))


def still_object(scene: Scene) -> SceneObject:
    """Return one that stays on the table and carries nothing."""
    carriers = {t.attributes.get("stands_on") for t in scene.objects}
    carriers |= {t.attributes.get("ends_on") for t in scene.objects}
    return next(
        t for t in scene.objects[1:]
        if len(t.poses) == 1 and t.id not in carriers and t.attributes["stands_on"] == "table"
    )  # fmt: skip


def moving_object(scene: Scene) -> SceneObject:
    return next(t for t in scene.objects[1:] if len(t.poses) > 1)


@pytest.fixture
def scene(desktops: tuple[Scene, ...]) -> Scene:
    return desktops[0]


def kinds(scene: Scene, obj: str) -> set[str]:
    return {f.kind for f in audit(scene).faults if f.object_id == obj}


def test_a_clean_world_has_no_fault_and_every_kind_is_counted(scene: Scene) -> None:
    counts = audit(scene).counts()
    assert set(counts) == set(KINDS) and counts.total() == 0


def test_a_object_in_the_air_is_found_from_a_millimetre_on(scene: Scene) -> None:
    obj = still_object(scene)
    for height, found in ((0.0012, {"support"}), (0.0008, set())):
        raised = changed(scene, obj.id, raising(height))
        assert kinds(raised, obj.id) == found


def test_a_object_that_sinks_into_the_table_is_found(scene: Scene) -> None:
    obj = still_object(scene)
    sunk = changed(scene, obj.id, lambda t: reposed(t, (shifted(t.poses[0], dz=-0.003),)))
    assert {"support", "clearance"} <= kinds(sunk, obj.id)


def test_a_object_that_stops_in_the_air_is_found(scene: Scene) -> None:
    obj = moving_object(scene)
    last = shifted(obj.poses[-1], dz=0.05)
    # It rises within the last second, and hangs there.
    stays = len(obj.poses) - 20
    hung = changed(scene, obj.id, lambda t: reposed(t, t.poses[:stays] + (last,) * 20))
    assert "support" in kinds(hung, obj.id)


def test_a_object_that_does_not_stand_where_it_says_is_found(scene: Scene) -> None:
    obj, other = still_object(scene), moving_object(scene)
    said = {**obj.attributes, "stands_on": other.id}
    lied = changed(scene, obj.id, lambda t: msgspec.structs.replace(t, attributes=said))
    assert "support" in kinds(lied, obj.id)


def test_two_objects_in_one_place_are_found(scene: Scene) -> None:
    obj, other = still_object(scene), moving_object(scene)
    inside = changed(scene, obj.id, lambda t: reposed(t, (other.poses[-1],)))
    faults = [
        f.words.replace(":", "").replace(",", "").split()
        for f in audit(inside).faults
        if f.kind == "clearance"
    ]
    assert any({obj.id, other.id} <= set(words) for words in faults)


def test_a_meeting_in_a_single_frame_is_found(scene: Scene) -> None:
    obj, other = still_object(scene), moving_object(scene)
    poses = list(other.poses)
    poses[137] = msgspec.structs.replace(poses[137], position_m=obj.poses[0].position_m)
    met = audit(changed(scene, other.id, lambda t: reposed(t, tuple(poses))))
    fault = next(f for f in met.faults if f.kind == "clearance")
    assert fault.frame == 137
    assert {"speed", "acceleration"} <= {f.kind for f in met.faults}


def test_a_object_over_the_edge_of_the_table_is_out_of_reach(scene: Scene) -> None:
    obj = still_object(scene)
    half = scene.objects[0].size_m[0] / 2
    x = half - obj.poses[0].position_m[0] - 0.005
    assert "reach" in kinds(
        changed(scene, obj.id, lambda t: reposed(t, (shifted(t.poses[0], dx=x),))), obj.id
    )


def test_what_is_too_fast_is_found_and_named_with_its_limit(scene: Scene) -> None:
    obj = moving_object(scene)
    fast = tuple(shifted(p, dx=0.03 * k) for k, p in enumerate(obj.poses))
    found = [f for f in audit(changed(scene, obj.id, lambda t: reposed(t, fast))).faults if f.kind == "speed"]
    assert found and found[0].value > found[0].limit and "m/s, where 0.8 is allowed" in found[0].words


def test_a_jerk_is_an_acceleration_even_where_it_is_slow(scene: Scene) -> None:
    obj = moving_object(scene)
    jerky = tuple(shifted(p, dx=0.006 * (k >= 250)) for k, p in enumerate(obj.poses))
    assert kinds(changed(scene, obj.id, lambda t: reposed(t, jerky)), obj.id) & {
        "acceleration",
        "clearance",
    } >= {"acceleration"}


def test_a_object_that_spins_is_found(scene: Scene) -> None:
    obj = moving_object(scene)
    poses = list(obj.poses)
    poses[-1] = msgspec.structs.replace(poses[-1], rotation_wxyz=(0.0, 0.0, 0.0, 1.0))
    poses[-2] = msgspec.structs.replace(poses[-2], rotation_wxyz=(1.0, 0.0, 0.0, 0.0))
    assert "turning" in kinds(changed(scene, obj.id, lambda t: reposed(t, tuple(poses))), obj.id)


def test_a_camera_that_jumps_or_hits_a_object_is_found(scene: Scene) -> None:
    camera, obj = scene.cameras[0], still_object(scene)
    poses = list(camera.poses)
    poses[30] = msgspec.structs.replace(poses[30], position_m=obj.poses[0].position_m)
    filmed = msgspec.structs.replace(scene, cameras=(msgspec.structs.replace(camera, poses=tuple(poses)),))
    assert {"speed", "acceleration"} <= kinds(filmed, "the camera")
    assert "camera" in kinds(filmed, obj.id)


def test_audits_add_up(desktops: tuple[Scene, ...]) -> None:
    some = [audit(s) for s in desktops[:3]]
    both = together(some)
    assert both.scenes == 3 and both.objects == sum(a.objects for a in some)
    assert "support 0" in both.lines()[0]
