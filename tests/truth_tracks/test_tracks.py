"""The two derivations of answers about tracks agree, and planted faults in either are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from fathom.ground_truth.footage import as_filmed
from fathom.programs.engine import operators_on
from fathom.programs.values import Scenes
from fathom.programs.views.video import video_view
from fathom.records import DataError, Pose, Scene, SceneObject, Step
from fathom.scenes.videos.desktop import models_at
from fathom.verify.engine import derive, measured
from fathom.verify.observed.video import ObservedVideo, observed_video
from fathom.verify.operators.trajectories import _courses_deg
from fathom.verify.registry import OPERATORS, SceneKind
from fathom.verify.values import NONE
from tests.truth_tracks.programs import Film, Program, compared, differing, ended, programs

ROUNDS = 5
SECOND = OPERATORS[SceneKind.VIDEO]


def with_object(scene: Scene, place: int, change: Callable[[SceneObject], SceneObject]) -> Scene:
    """Return a scene of which one object's record is changed."""
    objects = tuple(change(t) if k == place else t for k, t in enumerate(scene.objects))
    return msgspec.structs.replace(scene, objects=objects)


def with_poses(obj: SceneObject, change: Callable[[Pose], Pose]) -> SceneObject:
    return msgspec.structs.replace(obj, poses=tuple(change(p) for p in obj.poses))


def shifted(pose: Pose, by: tuple[float, float, float]) -> Pose:
    x, y, z = (a + b for a, b in zip(pose.position_m, by, strict=True))
    return msgspec.structs.replace(pose, position_m=(x, y, z))


def moved(scene: Scene) -> Scene:
    return with_object(scene, 1, lambda t: with_poses(t, lambda p: shifted(p, (0.0, 0.02, 0.0))))


def grown(scene: Scene) -> Scene:
    def change(obj: SceneObject) -> SceneObject:
        x, y, z = (1.06 * v for v in obj.size_m)
        return msgspec.structs.replace(obj, size_m=(x, y, z))

    largest = max(range(1, len(scene.objects)), key=lambda k: max(scene.objects[k].size_m))
    return with_object(scene, largest, change)


def swapped(scene: Scene) -> Scene:
    objects = list(scene.objects)
    one, other = objects[1], objects[2]
    objects[1] = msgspec.structs.replace(one, poses=other.poses)
    objects[2] = msgspec.structs.replace(other, poses=one.poses)
    return msgspec.structs.replace(scene, objects=tuple(objects))


def called_otherwise(scene: Scene) -> Scene:
    objects = list(scene.objects)
    vase, mug = objects[3], objects[4]
    objects[3] = msgspec.structs.replace(vase, attributes=mug.attributes)
    objects[4] = msgspec.structs.replace(mug, attributes=vase.attributes)
    return msgspec.structs.replace(scene, objects=tuple(objects))


def still(scene: Scene) -> Scene:
    return msgspec.structs.replace(
        scene, objects=tuple(msgspec.structs.replace(t, poses=t.poses[:1]) for t in scene.objects)
    )


def slower(scene: Scene) -> Scene:
    return msgspec.structs.replace(scene, times_s=tuple(1.05 * t for t in scene.times_s))


def with_camera(scene: Scene, change: Callable[[int, Pose], Pose]) -> Scene:
    camera = scene.cameras[0]
    poses = tuple(change(k, p) for k, p in enumerate(camera.poses))
    return msgspec.structs.replace(scene, cameras=(msgspec.structs.replace(camera, poses=poses),))


def drifting(scene: Scene) -> Scene:
    return with_camera(scene, lambda k, p: shifted(p, (0.0, 0.0, 2e-4 * k)))


PLANTED = {
    "a thing stands 2 cm off": (moved, {"distance", "centre"}),
    "a thing is 6 % too large": (grown, {"length", "width", "height", "gap"}),
    "two things stand where the other one does": (swapped, {"distance", "centre", "relation"}),
    "two things are called as the other one": (called_otherwise, {"distance", "height"}),
    "nothing moves": (still, {"displacement", "velocity"}),
    "the clock is fast": (slower, {"average_speed", "velocity", "speed"}),
    "the camera drifts": (drifting, {"displacement", "camera_pose", "path_length"}),
}
"""What is wrong with the record → how it comes about, and operators whose answers it must change."""


def everything(film: Film) -> list[Program]:
    """Return programs about everything in the world, by ids and by words."""
    tracks = film.tracks()
    return [*programs(tracks, ROUNDS, words=False), *programs(tracks, ROUNDS, words=True)]


def test_both_know_the_same_operators() -> None:
    assert set(SECOND) == set(operators_on(Scenes.VIDEO))


def test_nothing_differs_and_nearly_everything_is_decided(film: Film, video: ObservedVideo) -> None:
    found = compared(film.tracks(), video, everything(film))
    assert differing(found) == set()
    open_ones = sum(n for name, n in found.items() if name.endswith("cannot decide"))
    assert sum(found.values()) > 150
    assert open_ones < 0.1 * sum(found.values())


