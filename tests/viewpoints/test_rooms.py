"""Cameras are where their kind says, and a room is the same from the same seed."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.geometry.camera_angles import angles_of
from fathom.geometry.poses import heading_rad, pose_at, rotation_matrix
from fathom.records import InputError, SceneObject, UnfitError
from fathom.scenes import viewpoints
from fathom.scenes.looked_rooms import TIMES_S
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.boxes import Boxes, above_m, apart_m, tracks_of_boxes
from fathom.scenes.viewpoints import RANGES, UNCOMMON, Viewpoints, draw_viewpoints, turned_view
from tests.viewpoints.conftest import ROOMS, SeenRoom

angles = st.floats(-1.2, 1.2)


@given(st.floats(-3.1, 3.1), angles, angles)
def test_a_view_is_turned_by_the_angles_that_it_is_given(yaw: float, pitch: float, roll: float) -> None:
    view = turned_view(yaw, pitch, roll)
    np.testing.assert_allclose(view @ view.T, np.eye(3), atol=1e-9)
    assert np.linalg.det(view) > 0
    ahead = view[:, 2]
    assert math.atan2(ahead[1], ahead[0]) == pytest.approx(yaw, abs=1e-9)
    pose = routes.rounded(np.zeros(3), _quaternion(view), 0.0)
    (found,) = angles_of(cameras.pinhole(64, 48, 1.0, (pose,)))
    assert found[1:] == pytest.approx((math.degrees(pitch), math.degrees(roll)), abs=0.01)


def _quaternion(view: np.ndarray) -> tuple[float, float, float, float]:
    from fathom.geometry.poses import quaternion

    return quaternion(view)


def test_a_picture_that_is_rolled_clockwise_shows_the_right_side_lower() -> None:
    right = turned_view(0.3, 0.0, math.radians(20))[:, 0]
    assert right[2] == pytest.approx(-math.sin(math.radians(20)))


def test_cameras_are_within_the_ranges_of_their_kind(rooms: list[SeenRoom]) -> None:
    seen = set()
    for room in rooms:
        kinds = ("common", room.scene.source["uncommon"])
        seen.add(kinds[1])
        angles = angles_of(room.scene.cameras[0])
        assert angles[:2] == angles[2:]
        for kind, (height, pitch, roll) in zip(kinds, angles[:2], strict=True):
            ranges = RANGES[kind]
            assert ranges.pitch_deg[0] - 0.01 <= pitch <= ranges.pitch_deg[1] + 0.01
            assert ranges.roll_deg[0] - 0.01 <= abs(roll) <= ranges.roll_deg[1] + 0.01
            assert height <= ranges.height_m[1] + 1e-6
    assert seen == set(UNCOMMON)


def test_no_camera_is_inside_anything(rooms: list[SeenRoom]) -> None:
    for room in rooms:
        for frame, pose in enumerate(room.scene.cameras[0].poses):
            for obj in (o for o in room.scene.objects if o.id.startswith("thing")):
                own = pose_at(obj.poses, frame)
                local = rotation_matrix(own.rotation_wxyz).T @ np.subtract(pose.position_m, own.position_m)
                inside = np.abs(local[:2]) < np.array(obj.size_m[:2]) / 2
                assert not (inside.all() and 0 < local[2] < obj.size_m[2])


SEATS = ("chair", "office chair", "armchair", "sofa", "bench", "stool")
CHANGES = {"moved": "moved", "turned": "turned", "hung higher": "hung", "hung lower": "hung"}


def _sits_on(who: SceneObject, seat: SceneObject) -> bool:
    """Return whether somebody sits on a seat, before or after the change."""
    if not who.asset.name.endswith("on a seat") or seat.attributes.get("name") not in SEATS:
        return False
    ends = [(pose_at(who.poses, f), pose_at(seat.poses, f)) for f in (0, len(TIMES_S) - 1)]
    return any(math.dist(a.position_m[:2], b.position_m[:2]) < max(seat.size_m[:2]) / 2 for a, b in ends)


def test_few_objects_change_and_none_touches_another(rooms: list[SeenRoom]) -> None:
    for room in rooms:
        objects = room.scene.objects
        wholes = [o for o in objects if "part_of" not in o.attributes]
        said = [o.attributes["changed"] for o in wholes if "changed" in o.attributes]
        kinds = [CHANGES[change] for change in said]
        assert kinds and kinds.count("turned") < 2 and max(kinds.count(k) for k in kinds) < 4
        for obj in objects:
            assert len({(p.position_m, p.rotation_wxyz) for p in obj.poses}) == 1 + (
                "changed" in obj.attributes
            )
        boxes = tracks_of_boxes(objects, len(TIMES_S))
        loose = [k for k, o in enumerate(objects) if o.id.startswith("thing")]
        for one, other in combinations(loose, 2):
            if _sits_on(objects[one], objects[other]) or _sits_on(objects[other], objects[one]):
                continue
            a, b = (Boxes(boxes.corners[k], boxes.low[k], boxes.high[k]) for k in (one, other))
            assert (np.maximum(apart_m(a.corners, b.corners), above_m(a, b)) >= -2e-6).all()


def test_people_sit_on_seats_and_nobody_asks_about_both(rooms: list[SeenRoom]) -> None:
    found = 0
    for room in rooms:
        sitting = {o.id: o for o in room.scene.objects if o.asset.name.endswith("on a seat")}
        by_id = {o.id: o for o in room.scene.objects}
        for who in sitting.values():
            found += 1
            seat = by_id.get(who.attributes.get("stands_on", ""))
            assert seat is None or heading_rad(who.poses[0]) == pytest.approx(heading_rad(seat.poses[0]))
            asked = [c.objects for c in room.candidates if who.id in c.objects]
            assert seat is None or not any(seat.id in objects for objects in asked)
    assert found >= 2


def test_a_room_follows_from_its_seed(rooms: list[SeenRoom]) -> None:
    assert draw_viewpoints(ROOMS[3], "tests") == rooms[3].scene
    assert draw_viewpoints(ROOMS[3], "others") != rooms[3].scene


def test_what_cannot_be_drawn_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="at least 3"):
        Viewpoints(seen=2)
    monkeypatch.setattr(viewpoints, "ATTEMPTS", 4)
    with pytest.raises(UnfitError, match=r"in 4 attempts .* fewer objects in both pictures"):
        draw_viewpoints(0, "a", Viewpoints(seen=60))
