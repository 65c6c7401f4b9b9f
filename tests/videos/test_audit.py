"""What cannot be is found: each fault is planted in a clean world, and the audit names it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from fathom.records import Pose, Scene, Thing
from fathom.scenes.videos.audit import KINDS, audit, together


def changed(scene: Scene, thing: str, change: Callable[[Thing], Thing]) -> Scene:
    things = tuple(change(t) if t.id == thing else t for t in scene.things)
    return msgspec.structs.replace(scene, things=things)


def shifted(pose: Pose, dx: float = 0, dy: float = 0, dz: float = 0) -> Pose:
    x, y, z = pose.position_m
    return msgspec.structs.replace(pose, position_m=(x + dx, y + dy, z + dz))


def reposed(thing: Thing, poses: tuple[Pose, ...]) -> Thing:
    return msgspec.structs.replace(thing, poses=poses)


def raising(height_m: float) -> Callable[[Thing], Thing]:
    return lambda t: reposed(t, (shifted(t.poses[0], dz=height_m),))


def still_thing(scene: Scene) -> Thing:
    """Return one that stays on the table and carries nothing."""
    carriers = {t.attributes.get("stands_on") for t in scene.things}
    carriers |= {t.attributes.get("ends_on") for t in scene.things}
    return next(
        t for t in scene.things[1:]
        if len(t.poses) == 1 and t.id not in carriers and t.attributes["stands_on"] == "table"
    )  # fmt: skip


def moving_thing(scene: Scene) -> Thing:
    return next(t for t in scene.things[1:] if len(t.poses) > 1)


@pytest.fixture
def scene(desktops: tuple[Scene, ...]) -> Scene:
    return desktops[0]


def kinds(scene: Scene, thing: str) -> set[str]:
    return {f.kind for f in audit(scene).faults if f.thing == thing}


def test_a_clean_world_has_no_fault_and_every_kind_is_counted(scene: Scene) -> None:
    counts = audit(scene).counts()
    assert set(counts) == set(KINDS) and counts.total() == 0


def test_a_thing_in_the_air_is_found_from_a_millimetre_on(scene: Scene) -> None:
    thing = still_thing(scene)
    for height, found in ((0.0012, {"support"}), (0.0008, set())):
        raised = changed(scene, thing.id, raising(height))
        assert kinds(raised, thing.id) == found


def test_a_thing_that_sinks_into_the_table_is_found(scene: Scene) -> None:
    thing = still_thing(scene)
    sunk = changed(scene, thing.id, lambda t: reposed(t, (shifted(t.poses[0], dz=-0.003),)))
    assert {"support", "clearance"} <= kinds(sunk, thing.id)


def test_a_thing_that_stops_in_the_air_is_found(scene: Scene) -> None:
    thing = moving_thing(scene)
    last = shifted(thing.poses[-1], dz=0.05)
    # It rises within the last second, and hangs there.
    stays = len(thing.poses) - 20
    hung = changed(scene, thing.id, lambda t: reposed(t, t.poses[:stays] + (last,) * 20))
    assert "support" in kinds(hung, thing.id)


def test_a_thing_that_does_not_stand_where_it_says_is_found(scene: Scene) -> None:
    thing, other = still_thing(scene), moving_thing(scene)
    said = {**thing.attributes, "stands_on": other.id}
    lied = changed(scene, thing.id, lambda t: msgspec.structs.replace(t, attributes=said))
    assert "support" in kinds(lied, thing.id)


def test_two_things_in_one_place_are_found(scene: Scene) -> None:
    thing, other = still_thing(scene), moving_thing(scene)
    inside = changed(scene, thing.id, lambda t: reposed(t, (other.poses[-1],)))
    faults = [
        f.words.replace(":", "").replace(",", "").split()
        for f in audit(inside).faults
        if f.kind == "clearance"
    ]
    assert any({thing.id, other.id} <= set(words) for words in faults)


def test_a_meeting_in_a_single_frame_is_found(scene: Scene) -> None:
    thing, other = still_thing(scene), moving_thing(scene)
    poses = list(other.poses)
    poses[137] = msgspec.structs.replace(poses[137], position_m=thing.poses[0].position_m)
    met = audit(changed(scene, other.id, lambda t: reposed(t, tuple(poses))))
    fault = next(f for f in met.faults if f.kind == "clearance")
    assert fault.frame == 137
    assert {"speed", "acceleration"} <= {f.kind for f in met.faults}


def test_a_thing_over_the_edge_of_the_table_is_out_of_reach(scene: Scene) -> None:
    thing = still_thing(scene)
    half = scene.things[0].size_m[0] / 2
    x = half - thing.poses[0].position_m[0] - 0.005
    assert "reach" in kinds(
        changed(scene, thing.id, lambda t: reposed(t, (shifted(t.poses[0], dx=x),))), thing.id
    )


def test_what_is_too_fast_is_found_and_named_with_its_limit(scene: Scene) -> None:
    thing = moving_thing(scene)
    fast = tuple(shifted(p, dx=0.03 * k) for k, p in enumerate(thing.poses))
    found = [
        f for f in audit(changed(scene, thing.id, lambda t: reposed(t, fast))).faults if f.kind == "speed"
    ]
    assert found and found[0].value > found[0].limit and "m/s, where 0.8 is allowed" in found[0].words


def test_a_jerk_is_an_acceleration_even_where_it_is_slow(scene: Scene) -> None:
    thing = moving_thing(scene)
    jerky = tuple(shifted(p, dx=0.006 * (k >= 250)) for k, p in enumerate(thing.poses))
    assert kinds(changed(scene, thing.id, lambda t: reposed(t, jerky)), thing.id) & {
        "acceleration",
        "clearance",
    } >= {"acceleration"}


def test_a_thing_that_spins_is_found(scene: Scene) -> None:
    thing = moving_thing(scene)
    poses = list(thing.poses)
    poses[-1] = msgspec.structs.replace(poses[-1], rotation_wxyz=(0.0, 0.0, 0.0, 1.0))
    poses[-2] = msgspec.structs.replace(poses[-2], rotation_wxyz=(1.0, 0.0, 0.0, 0.0))
    assert "turning" in kinds(changed(scene, thing.id, lambda t: reposed(t, tuple(poses))), thing.id)


def test_a_camera_that_jumps_or_hits_a_thing_is_found(scene: Scene) -> None:
    camera, thing = scene.cameras[0], still_thing(scene)
    poses = list(camera.poses)
    poses[30] = msgspec.structs.replace(poses[30], position_m=thing.poses[0].position_m)
    filmed = msgspec.structs.replace(scene, cameras=(msgspec.structs.replace(camera, poses=tuple(poses)),))
    assert {"speed", "acceleration"} <= kinds(filmed, "the camera")
    assert "camera" in kinds(filmed, thing.id)


def test_audits_add_up(desktops: tuple[Scene, ...]) -> None:
    some = [audit(s) for s in desktops[:3]]
    both = together(some)
    assert both.scenes == 3 and both.things == sum(a.things for a in some)
    assert "support 0" in both.lines()[0]