@pytest.mark.parametrize("fault", PLANTED)
def test_a_fault_in_the_record_shows(film: Film, video: ObservedVideo, fault: str) -> None:
    change, operators = PLANTED[fault]
    asked = [p for p in everything(film) if p[-1].op in operators]
    missed = operators - differing(compared(film.tracks(change(film.scene)), video, asked))
    assert not missed


def test_a_fault_in_what_was_seen_shows(film: Film) -> None:
    cells = []
    for cell in film.cells:
        objects = list(cell.objects)
        one, other = objects[0], objects[1]
        objects[0], objects[1] = (
            replace(other, object_id=one.object_id),
            replace(one, object_id=other.object_id),
        )
        cells.append(replace(cell, objects=tuple(objects)))
    asked = list(programs(film.tracks(), ROUNDS, words=False))
    found = compared(film.tracks(), observed_video(film.scene, cells), asked)
    assert {"distance", "centre"} <= differing(found)


@pytest.mark.parametrize(
    ("operator", "other"),
    [("length", "height"), ("displacement", "path_length"), ("least_distance", "greatest_distance")],
)
def test_a_fault_in_the_second_derivation_shows(
    film: Film, video: ObservedVideo, monkeypatch: pytest.MonkeyPatch, operator: str, other: str
) -> None:
    monkeypatch.setitem(SECOND, operator, SECOND[other])
    assert operator in differing(compared(film.tracks(), video, everything(film)))


def test_a_camera_that_sees_something_else_is_an_error(film: Film) -> None:
    scene = with_camera(film.scene, lambda _, p: shifted(p, (0.0, 0.01, 0.0)))
    with pytest.raises(DataError, match="px from where the truth shows it"):
        observed_video(scene, film.cells)


def test_no_cells_are_an_error(film: Film) -> None:
    with pytest.raises(DataError, match="there is none"):
        observed_video(film.scene, [])


def test_measured_scenes_have_no_second_derivation(film: Film) -> None:
    scene = msgspec.structs.replace(film.scene, generator="scannet", source={})
    with pytest.raises(DataError, match="drawn worlds only"):
        observed_video(scene, film.cells)


def test_the_record_as_filmed_is_as_good(film: Film, video: ObservedVideo) -> None:
    filmed, _ = as_filmed(film.scene, models_at(film.scene, 0))
    again = observed_video(filmed, film.cells)
    assert again.objects == video.objects
    assert np.array_equal(again.eyes_m, video.eyes_m)


def test_an_unknown_operator_is_an_error(video: ObservedVideo) -> None:
    with pytest.raises(DataError, match="does not know the operator 'guess'"):
        derive((Step(op="guess"),), video)


def test_a_description_of_nothing_or_of_two_has_no_answer(film: Film) -> None:
    called = film.scene.objects[3].attributes
    scene = with_object(film.scene, 4, lambda t: msgspec.structs.replace(t, attributes=called))
    tracks, video = video_view(scene), observed_video(scene, film.cells)
    start = (Step(op="whole"), Step(op="visible", inputs=(0,)))
    none = (*start, Step(op="named", inputs=(1,), args=("submarine",)), Step(op="the", inputs=(2,)))
    two = (*start, Step(op="named", inputs=(1,), args=(called["name"],)), Step(op="the", inputs=(2,)))
    assert tracks.names.count(called["name"]) == 2
    assert measured(ended("height", none), video) == NONE
    assert measured(ended("height", two), video) == NONE


def test_a_object_that_is_hardly_seen_is_not_measured(film: Film) -> None:
    name = film.scene.objects[1].id
    cells = []
    for cell in film.cells:
        place = next(k for k, g in enumerate(cell.objects) if g.object_id == name)
        glimpse = cell.objects[place]
        few = {k: getattr(glimpse, k)[:5] for k in ("pixels", "depth_m", "points_m", "faces", "rest_m")}
        objects = list(cell.objects)
        objects[place] = replace(glimpse, **few)
        cells.append(replace(cell, objects=tuple(objects)))
    video = observed_video(film.scene, cells)
    program = ended("height", (Step(op="thing", args=(name,)),))
    assert measured(program, video) is None


@pytest.mark.parametrize("per_s", [5, 30])
def test_turns_are_known_of_films_of_few_frames_a_second_too(video: ObservedVideo, per_s: int) -> None:
    times = np.arange(0.0, 4.0, 1 / per_s)
    angles = np.radians(np.clip(times - 1.0, 0.0, 2.0) * 45.0)
    steps = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles]) / per_s
    found = _courses_deg(video, times, np.cumsum(steps, axis=0))
    assert found[0] == pytest.approx(0.0, abs=1.0) and found[-1] == pytest.approx(90.0, abs=1.0)
